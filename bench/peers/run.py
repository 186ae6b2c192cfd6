#!/usr/bin/env python3
"""Destrier and its peers on the same questions, each answer held against the expected one; results as CSV.

    cargo build --release
    python3 bench/peers/run.py [--kinds tour,count,capture,swap] [--limit 60] [--memory 8] [--repeat 3]

Times are computing times (user and system) of one thread, which other work on the machine does not stretch; the limit is
on these, too. Peers are installed into bench/.venv from PyPI, and bench/peers/rust is built from crates.io; what cannot be had is
skipped with a line. A peer that gives up on a question is not asked a larger one of that kind. The files
bench/peers/DATE-KIND.csv can be shown again with `destrier compare --read FILE`.
"""
import argparse, csv, datetime, json, os, resource, signal, subprocess, sys, tempfile, threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VENV = os.path.join(ROOT, "bench", ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
RUST = os.path.join(HERE, "rust", "target", "release", "rust-peers")
DESTRIER = os.environ.get("DESTRIER", os.path.join(ROOT, "target", "release", "destrier"))
PACKAGES = {  # peer: (package on PyPI, kinds)
    "graphillion": ("graphillion", ["count"]),
    "cp-sat": ("ortools", ["tour", "count", "capture"]),
    "elkai": ("elkai", ["tour", "capture"]),
    "python-tsp": ("python-tsp", ["capture"]),
    "fast-tsp": ("fast-tsp", ["capture"]),
    "networkx": ("networkx", ["capture", "swap"]),
}
FIELDS = ("kind,label,question,squares,method,threads,solved,gave_up,failed,median_s,least_s,most_s,cpu_s,nodes,nodes_per_s,"
          "memory_bytes,speedup_threads,speedup_first,answer,failure_percent,note,seconds").split(",")


def install():
    """The peers that can be had, as name: (version, kinds, words of the command)."""
    have = {}
    if not os.path.exists(PYTHON):
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    for peer, (package, kinds) in PACKAGES.items():
        done = subprocess.run([PYTHON, "-m", "pip", "install", "-q", package], capture_output=True, text=True)
        if done.returncode:
            print(f"skipped: {peer}: {(done.stderr.strip().splitlines() or ['pip failed'])[-1]}")
            continue
        look = f"import importlib.metadata as m; print(m.version('{package}'))"
        version = subprocess.run([PYTHON, "-c", look], capture_output=True, text=True).stdout.strip()
        have[peer] = (version, kinds, [PYTHON, os.path.join(HERE, "peers.py"), peer])
    manifest = os.path.join(HERE, "rust", "Cargo.toml")
    built = subprocess.run(["cargo", "build", "--release", "-q", "--manifest-path", manifest], capture_output=True, text=True)
    if built.returncode:
        print(f"skipped: pathfinding: {(built.stderr.strip().splitlines() or ['cargo failed'])[-1]}")
    else:
        for method in ("bfs", "bidirectional", "astar"):
            have[f"pathfinding {method}"] = ("4", ["swap"], [RUST, method])
    return have


def once(command, limit, memory):
    """One run: exit code, output, last words, most memory in bytes, computing time; code None when over its time."""
    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, cwd=ROOT, preexec_fn=bound)
        timer = threading.Timer(10 * limit, child.kill)
        timer.start()
        _, status, used = os.wait4(child.pid, 0)
        cpu = used.ru_utime + used.ru_stime
        child.returncode = os.waitstatus_to_exitcode(status)
        over = not timer.is_alive() or child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        timer.cancel()
        out.seek(0); err.seek(0)
        return (None if over else child.returncode), out.read(), err.read(), used.ru_maxrss << 10, cpu


