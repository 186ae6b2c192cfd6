#!/usr/bin/env python3
"""Asks the built program random small questions in every flag, and holds its answers against `brute.py`.

    fuzz/oracle/ask.py PROGRAM [--seconds 60 | --questions N] [--seed 1]

With --questions it asks that many, the same for the same seed on every machine. Prints every command whose answer differs, and how
many were asked of each kind; exits with 1 if any differed, or if the program cannot be run.
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
import forge

COUNT = ["auto", "auto", "auto", "middle", "frontier", "transfer", "search", "backtrack", "naive"]
LIST = ["auto", "auto", "census", "search", "backtrack", "naive"]
TOUR = ["auto", "auto", "compose", "search", "backtrack", "naive"]
SWAP = ["auto", "auto", "astar", "meet", "ranked", "naive"]
CAPTURE = ["auto", "auto", "bb-dfs", "naive"]
LEAPERS = [(1, 2), (1, 2), (1, 2), (0, 1), (1, 1), (0, 2), (0, 3), (1, 3), (2, 3), (1, 4), (0, 5)]
TIES = ["order", "pohl", "roth", "centre", "random"]


# Of a jump by 1 and 2: 1 to 8 anticlockwise from the right.
DIGITS = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]
ORDER = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def name(square):
    return "abcdefghijklmnopqrstuvwxyz"[square[0]] + str(square[1] + 1)


def squares_of(line):
    return [(ord(word[0]) - 97, int(word[1:]) - 1) for word in line.split()]


class Asker:
    def __init__(self, program, seed):
        self.program, self.random = program, random.Random(seed)
        self.asked, self.differ = Counter(), 0

    def run(self, args, given=None):
        threads = [] if "--threads" in args else ["--threads", "1"]
        return subprocess.run([self.program, *args, *threads], capture_output=True, text=True, timeout=120, input=given)

    def read(self, told):
        """What it says as JSON; nothing if that is none."""
        try:
            return json.loads(told.stdout)
        except ValueError:
            return {}

    def verified(self, args, told):
        """Every answer in JSON is confirmed by the checker, and is that to the board that was asked for."""
        board = self.read(told).get("question", {}).get("board", {})
        plain = [(["--board", board["size"]], 0)] if list(board) == ["size"] else []
        again = self.random.choice([[], [], [(["--recheck"], 0)], [(["--recheck", "1"], 0)]])
        for more, code in ([], 0), *plain, *again, *([(["--board", "9x9"], 2)] if board else []):
            checked = self.run(["verify", *more], told.stdout)
            if checked.returncode != code or (code == 0 and not checked.stdout.startswith(("confirmed", "not rechecked"))):
                self.complain([*args, "| verify", *more], checked, f"exit {code}")
        twice = forge.twice(told.stdout, self.random)
        checked = self.run(["verify"], twice)
        self.asked["a name twice"] += 1
        if checked.returncode != 2 or checked.stdout or "occurs twice" not in checked.stderr:
            self.complain(["verify", twice], checked, "a name occurs twice")
        for _ in range(3):
            forged = forge.changed(self.read(told), self.random)
            checked = self.run(["verify"], json.dumps(forged))
            self.asked["forged"] += 1
            wrong = forge.judge(forged, checked)
            if wrong:
                self.complain(["verify", forge.shown(forged)], checked, wrong)

    def complain(self, args, told, expected):
        self.differ += 1
        print(f"{' '.join(args)}\n  exit {told.returncode}: {(told.stdout + told.stderr).strip()[:300]!r}\n  expected {expected}", flush=True)

    def unsupported(self, told, method):
        return told.returncode == 2 and method != "auto" and "does not support this" in told.stderr

    def board(self, most, leapers=((1, 2),), lines=0):
        """A board of at most so many squares, or of so many in one line."""
        pick = self.random
        while True:
            files, ranks = pick.randint(1, 5), pick.randint(1, 5)
            shape = pick.random()
            if shape < 0.25:
                files, ranks = pick.choice([(1, pick.randint(1, 9)), (pick.randint(1, 9), 1)])
            elif shape < 0.4:
                ranks = files
            every = [(f, r) for f in range(files) for r in range(ranks)]
            holes = set(pick.sample(every, pick.randint(0, len(every) - 1))) if pick.random() < 0.7 else set()
            if holes and pick.random() < 0.6:
                # Holes that keep a symmetry.
                F, R = files - 1, ranks - 1
                turns = [lambda f, r: (F - f, R - r), lambda f, r: (F - f, r), lambda f, r: (f, R - r)]
                if F == R:
                    turns += [lambda f, r: (r, f), lambda f, r: (R - r, F - f), lambda f, r: (R - r, f)]
                turn = pick.choice(turns)
                for _ in range(3):  # a quarter turn needs three
                    holes |= {turn(*h) for h in holes}
            if 1 <= len(every) - len(holes) <= (max(most, lines) if 1 in (files, ranks) else most):
                wrap = pick.choice(["none", "none", "x", "y", "both"])
                return brute.Board(files, ranks, holes, wrap, pick.choice(leapers))

    def tours(self):
        pick = self.random
        board = self.board(8, LEAPERS, lines=9)
        closed = pick.random() < 0.5
        start = pick.choice(board.squares) if pick.random() < 0.25 else None
        others = [s for s in board.squares if s != start]
        end = pick.choice(others) if others and pick.random() < 0.2 else None
        # Mostly the symmetries that the board has.
        kinds = [kind for kind in brute.KINDS if pick.random() < 0.1 or brute.asked_maps(board, kind)]
        symmetry = pick.choice(kinds) if kinds and pick.random() < 0.6 else None
        found = brute.tours(board, closed, start, end, symmetry)
        if found is None:
            return
        flags = self.flags(board, start, end, symmetry)
        verbs = [self.count, self.by_start, self.enumerate, self.tour, self.sample, self.numbered, self.greedy]
        before = self.asked.total()
        for verb in pick.sample(verbs, len(verbs)):
            verb(board, closed, start, end, symmetry, found, flags)
            if self.asked.total() > before:
                return

    def flags(self, board, start=None, end=None, symmetry=None):
        flags = [f"{board.files}x{board.ranks}"]
        counted = self.random.choice([None, None, "zero", "one"])
        write = (lambda s: "%d,%d" % (s[0] + (counted == "one"), s[1] + (counted == "one"))) if counted else name
        flags += ["--coords", counted] if counted else []
        if board.holes:
            flags += ["--holes", (" " if counted else ",").join(map(write, sorted(board.holes)))]
        if board.wrap != "none":
            flags += ["--wrap", board.wrap]
        if board.leaper != (1, 2):
            flags += ["--leaper", "%d,%d" % board.leaper]
        flags += ["--from", write(start)] if start else []
        flags += ["--to", write(end)] if end else []
        flags += ["--symmetry", symmetry] if symmetry else []
        return flags

    def count(self, board, closed, start, end, symmetry, found, flags):
        method = self.random.choice(COUNT)
        with_classes = start is None and end is None
        args = ["count", *flags, "--closed" if closed else "--open", "--json", "--method", method]
        args += ["--classes"] if with_classes else []
        again = self.random.choice([None, None, None, "frontier", "search", "naive"])
        again = again if again != method else None
        args += ["--confirm", again] if again else []
        if method in ("naive", "backtrack") and self.random.random() < 0.5:
            args += ["--schedule", self.random.choice(["parts", "static", "task"]), "--threads", "2"]
        told = self.run(args)
        self.asked["count --confirm" if again else "count"] += 1
        if again and self.unsupported(told, again):
            return
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
        elif self.random.random() < (0.5 if again else 0.2):
            self.verified(args, told)

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
        limit = self.random.choice([None, None, 0, 1, 2, 5])
        args += ["--limit", str(limit)] if limit is not None else []
        form = self.random.choice(["list", "list", "json", "moves"])
        if form == "moves" and (board.wrap != "none" or board.leaper != (1, 2)):
            form = "list"
        args += [f"--{form}"] if form != "list" else []
        told = self.run(args)
        self.asked["enumerate"] += 1
        if self.unsupported(told, method):
            return
        lines = [self.listed(line, form) for line in told.stdout.splitlines() if line]
        lines = [brute.undirected(tour, closed) for tour in lines]
        listed = set(lines)
        if limit is not None:
            every = brute.classes(board, found, closed, start, end) if distinct else found
            if len(lines) != min(limit, len(every)) or len(listed) != len(lines) or not listed <= found:
                self.complain(args, told, f"{limit} of {len(every)} tours")
            return
        if distinct:
            expected = brute.classes(board, found, closed, start, end)
            right = listed <= found and brute.classes(board, listed, closed, start, end) == expected
        else:
            expected, right = found, listed == found
        if not right or len(lines) != len(expected) or told.returncode == 2:
            self.complain(args, told, f"{len(expected)} tours")

    def listed(self, line, form):
        if form == "json":
            return squares_of(" ".join(json.loads(line)["solution"]))
        if form == "list":
            return squares_of(line)
        first, *jumps = line.split()
        tour = squares_of(first)
        for digit in "".join(jumps):
            dx, dy = DIGITS[int(digit) - 1]
            tour.append((tour[-1][0] + dx, tour[-1][1] + dy))
        return tour

    def numbered(self, board, closed, start, end, symmetry, found, flags):
        """Each tour has a number from 0, and each number a tour."""
        if symmetry:
            return
        flags = [*flags, *(["--closed"] if closed else [])]
        self.asked["unrank, rank"] += 1
        number = self.random.randint(0, len(found))
        args = ["unrank", *flags, str(number), "--format", "list"]
        told = self.run(args)
        if number == len(found):
            if told.returncode not in ((1, 2) if not found else (2,)):
                self.complain(args, told, "no such number")
            return
        if told.returncode or brute.undirected(squares_of(told.stdout), closed) not in found:
            return self.complain(args, told, "a tour")
        args = ["rank", *flags, told.stdout.strip()]
        told = self.run(args)
        if told.stdout.strip() != str(number):
            self.complain(args, told, number)
        args = ["sample", *flags, "--format", "list", "-n", "5", "--seed", str(number)]
        told = self.run(args)
        drawn = [brute.undirected(squares_of(line), closed) for line in told.stdout.splitlines() if line]
        if len(drawn) != 5 or not set(drawn) <= found:
            self.complain(args, told, "5 tours")

    def centre(self):
        """Where the centre of four paths comes."""
        pick = self.random
        side = pick.choice([3, 3, 5])
        middle = (side // 2, side // 2)
        board = brute.Board(side, side)
        turned = lambda s: (side - 1 - s[1], s[0])
        kept = {middle}
        for square in pick.sample([s for s in board.squares if s != middle], pick.choice([1, 2])):
            for _ in range(4):
                kept.add(square)
                square = turned(square)
        board = brute.Board(side, side, set(board.squares) - kept, pick.choice(["none", "none", "both"]), pick.choice(LEAPERS))
        start = pick.choice(board.squares) if pick.random() < 0.3 else None
        end = pick.choice(board.squares) if pick.random() < 0.2 else None
        end = end if end != start else None
        found = brute.tours(board, False, start, end, "four-paths")
        if found is None:
            return
        flags = self.flags(board, start, end, "four-paths")
        where = self.random.choice(["first", "between", "last"])
        args = ["tour", *flags, "--centre", where, "--format", "list"]
        told = self.run(args)
        self.asked["tour --centre"] += 1
        # Without a start, a tour may be listed from either end.
        both = [t for t in found for t in (t, t[::-1]) if (start is None or t[0] == start) and (end is None or t[-1] == end)]
        places = {"first": lambda t: t[0] == middle, "last": lambda t: t[-1] == middle, "between": lambda t: middle in t[1:-1]}
        some = [t for t in both if places[where](t) and brute.four_paths(board, list(t))]
        if told.returncode == 0:
            right = tuple(squares_of(told.stdout.splitlines()[0])) in some
        else:
            right = not some and told.returncode == 1
        if not right:
            self.complain(args, told, f"{len(some)} of {len(found)} tours")

    def walk(self):
        """A classic walk, square by square, and how often it fails."""
        pick = self.random
        files, ranks = pick.randint(3, 7), pick.randint(3, 7)
        holes = pick.sample([(f, r) for f in range(files) for r in range(ranks)], pick.choice([0, 0, 0, 1, 2]))
        board = brute.Board(files, ranks, holes, pick.choice(["none", "none", "x", "y", "both"]))
        start = pick.choice(board.squares) if pick.random() < 0.5 else None
        flags = self.flags(board, start)
        order = self.random.sample(ORDER, 8) if board.wrap == "none" and self.random.random() < 0.5 else ORDER
        if start:
            ties = self.random.choice([None, None, "order", "pohl", "roth", "centre"])
            args = ["tour", *flags, "--method", "warnsdorff", "--format", "list"]
            args += ["--ties", ties] if ties else []
            if ties in ("pohl", "roth") and self.random.random() < 0.5:
                args = ["tour", *flags, "--method", ties, "--format", "list"]
            args += ["--move-order", " ".join("%d,%d" % move for move in order)] if order != ORDER else []
            told = self.run(args)
            self.asked["tour --method warnsdorff"] += 1
            walk = brute.warnsdorff(board, start, order, ties)
            if len(walk) == len(board.squares):
                right = told.returncode == 0 and squares_of(told.stdout.splitlines()[0]) == walk
            else:
                right = told.returncode in (1, 3)
                if told.returncode == 1 and len(board.squares) < 10:
                    right = not brute.tours(board, False, start)
            if not right:
                self.complain(args, told, " ".join(map(name, walk)))
        elif board.wrap == "none":
            ties = self.random.choice([None, None, "pohl", "roth"])
            args = ["survey", *flags, "--json", *(["--method", ties] if ties else [])]
            # On a board with more squares of one colour a tour begins on that.
            light = [s for s in board.squares if sum(s) % 2]
            dark = [s for s in board.squares if not sum(s) % 2]
            starts = light if len(light) > len(dark) else dark if len(dark) > len(light) else board.squares
            if self.random.random() < 0.4:
                # Some of them, spread evenly.
                most = self.random.randint(1, len(board.squares))
                args += ["--starts", str(most)]
                most = min(most, len(starts))
                starts = [starts[i * len(starts) // most] for i in range(most)]
            told = self.run(args)
            self.asked["survey"] += 1
            failed = sum(len(brute.warnsdorff(board, s, ORDER, ties)) < len(board.squares) for s in starts)
            said = self.read(told)
            if (said.get("failed"), said.get("starts")) != (failed, len(starts)):
                self.complain(args, told, f"{failed} of {len(starts)}")

    def greedy(self, board, closed, start, end, symmetry, found, flags):
        """A classic walk: what it finds is a tour; only one that steps back from dead ends may say that there is none for having tried all."""
        if symmetry:
            return
        method, back = self.random.choice(["warnsdorff", "warnsdorff", "pohl", "roth"]), self.random.random() < 0.7
        args = ["tour", *flags, *(["--closed"] if closed else []), "--method", method, "--format", "list"]
        ties = self.random.choice(TIES) if method == "warnsdorff" else None
        args += ["--ties", ties] if ties else []
        args += ["--seed", str(self.random.randint(0, 9))] if ties == "random" else []
        args += ["--backtrack"] if back else []
        told = self.run(args)
        self.asked["tour --ties, --backtrack" if back else "tour --ties"] += 1
        if self.unsupported(told, method):
            return
        if told.returncode == 0:
            right = brute.undirected(squares_of(told.stdout.splitlines()[0]), closed) in found
        elif found:
            right = told.returncode == 3 and not back
        else:
            right = told.returncode == 1 or (told.returncode == 3 and not back)
        if not right:
            self.complain(args, told, "a tour" if found else "none")

    def series(self):
        """Counts of a width, one line for each length."""
        pick = self.random
        width, closed, leaper = pick.randint(1, 4), pick.random() < 0.5, pick.choice([(1, 2), (1, 2), (0, 1), (1, 3), (1, 1)])
        first = pick.randint(1, 4)
        last = pick.randint(first, max(first, 15 // width))
        args = ["count", "--series", f"{width}x{first}..{last}", "--closed" if closed else "--open", "--recurrence", "0"]
        args += ["--leaper", "%d,%d" % leaper] if leaper != (1, 2) else []
        form = pick.choice([[], ["--json"], ["--b-file"]])
        told = self.run([*args, *form])
        self.asked["count --series"] += 1
        counts = [len(brute.tours(brute.Board(width, n, (), "none", leaper), closed)) for n in range(first, last + 1)]
        lines = [line for line in told.stdout.splitlines() if not line.startswith("#")]
        said = [int(self.read_line(line)) for line in lines]
        if said != counts or told.returncode:
            self.complain([*args, *form], told, counts)

    def read_line(self, line):
        return json.loads(line)["undirected"] if line.startswith("{") else line.split()[-1]

    def parts(self):
        """A step or a square of a tour that is not stored is that of the tour that is."""
        pick = self.random
        board = brute.Board(pick.randint(3, 12), pick.randint(3, 12))
        flags = [f"{board.files}x{board.ranks}", *pick.choice([[], ["--closed"]])]
        flags += ["--from", name(pick.choice(board.squares))] if pick.random() < 0.4 else []
        flags += ["--to", name(pick.choice(board.squares))] if pick.random() < 0.2 else []
        whole = self.run(["tour", *flags, "--format", "list"])
        self.asked["tour --at-step, --step-of, --steps"] += 1
        tour = squares_of(whole.stdout) if whole.returncode == 0 else None
        if tour and (sorted(tour) != sorted(board.squares) or any(b not in board.near[a] for a, b in zip(tour, tour[1:]))):
            self.complain(["tour", *flags], whole, "a tour")
        step = pick.randint(1, len(board.squares))
        last = pick.randint(step, len(board.squares))
        square = pick.choice(board.squares)
        for args, wanted in (
            (["--at-step", str(step)], lambda: name(tour[step - 1])),
            (["--step-of", name(square)], lambda: str(tour.index(square) + 1)),
            (["--steps", f"{step}..{last}"], lambda: " ".join(map(name, tour[step - 1 : last]))),
        ):
            told = self.run(["tour", *flags, *args])
            if told.returncode != whole.returncode or (tour and told.stdout.strip() != wanted()):
                self.complain(["tour", *flags, *args], told, wanted() if tour else f"exit {whole.returncode}")

    def tour(self, board, closed, start, end, symmetry, found, flags):
        method = self.random.choice(TOUR)
        flags = [*flags, *(["--closed"] if closed else []), "--method", method]
        if self.random.random() < 0.2:
            told = self.run(["tour", *flags, "--json"])
            self.asked["tour | verify"] += 1
            if told.returncode < 2:
                self.verified(["tour", *flags, "--json"], told)
        args = ["tour", *flags, "--format", "list"]
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
        if pick.random() < 0.15:
            if pick.random() < 0.5:
                del args[3:5]
            return self.eccentricity(board, codes, alternate, runs, peaceful, args)
        limit = pick.choice([None, 1, 3, 100]) if every else None
        args += ["--all"] if every else ["--method", method]
        args += ["--limit", str(limit)] if limit else []
        labelled = pick.random() < 0.2
        args += ["--labelled"] if labelled else []
        told = self.run(args)
        self.asked["swap --all" if every else "swap"] += 1
        if labelled and peaceful and not cased and len(set(letters)) < len(letters):
            if told.returncode != 2 or "letters of both cases" not in told.stderr:
                self.complain(args, told, "equal knights would become opponents")
            return
        if labelled:
            codes, goal = self.all_different(board, codes, goal)
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
            plans = said.get("plans", [])
            right = right and (limit is None or len(set(plans)) == len(plans) == min(limit, best[1]))
        else:
            right = told.returncode == 0 and said.get("cost") == best[0]
        if not right or "refused" in told.stderr:
            self.complain(args, told, best)
        elif not every and pick.random() < 0.2:
            self.verified(args, told)

    def eccentricity(self, board, codes, alternate, runs, peaceful, args):
        args += ["--eccentricity"]
        told = self.run(args)
        self.asked["swap --eccentricity"] += 1
        layers = brute.layers(board, codes, alternate, runs, peaceful)
        if layers is None or (peaceful and "attack" in told.stderr and told.returncode == 2):
            return
        said = self.read(told)
        expected = {"distance": len(layers) - 1, "layers": layers, "hardest_count": layers[-1], "reachable": sum(layers)}
        if {key: said.get(key) for key in expected} != expected:
            self.complain(args, told, expected)

    def all_different(self, board, start, goal):
        """Letters that differ: the first knight of a letter, in reading order, ends where the goal has the first."""
        reading = sorted(range(len(start)), key=lambda i: (-board.squares[i][1], board.squares[i][0]))
        names, new = {}, []
        for codes in start, goal:
            seen, codes = Counter(), codes[:]
            for i in reading:
                if (letter := codes[i]).isalpha():
                    first = "A" if letter.isupper() else "a"
                    used = sum(key[0].isupper() == letter.isupper() for key in names)
                    codes[i] = names.setdefault((letter, seen[letter]), chr(ord(first) + used))
                    seen[letter] += 1
            new.append(codes)
        return new

    def rows(self):
        """Rows against rows, with holes, wraps, and knights that differ."""
        pick = self.random
        files, ranks = pick.choice([(2, 3), (3, 3), (2, 4), (3, 4), (2, 5)])
        every = [(f, r) for f in range(files) for r in range(ranks)]
        holes = set(pick.sample(every, pick.randint(1, 3))) if pick.random() < 0.5 else set()
        rows = pick.choice([1, 1, 1, 2])
        board = brute.Board(files, ranks, holes, pick.choice(["none", "none", "x", "y", "both"]))
        if 2 * rows > ranks:
            return
        at = lambda s, top, bottom: top if s[1] >= ranks - rows else bottom if s[1] < rows else "."
        start = [at(s, "n", "N") for s in board.squares]
        goal = [at(s, "N", "n") for s in board.squares]
        # Knights that differ have too many positions for brute force on larger boards.
        labelled = pick.random() < 0.4 and len(board.squares) < 9
        args = ["swap", f"{files}x{ranks}", "--json"]
        args += ["--rows", str(rows)] if rows > 1 else []
        args += ["--holes", ",".join(map(name, sorted(holes)))] if holes else []
        args += ["--wrap", board.wrap] if board.wrap != "none" else []
        args += ["--labelled"] if labelled else []
        told = self.run(args)
        self.asked["swap --rows, --holes, --labelled"] += 1
        if start.count("n") != start.count("N") or "n" not in start:
            if told.returncode != 2 or "both sides need the same number" not in told.stderr:
                self.complain(args, told, "unequal sides")
            return
        if labelled:
            start, goal = self.all_different(board, start, goal)
        best = brute.fewest_swap(board, start, goal)
        right = told.returncode == 1 if best is None else told.returncode == 0 and self.read(told).get("cost") == best[0]
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
        args = ["capture", self.fen(board, codes)]
        if not board.holes and pick.random() < 0.5:
            counted = pick.choice([None, "zero", "one"])
            write = (lambda s: "%d,%d" % (s[0] + (counted == "one"), s[1] + (counted == "one"))) if counted else name
            size = str(board.files) if board.files == board.ranks and pick.random() < 0.5 else f"{board.files}x{board.ranks}"
            args = ["capture", size, "--knight", write(start), "--pieces", (" " if counted else ",").join(map(write, targets))]
            args += ["--coords", counted] if counted else []
            args += ["--upper-bound", str(pick.randint(0, 30))] if pick.random() < 0.3 else []
        args += ["--json", "--method", method]
        if method == "bb-dfs":
            args += pick.choice([[], ["--distance", "manhattan"], ["--distance", "knight"]])
            args += pick.choice([[], ["--parallel", "task", "--threads", "2"], ["--parallel", "data", "--threads", "2"]])
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
        elif pick.random() < 0.2:
            self.verified(args, told)


def main():
    read = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    read.add_argument("program")
    most = read.add_mutually_exclusive_group()
    most.add_argument("--seconds", type=float)
    most.add_argument("--questions", type=int)
    read.add_argument("--seed", type=int, default=1)
    given = read.parse_args()
    seconds = 60 if given.seconds is None and given.questions is None else given.seconds
    asker, begun = Asker(given.program, given.seed), time.monotonic()
    while asker.asked.total() < given.questions if seconds is None else time.monotonic() < begun + seconds:
        kinds = [asker.tours] * 8 + [asker.swap] * 4 + [asker.capture] * 3 + [asker.rows, asker.parts, asker.series, asker.walk, asker.centre]
        asker.random.choice(kinds)()
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(asker.asked.items())))
    print(f"{asker.asked.total()} asked, {asker.differ} differ (seed {given.seed})")
    sys.exit(asker.differ > 0)


if __name__ == "__main__":
    main()
