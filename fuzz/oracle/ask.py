#!/usr/bin/env python3
"""Asks the built program random small questions in every flag, and holds its answers against `brute.py`.

    fuzz/oracle/ask.py PROGRAM [--seconds 60] [--seed 1]

Prints every command whose answer differs, and how many were asked of each kind; exits with 1 if any differed.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter

import brute

COUNT = ["auto", "auto", "auto", "middle", "frontier", "transfer", "search", "backtrack", "naive"]
LIST = ["auto", "auto", "census", "search", "backtrack", "naive"]
TOUR = ["auto", "auto", "compose", "search", "backtrack", "naive"]
SWAP = ["auto", "auto", "astar", "meet", "ranked", "naive"]
CAPTURE = ["auto", "auto", "bb-dfs", "naive"]


def name(square):
    return "abcdefghijklmnopqrstuvwxyz"[square[0]] + str(square[1] + 1)


def squares_of(line):
    return [(ord(word[0]) - 97, int(word[1:]) - 1) for word in line.split()]


class Asker:
    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(seed)
        self.asked, self.differ = Counter(), 0

    def run(self, args):
        return subprocess.run([self.program, *args, "--threads", "1"], capture_output=True, text=True, timeout=120)

    def complain(self, args, told, expected):
        self.differ += 1
        print(f"{' '.join(args)}\n  exit {told.returncode}: {(told.stdout + told.stderr).strip()[:300]!r}\n  expected {expected}", flush=True)

    def unsupported(self, told, method):
        return told.returncode == 2 and method != "auto" and "does not support this" in told.stderr

    def board(self, most, leapers=((1, 2),)):
        pick = self.random
        while True:
            files, ranks = pick.randint(1, 5), pick.randint(1, 5)
            if pick.random() < 0.25:
                files, ranks = pick.choice([(1, pick.randint(1, 9)), (pick.randint(1, 9), 1)])
            every = [(f, r) for f in range(files) for r in range(ranks)]
            holes = set(pick.sample(every, pick.randint(0, len(every) - 1))) if pick.random() < 0.7 else set()
            if holes and pick.random() < 0.6:
                # Holes that keep a symmetry.
                F, R = files - 1, ranks - 1
                turn = pick.choice([lambda f, r: (F - f, R - r), lambda f, r: (F - f, r), lambda f, r: (f, R - r)])
                holes |= {turn(*h) for h in holes}
            if 1 <= len(every) - len(holes) <= most:
                wrap = pick.choice(["none", "none", "x", "y", "both"])
                return brute.Board(files, ranks, holes, wrap, pick.choice(leapers))

    def tours(self):
        pick = self.random
        board = self.board(8, ((1, 2), (1, 2), (0, 1), (1, 1), (0, 3), (1, 3), (2, 3)))
        closed = pick.random() < 0.5
        start = pick.choice(board.squares) if pick.random() < 0.25 else None
        others = [s for s in board.squares if s != start]
        end = pick.choice(others) if others and pick.random() < 0.2 else None
        symmetry = pick.choice([None, None, *brute.KINDS])
        found = brute.tours(board, closed, start, end, symmetry)
        if found is None:
            return
        flags = [f"{board.files}x{board.ranks}"]
        if board.holes:
            flags += ["--holes", ",".join(map(name, sorted(board.holes)))]
        if board.wrap != "none":
            flags += ["--wrap", board.wrap]
        if board.leaper != (1, 2):
            flags += ["--leaper", "%d,%d" % board.leaper]
        flags += ["--from", name(start)] if start else []
        flags += ["--to", name(end)] if end else []
        flags += ["--symmetry", symmetry] if symmetry else []
        getattr(self, pick.choice(["count", "by_start", "enumerate", "tour", "sample"]))(board, closed, start, end, symmetry, found, flags)

    def count(self, board, closed, start, end, symmetry, found, flags):
        method = self.random.choice(COUNT)
        with_classes = start is None and end is None
        args = ["count", *flags, "--closed" if closed else "--open", "--json", "--method", method]
        args += ["--classes"] if with_classes else []
        told = self.run(args)
        self.asked["count"] += 1
        if self.unsupported(told, method):
            return
        expected = {"undirected": str(len(found))}
        one_way = (start and end) if closed else (start or end or len(board.squares) == 1)
        expected["directed"] = str(len(found) * (1 if one_way else 2))
        if with_classes:
            expected["classes"] = str(len(brute.classes(board, found, closed)))
            if not symmetry:
                fixed = lambda go: sum(brute.undirected([go(*s) for s in t], closed) == t for t in found)
                expected["fixed"] = {turn: str(fixed(go)) for turn, go in board.maps().items()}
        try:
            said = json.loads(told.stdout)
        except ValueError:
            said = {}
        if {key: said.get(key) for key in expected} != expected:
            self.complain(args, told, expected)

    def by_start(self, board, closed, start, end, symmetry, found, flags):
        # These are not asked together.
        if start is not None or symmetry or (closed and end is not None) or len(board.squares) == 1:
            return
        args = ["count", *flags, "--closed" if closed else "--open", "--by-start", "--json"]
        told = self.run(args)
        self.asked["by start"] += 1
        begins = lambda s: sum(s in (t[0], t[-1]) and s != end for t in found)
        expected = {name(s): str(2 * len(found) if closed else begins(s)) for s in board.squares}
        try:
            said = json.loads(told.stdout).get("directed")
        except ValueError:
            said = None
        if said != expected:
            self.complain(args, told, expected)

    def enumerate(self, board, closed, start, end, symmetry, found, flags):
        method, distinct = self.random.choice(LIST), self.random.random() < 0.4
        args = ["enumerate", *flags, *(["--closed"] if closed else []), "--method", method, *(["--distinct"] if distinct else [])]
        told = self.run(args)
        self.asked["enumerate"] += 1
        if self.unsupported(told, method):
            return
        lines = [brute.undirected(squares_of(line), closed) for line in told.stdout.splitlines() if line]
        listed = set(lines)
        if distinct:
            expected = brute.classes(board, found, closed, start, end)
            right = listed <= found and brute.classes(board, listed, closed, start, end) == expected
        else:
            expected, right = found, listed == found
        if not right or len(lines) != len(expected) or told.returncode == 2:
            self.complain(args, told, f"{len(expected)} tours")

    def tour(self, board, closed, start, end, symmetry, found, flags):
        method = self.random.choice(TOUR)
        args = ["tour", *flags, *(["--closed"] if closed else []), "--method", method, "--format", "list"]
        told = self.run(args)
        self.asked["tour"] += 1
        if self.unsupported(told, method):
            return
        if found:
            lines = told.stdout.splitlines()
            right = told.returncode == 0 and lines and brute.undirected(squares_of(lines[0]), closed) in found
        else:
            right = told.returncode == 1
        if not right:
            self.complain(args, told, "a tour" if found else "none")

    def sample(self, board, closed, start, end, symmetry, found, flags):
        if symmetry:
            return
        args = ["sample", *flags, *(["--closed"] if closed else []), "--format", "list"]
        told = self.run(args)
        self.asked["sample"] += 1
        lines = told.stdout.splitlines()
        right = brute.undirected(squares_of(lines[0]), closed) in found if lines and found else not found and not lines
        if not right or told.returncode != (0 if found else 1):
            self.complain(args, told, "a tour" if found else "none")

    def fen(self, board, codes):
        at, rows = dict(zip(board.squares, codes)), []
        for r in reversed(range(board.ranks)):
            row = "".join(at.get((f, r), "#") for f in range(board.files))
            rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
        return "/".join(rows)

    def swap(self):
        pick = self.random
        board = self.board(7)
        count = len(board.squares)
        if count < 2:
            return
        empty = min(count - 1, pick.choice([1, 1, 2, 2, 3, 4]))
        letters = pick.choice(["ABCDEFGH", "Nn" * 4, "NNnn" * 2, "AAbbCCdd", "ABcdEFgh"])[: count - empty]
        codes = list(letters) + ["."] * empty
        pick.shuffle(codes)
        goal = codes[:]
        # A few knights exchanged: most goals of crowded boards are near ones.
        for _ in range(pick.randint(1, 4)):
            i, j = pick.randrange(count), pick.randrange(count)
            goal[i], goal[j] = goal[j], goal[i]
        if pick.random() < 0.2:
            for i in range(count):
                goal[i] = "?" if pick.random() < 0.3 else goal[i]
        alternate = pick.choice([None, None, None, "white", "black"])
        cased = any(c.isupper() for c in letters) and any(c.islower() for c in letters)
        alternate = alternate if cased else None
        runs = pick.random() < 0.2
        peaceful = pick.random() < 0.15
        method, every = pick.choice(SWAP), pick.random() < 0.3
        args = ["swap", "--from", self.fen(board, codes), "--to", self.fen(board, goal), "--json"]
        args += ["--wrap", board.wrap] if board.wrap != "none" else []
        args += ["--alternate", alternate] if alternate else []
        args += ["--metric", "runs"] if runs else []
        args += ["--peaceful"] if peaceful else []
        args += ["--all"] if every else ["--method", method]
        told = self.run(args)
        self.asked["swap --all" if every else "swap"] += 1
        if self.unsupported(told, method) or (peaceful and "attack" in told.stderr and told.returncode == 2):
            return
        best = brute.fewest_swap(board, codes, goal, alternate, runs, peaceful)
        try:
            said = json.loads(told.stdout)
        except ValueError:
            said = {}
        if best is None:
            right = told.returncode == 1
        elif every:
            right = told.returncode == 0 and (said.get("cost"), said.get("count")) == (best[0], str(best[1]))
        else:
            right = told.returncode == 0 and said.get("cost") == best[0]
        if not right or "refused" in told.stderr:
            self.complain(args, told, best)

    def capture(self):
        pick = self.random
        board = self.board(12)
        if board.wrap != "none" or len(board.squares) < 2:
            return
        start = pick.choice(board.squares)
        others = [s for s in board.squares if s != start]
        targets = pick.sample(others, pick.randint(1, min(6, len(others))))
        codes = ["N" if s == start else "p" if s in targets else "." for s in board.squares]
        method = pick.choice(CAPTURE)
        args = ["capture", self.fen(board, codes), "--json", "--method", method]
        told = self.run(args)
        self.asked["capture"] += 1
        if self.unsupported(told, method):
            return
        best = brute.fewest_capture(board, start, targets)
        try:
            said = json.loads(told.stdout)
        except ValueError:
            said = {}
        right = told.returncode == 1 if best is None else told.returncode == 0 and said.get("cost") == best
        if not right:
            self.complain(args, told, best)


def main():
    read = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    read.add_argument("program")
    read.add_argument("--seconds", type=float, default=60)
    read.add_argument("--seed", type=int, default=1)
    given = read.parse_args()
    asker, end = Asker(given.program, given.seed), time.monotonic() + given.seconds
    while time.monotonic() < end:
        asker.random.choice([asker.tours, asker.tours, asker.swap, asker.capture])()
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(asker.asked.items())))
    print(f"{sum(asker.asked.values())} asked, {asker.differ} differ (seed {given.seed})")
    sys.exit(asker.differ > 0)


if __name__ == "__main__":
    main()
