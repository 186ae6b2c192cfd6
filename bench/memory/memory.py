#!/usr/bin/env python3
"""Runs verbs and methods under `--memory`, and measures the most memory that each process held.

    python3 bench/memory/memory.py PROGRAM > bench/memory/DATE.csv

A run is within its limit if its peak is at most three hundredths above it; one that cannot keep to it must refuse (exit code 2), or stop
(exit code 3). Each run has 20 seconds, so those that stop by time say only what they held until then. Needs /usr/bin/time.
"""
import random, subprocess, sys

RUNS = [
    ("count 8x8 --closed", [64, 128, 200]), ("count 7x8 --open", [100, 200]), ("count 6x7 --open --method frontier", [32, 64, 128]),
    ("count 5x9 --open --method transfer", [32, 64, 200]), ("count --series 5x1..30", [32, 64]), ("count 6x6 --classes", [32, 64]),
    ("count 6x6 --by-start", [32, 64]), ("sample 6x6 -n 2", [16, 32, 64, 200]), ("sample 7x7", [64, 200, 500]), ("sample 8x8 --closed", [200, 500]),
    ("unrank 6x7 0", [32, 64, 128]), ("enumerate 6x6 --closed --method census --limit 5", [16, 64]), ("enumerate 6x6 --limit 100", [16, 32]),
    ("enumerate 5x6 --distinct", [16, 32]), ("swap --rows 2 4x6", [64, 200]), ("swap --rows 2 3x6 --method astar", [32, 64, 100]),
    ("swap --rows 2 4x6 --method astar", [64, 100, 200]), ("swap --rows 2 4x6 --method meet", [64, 200]), ("swap --rows 2 3x7 --method ranked", [64, 200]),
    ("swap --rows 2 3x6 --method naive", [64, 100, 200]), ("swap --rows 2 5x6 --method best-first", [64]), ("swap --rows 2 3x6 --method hill-climbing", [32]),
    ("swap --rows 2 4x5 --all", [32, 64]), ("swap --rows 2 4x5 --eccentricity", [32, 64]), ("swap --rows 2 3x6 --labelled", [32, 64]),
    ("tour 4000x4000 --closed --format list", [32, 100]), ("tour 2000x2000 --json", [32, 100, 200]), ("tour 1500x1500 --format png -o x.png", [32, 100]),
    ("tour 1500x1500 --method warnsdorff --format list", [32, 64, 400]), ("tour 1000x1000 --method search --format list", [32, 100, 300]),
    ("tour 300x300 --method race --format list", [16, 64]), ("tour 200x200 --method naive --format list", [16, 64]),
    ("survey 60x60", [16, 100]), ("survey 400x400 --starts 20", [16, 32, 100]),
    ("capture {60x400}", [32, 100]), ("capture {300x300}", [32, 100]), ("capture {12x20} --method bb-dfs", [16, 100]),
    ("capture {6x10} --method naive", [32, 100]), ("capture {2895x2}", [64, 200]),
]


def puzzle(side, pieces):
    """So many pieces and a knight at random on a square board, the same each time."""
    generator, taken = random.Random(side * pieces), {}
    while len(taken) <= pieces:
        taken.setdefault((generator.randrange(side), generator.randrange(side)), "p" if taken else "N")
    ranks = []
    for rank in range(side):
        text, empty = "", 0
        for file in sorted(file for file, of in taken if of == rank):
            gap = file - empty
            text, empty = text + (str(gap) if gap else "") + taken[file, rank], file + 1
        ranks.append(text + (str(side - empty) if side > empty else ""))
    return "/".join(ranks)


def main():
    program, over = sys.argv[1], 0
    print("command,limit_mib,peak_mib,exit_code,within")
    for command, limits in RUNS:
        words = [puzzle(*map(int, word[1:-1].split("x"))) if word.startswith("{") else word for word in command.split()]
        for limit in limits:
            timed = ["/usr/bin/time", "-f", "%M", program, *words, "--memory", f"{limit}M", "--time-limit", "20s", "--threads", "2"]
            run = subprocess.run(timed, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
            peak = int(run.stderr.splitlines()[-1]) / 1024
            within = peak <= limit * 1.03
            over += not within
            print(f"{command},{limit},{peak:.0f},{run.returncode},{'yes' if within else 'no'}", flush=True)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
