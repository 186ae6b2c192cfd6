#!/usr/bin/env python3
"""Times `destrier swap` on the rows of known/swaps.csv, checks each optimum, and writes a CSV row for each.

Run from the project's root after `cargo build --release`:
    python3 bench/swap/bench.py [--threads 1,2] [--runs 3] [--rows ID,ID,...] [--timed] [FILE.csv]
`--timed` takes only the rows with a limit below. The numbers of threads take turns. Wall and CPU time are the least of the runs. CPU is that of all threads together;
`inside_s` is what the command itself reports with -v, without the start of the process. Compare wall times for the speed-up by
threads, and CPU times on a machine that others use.
"""
import argparse, csv, os, re, sys, tempfile, time

BIN = os.path.join("target", "release", "destrier")
LIMITS = {  # seconds of one thread that the project set itself
    "rows_4x3_1": 0.001, "guarini_3x3": 0.001, "rows_8x8_1": 0.002, "rows_6x3_2": 0.09, "guest7_5x5": 0.09, "rows_5x5_2": 2.2,
    "kfen_hardest_1": 1, "rows12_5x5": 1, "lab_3x4_rot": 0.3, "lab_3x5_col": 5, "rows_8x8_2": 30, "rows_6x6_2": 13, "lab_3x6_col": 10, "rows_6x5_2": 10,
}
MORE = [("rows_4x3_1", "nnn/3/3/NNN", "NNN/3/3/nnn", "std", "16")]

def run(args):
    """Exit code, output, report, wall seconds, CPU seconds and memory in MB of one run."""
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile(); begun = time.time()
    actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
    pid = os.posix_spawn(BIN, [BIN, *args], os.environ, file_actions=actions)
    _, status, used = os.wait4(pid, 0); wall = time.time() - begun
    out.seek(0); err.seek(0)
    code = os.waitstatus_to_exitcode(status)
    return code, out.read().decode(), err.read().decode(), wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024

def seconds(report):
    found = re.search(r"([\d.]+)(ns|µs|ms|s)$", report.splitlines()[0])
    return float(found[1]) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[found[2]] if found else float("nan")

def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--threads", default="1"); ask.add_argument("--runs", type=int, default=3)
    ask.add_argument("--rows", default=""); ask.add_argument("--timed", action="store_true")
    ask.add_argument("file", nargs="?", default="/dev/stdout")
    asked = ask.parse_args()
    lines = [line for line in open(os.path.join("known", "swaps.csv")) if not line.startswith("#")]
    rows = [(r["id"], r["start"], r["goal"], r["rule"], r["optimum"]) for r in csv.DictReader(lines)] + MORE
    wanted = [name for name in asked.rows.split(",") if name]
    with open(asked.file, "w") as out:
        print("id,rule,optimum,threads,nodes,inside_s,wall_s,cpu_s,peak_mb,limit_s", file=out, flush=True)
        for name, start, goal, rule, optimum in rows:
            if (wanted and name not in wanted) or (asked.timed and name not in LIMITS):
                continue
            variant = ["--metric", "runs"] if "run" in rule else []
            variant += ["--peaceful"] if "noattack" in rule else []
            variant += ["--alternate", "white" if "alt:W" in rule else "black"] if "alt:" in rule else []
            args = ["swap", "--from", start, "--to", goal, "-v", *variant, "--threads"]
            counts = asked.threads.split(",")
            rounds = [{threads: run([*args, threads]) for threads in counts} for _ in range(asked.runs)]
            for threads in counts:
                runs = [each[threads] for each in rounds]
                code, text, report = runs[0][:3]
                claim = re.search(r"^(\d+) (?:move|run)s?, the fewest", report, re.M)
                found = claim[1] if claim else "unreachable" if code == 1 else "unfinished"
                assert found == optimum, (name, found, optimum)
                nodes = re.search(r"(\d+) nodes", report)[1]
                inside, wall = min(seconds(r[2]) for r in runs), min(r[3] for r in runs)
                cpu, memory = min(r[4] for r in runs), max(r[5] for r in runs)
                print(f"{name},{rule},{optimum},{threads},{nodes},{inside:.5f},{wall:.4f},{cpu:.4f},{memory},{LIMITS.get(name, '')}", file=out, flush=True)

if __name__ == "__main__":
    sys.exit(main())