def ours(question, args):
    """Destrier by its own measure, through `destrier compare`."""
    words = question["words"].split()
    kind, rest = words[0], words[1:]
    if "--preset" in rest:
        rest.remove("--preset")
    command = [DESTRIER, "compare", kind, *rest, "--methods", "auto", "--threads", "1", "--repeat", str(args.repeat),
               "--time-limit", f"{10 * args.limit}s", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    row = json.loads(done.stdout)["rows"][0]
    row.update(method="Destrier", label=question["label"], question=question["words"], note=row["note"])
    row["seconds"] = row["cpu_s"]
    assert row["answer"].split(",")[0] == question["expected"], row
    return row


def theirs(peer, command, question, args):
    """A peer: as often as the others if it is quick, else once."""
    row = dict.fromkeys(FIELDS, "")
    row.update(kind=question["kind"], label=question["label"], question=question["words"], method=peer,
               squares=question["squares"], threads=1, solved=0, gave_up=0, failed=0)
    times, most = [], 0
    for _ in range(args.repeat):
        words = [*command, question["kind"], question["data"], str(args.limit)]
        code, out, err, memory, cpu = once(words, args.limit, args.memory)
        most = max(most, memory)
        said = json.loads(out.strip().splitlines()[-1]) if code == 0 and out.strip() else {}
        last = (err.strip().splitlines() or [""])[-1]
        if code == 4:
            return None
        if said.get("unsuited"):
            row["note"] = "not for this question: " + said["unsuited"]
            break
        if code != 0 or "answer" not in said:
            row["gave_up"] += 1
            short = any(word in err for word in ("MemoryError", "bad_alloc", "memory allocation"))
            row["note"] = said.get("gave_up") or (
                "the time limit was reached" if code is None or code == 0
                else f"out of memory ({args.memory} GiB)" if short else last[:80] or f"ended with {code}")
            break
        expected, answer = question["expected"], said["answer"]
        right = answer.split(",")[0] == expected
        if answer.endswith("not proved"):
            right = int(answer.split(",")[0]) >= int(expected)
        if "tour" in said:
            check = subprocess.run([DESTRIER, "verify", "--board", question["data"], "--closed"], input=said["tour"],
                                   capture_output=True, text=True)
            right = check.returncode == 0
        row["answer"] = answer
        if not right:
            row["failed"] += 1
            row["note"] = f"wrong: {expected} is right"
            break
        row["solved"] += 1
        times.append(said.get("seconds", cpu))
        if times[-1] > 1:
            break
    row.update(memory_bytes=most, seconds=" ".join(f"{t:.7f}" for t in times))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default="tour,count,capture,swap")
    parser.add_argument("--limit", type=int, default=60, help="seconds a run may take")
    parser.add_argument("--memory", type=int, default=8, help="GiB a run may take")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--note", default="", help="a line on the state of the machine")
    args = parser.parse_args()
    if not os.path.exists(DESTRIER):
        sys.exit("bench/peers/run.py: there is no target/release/destrier; run `cargo build --release` first")
    have = install()
    with open(os.path.join(HERE, "questions.csv")) as file:
        questions = list(csv.DictReader(line for line in file if not line.startswith("#")))
    load = os.getloadavg()[0]
    machine = subprocess.run([DESTRIER, "compare", "tour", "5x5", "--methods", "auto", "--repeat", "1", "--json"],
                             capture_output=True, text=True, check=True)
    machine = json.loads(machine.stdout)["machine"]
    today = datetime.date.today().isoformat()
    for kind in args.kinds.split(","):
        rows, lost = [], set()
        for question in (q for q in questions if q["kind"] == kind):
            print(f"{kind} {question['label']}: Destrier", flush=True)
            rows.append(ours(question, args))
            for peer, (version, kinds, command) in have.items():
                if kind not in kinds or peer in lost:
                    continue
                print(f"{kind} {question['label']}: {peer}", flush=True)
                row = theirs(peer, command, question, args)
                if row is None:
                    print(f"skipped: {peer} is not installed")
                    lost.add(peer)
                    continue
                rows.append(row)
                if row["gave_up"] or row["note"].startswith("not for"):
                    lost.add(peer)
        path = os.path.join(HERE, f"{today}-{kind}.csv")
        with open(path, "w", newline="") as out:
            titles = {"tour": "a closed tour", "count": "closed tours counted", "capture": "all pieces taken in the fewest moves",
                      "swap": "knights exchanged in the fewest moves"}
            out.write(f"# title: {titles[kind]}: Destrier and its peers\n# date: {today}\n# program: computing time of one thread\n")
            out.write(f"# machine: {machine}\n# repeat: {args.repeat}\n# time limit: {args.limit} s\n")
            if load > os.cpu_count() / 2:
                out.write(f"# note: the machine was shared with other work: a load of {load:.0f}\n")
            versions = ", ".join(f"{peer} {version}" for peer, (version, kinds, _) in have.items() if kind in kinds)
            out.write(f"# note: {versions}\n")
            if args.note:
                out.write(f"# note: {args.note}\n")
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        print(f"wrote {os.path.relpath(path, ROOT)}")


if __name__ == "__main__":
    main()
