#!/usr/bin/env python3
"""Times `destrier capture` on whole instances, checks each optimum, and writes a CSV row for each.

Run from the project's root after `cargo build --release`:
    python3 bench/capture.py [FILE.csv]          the instances of known/capture, and random boards
Wall and CPU time are the least of three runs with two threads; CPU is that of all threads together. The columns
concorde, lkh and cpsat have seconds of an earlier comparison on a machine of this kind, for the same instances.
"""
import csv, os, random, sys, tempfile, time

BIN = os.path.join("target", "release", "destrier")
PEERS = {  # instance: Concorde, LKH, CP-SAT, in seconds
    "h03_k8_q32": (0.02, 0.02, 0.06), "h06_k12_q72": (0.07, 0.03, 0.53), "h11_k20_q200": (0.44, 0.72, 7.6),
    "h12_k30_q150": (0.41, 0.46, 8.8), "h14_k40_q200": (0.64, 0.39, 16.4), "s02_k40_q100": (0.36, 0.17, 1.35),
    "s05_k60_q250": (0.72, 0.77, ">30"), "p01_prism3_k40": (0.10, 0.02, 0.37), "p02_lines5_k40": (3.0, 0.06, 35.8),
}

def run(args):
    """Exit code, output, wall seconds, CPU seconds, and memory in MB of one run."""
    out = tempfile.TemporaryFile(); null = os.open(os.devnull, os.O_WRONLY); begun = time.time()
    actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    pid = os.posix_spawn(BIN, [BIN, *args], os.environ, file_actions=actions)
    _, status, used = os.wait4(pid, 0); wall = time.time() - begun
    os.close(null); out.seek(0)
    return os.waitstatus_to_exitcode(status), out.read().decode(), wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024

def best_of(times, args):
    runs = [run(args) for _ in range(times)]
    code, text = runs[0][:2]
    return code, text, min(r[2] for r in runs), min(r[3] for r in runs), max(r[4] for r in runs)

def random_board(k, q, seed):
    cells = random.Random(seed).sample(range(k * k), q + 1)
    rows = [["0"] * k for _ in range(k)]
    for i, c in enumerate(cells):
        rows[c // k][c % k] = "1" if i else "3"
    file = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False)
    file.write(f"{k} {k * k}\n" + "\n".join(map("".join, rows)) + "\n"); file.close()
    return file.name

def main():
    target = sys.argv[1] if len(sys.argv) > 1 else "/dev/stdout"
    rows, folder = [], os.path.join("known", "capture")
    for row in csv.DictReader(open(os.path.join(folder, "optima.csv"))):
        name, optimum = row["instance"], row["optimum_proved"]
        file = os.path.join(folder, name + ".txt")
        code, text, wall, cpu, memory = best_of(3, ["capture", file, "--format", "list", "--threads", "2"])
        moves = len(text.split()) - 1
        assert (code, moves) == ((1, -1) if optimum == "unreachable" else (0, int(optimum))), (name, code, moves)
        rows.append([name, row["k"], row["q"], "auto", optimum, optimum, f"{wall:.3f}", f"{cpu:.3f}", memory, *PEERS.get(name, ("", "", ""))])
    walls, cpus, proved = [], [], 0
    for seed in range(100):
        file = random_board(40, 100, seed)
        code, text, wall, cpu, memory = run(["capture", file, "--format", "list", "--threads", "2", "--time-limit", "2s"])
        os.unlink(file); walls.append(wall); cpus.append(cpu); proved += code == 0
    rows.append([f"random: {proved} of 100 proved within 2 s; median and greatest", 40, 100, "auto", "", "", f"{sorted(walls)[50]:.3f} {max(walls):.3f}", f"{sorted(cpus)[50]:.3f} {max(cpus):.3f}", memory, "", "", ""])
    for k, q in ((40, 400), (80, 600), (100, 1000), (64, 2000), (64, 2048)):
        file = random_board(k, q, 0)
        code, text, wall, cpu, memory = run(["capture", file, "--threads", "2", "--time-limit", "60s"])
        os.unlink(file); said = text.strip().splitlines()[-1].split()
        rows.append([f"random_k{k}_q{q}", k, q, "auto", said[0], said[6].rstrip(":"), f"{wall:.3f}", f"{cpu:.3f}", memory, "", "", ""])
    course = os.path.join("..", "shared", "instances", "course")
    for name in ("kun11", "final04"):
        file = os.path.join(course, name + ".txt")
        for how in ("none", "task", "data") if os.path.exists(file) else ():
            args = ["capture", file, "--format", "list", "--method", "bb-dfs", "--parallel", how, "--threads", "2"]
            code, text, wall, cpu, memory = best_of(3 if name == "kun11" else 1, args)
            assert code == 0
            moves = len(text.split()) - 1
            rows.append([name, 7, text.count("*"), "bb-dfs " + how, moves, moves, f"{wall:.3f}", f"{cpu:.3f}", memory, "", "", ""])
    with open(target, "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow("instance,k,q,method,moves,bound,wall_s,cpu_s,memory_mb,concorde_s,lkh_s,cpsat_s".split(","))
        writer.writerows(rows)

if __name__ == "__main__":
    main()
