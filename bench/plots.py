#!/usr/bin/env python3
"""Draws the plots from the kept results, and writes the results section of bench/README.md; the same input, the same output.

    cargo build --release
    python3 bench/plots.py

Reads the newest bench/peers/DATE-KIND.csv of each kind and bench/scaling; writes docs/plots/*.svg, and in bench/README.md
what stands between the two marks.
"""
import csv, glob, os, re, statistics, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DESTRIER = os.environ.get("DESTRIER", os.path.join(ROOT, "target", "release", "destrier"))
PLOTS = os.path.join("docs", "plots")
BEGIN, END = "<!-- results: begin (bench/plots.py) -->", "<!-- results: end -->"
KINDS = {"count": "Counting closed tours", "tour": "A closed tour", "capture": "Taking all pieces", "swap": "Exchanging knights"}


def newest(pattern):
    found = sorted(glob.glob(os.path.join(ROOT, "bench", pattern)))
    return found[-1] if found else None


def read(path):
    """The `# name: value` lines, and the rows."""
    lines = open(path).read().splitlines()
    head = [line[1:].split(":", 1) for line in lines if line.startswith("#") and ":" in line]
    return {name.strip(): value.strip() for name, value in head}, list(csv.DictReader(l for l in lines if not l.startswith("#")))


def draw(path, name):
    target = os.path.join(PLOTS, name)
    subprocess.run([DESTRIER, "compare", "--read", path, "-o", target], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return target


def scaling(path):
    """The kept scaling runs as a comparison, so that the same code draws them."""
    lines = open(path).read().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    where = re.sub(r"^# [\d-]+, (.*?); .*", r"\1", lines[0])
    date = re.search(r"\d{4}-\d\d-\d\d", lines[0]).group()
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    fields = read(newest("peers/*-count.csv"))[1][0].keys()
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="", delete=False) as out:
        out.write(f"# title: speed-up by threads\n# date: {date}\n# program: destrier 0.1.0\n# machine: {where}\n# repeat: 3\n# time limit: 600 s\n")
        writer = csv.DictWriter(out, fields, lineterminator="\n")
        writer.writeheader()
        for task in tasks:
            for threads in sorted({int(row["threads"]) for row in rows if row["task"] == task}):
                times = [row["wall_s"] for row in rows if row["task"] == task and int(row["threads"]) == threads]
                writer.writerow({**dict.fromkeys(fields, ""), "kind": "scaling", "label": "Time on one thread", "question": "scaling",
                                 "squares": 64, "method": task.replace(" final04", ""), "threads": threads, "solved": len(times),
                                 "gave_up": 0, "failed": 0, "seconds": " ".join(times)})
    target = draw(out.name, "scaling.svg")
    os.unlink(out.name)
    return target, date, where


def short(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            number = seconds / size
            return f"{number:.0f} {unit}" if number >= 99.5 else f"{number:.2g} {unit}"
    return "< 1 µs"


def cell(row):
    times = [float(word) for word in row["seconds"].split()]
    if not times:
        return None, f"{row['method']}: {row['note']}"
    time, wrong = statistics.median(times), ", not proved" in row["answer"]
    return time, f"{row['method']}: {short(time)}" + (f" ({row['answer'].split(',')[0]}, not proved)" if wrong else "")


def table(paths):
    lines = ["| question | answer | Destrier | peers |", "|---|---:|---:|---|"]
    for path in paths:
        _, rows = read(path)
        for question in dict.fromkeys(row["question"] for row in rows):
            of = [row for row in rows if row["question"] == question]
            time, _ = cell(of[0])
            peers = sorted((cell(row) for row in of[1:]), key=lambda c: (c[0] is None, c[0] or 0))
            told = "; ".join(text for _, text in peers) or "–"
            lines.append(f"| `{question}` | {of[0]['answer'].split(',')[0]} | {short(time)} | {told} |")
    return lines


def main():
    os.makedirs(os.path.join(ROOT, PLOTS), exist_ok=True)
    text = []
    paths = {kind: newest(f"peers/*-{kind}.csv") for kind in KINDS}
    paths = {kind: path for kind, path in paths.items() if path}
    head, _ = read(next(iter(paths.values())))
    text += [f"Measured on {head['date']} with `bench/peers/run.py`: {head['machine']}. Times are computing times of one",
             f"thread, the median of {head['repeat']} runs; a peer may take {head['time limit']}, and one that gave up is not asked",
             "a larger question. Every answer was checked.", ""]
    for kind, path in paths.items():
        target = draw(path, f"peers-{kind}.svg")
        text += [f"<img src=\"../{target}\" width=\"49%\" alt=\"{KINDS[kind]}: time by board, Destrier and its peers\">"]
    kept = newest("scaling/*.csv")
    if kept:
        target, date, where = scaling(kept)
        text += ["", f"Several threads ({date}, {where}):", "", f"<img src=\"../{target}\" alt=\"Speed-up by number of threads\">"]
    text += ["", *table(paths.values())]
    readme = os.path.join(ROOT, "bench", "README.md")
    whole = open(readme).read()
    before, rest = whole.split(BEGIN)
    _, after = rest.split(END)
    with open(readme, "w") as out:
        out.write(before + BEGIN + "\n" + "\n".join(text) + "\n" + END + after)
    print(f"wrote bench/README.md and {PLOTS}")


if __name__ == "__main__":
    main()
