"""Certificates with a part changed, and what is true of them by brute force: `verify` must confirm nothing that is false.

Every field of every kind is changed: numbers, squares, moves, words, lists, names, whole objects; or a claim is made that nothing supports.
"""

import copy
import json
import re

import brute

SYMMETRIES = list(brute.KINDS)
WORDS = {
    "kind": "valid fewest at-least search bound-met refutation potentials exhausted theorem colours end-colours dead-ends cut unreachable "
    "schwenk tour capture swap count".split(),
    "answer": ["solved", "impossible"],
    "shape": ["open", "closed"],
    "symmetry": SYMMETRIES,
    "wrap": ["none", "files", "ranks", "both"],
    "metric": ["moves", "runs"],
    "alternate": ["white", "black"],
    "leaper": ["0,1", "1,1", "1,2", "1,3", "3,3"],
    "name": ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel", "open squares", "corner rule", "four rows",
             "closing jump", "forced jumps", "the half-turn rule", "the connection of leapers"],
}
FORGED = ["x", "\nconfirmed: all of it", "\x1b[1m", "\u202e", " "]
# More squares or knights than this take brute force too long.
MOST_TOURED, MOST_SWAPPED = 9, 8


def changed(certificate, random):
    """The certificate with one or two parts changed."""
    certificate = copy.deepcopy(certificate)
    for _ in range(random.choice([1, 1, 1, 2])):
        change(certificate, random)
    if random.random() < 0.1 and certificate.get("answer") == "solved":
        certificate["claim"] = {"kind": "at-least", "lower_bound": random.randint(0, 20)}
    elif random.random() < 0.1 and isinstance(certificate.get("cost"), int):
        proof = {"kind": "search", "by": "nobody", "nodes": 1}
        certificate["claim"] = {"kind": "fewest", "lower_bound": certificate["cost"], "proof": proof}
    return certificate


def change(thing, random):
    places = []

    def collect(thing):
        for key in thing if isinstance(thing, dict) else range(len(thing)):
            places.append((thing, key))
            if isinstance(thing[key], (dict, list)):
                collect(thing[key])

    collect(thing)
    if not places:
        return
    parent, key = random.choice(places)
    value = parent[key]
    square = lambda: random.choice("abcde") + str(random.randint(1, 5))
    if random.random() < 0.1:
        del parent[key]
    elif isinstance(value, bool):
        parent[key] = not value
    elif isinstance(value, int):
        parent[key] = random.choice([value + 1, value - 1, 0, -value, 2 * value, 2**31, 2**63, 2**64 - 1])
    elif isinstance(value, list):
        swapped = value[:]
        if value:
            i, j = random.randrange(len(value)), random.randrange(len(value))
            swapped[i], swapped[j] = swapped[j], swapped[i]
        parent[key] = random.choice([value[:-1], value[1:], value + value[-1:], value[::-1], swapped, []])
    elif isinstance(value, dict):
        parent[key] = random.choice([{}, [], None])
    elif value is None:
        parent[key] = {}
    elif re.fullmatch(r"\d+", value):
        parent[key] = str(random.choice([int(value) + 1, max(0, int(value) - 1), 2 * int(value), 0]))
    elif re.fullmatch(r"[a-z]+\d+", value):
        parent[key] = square()
    elif re.fullmatch(r"[a-z]+\d+-[a-z]+\d+", value):
        parent[key] = f"{square()}-{square()}"
    elif re.fullmatch(r"\d+x\d+", value):
        parent[key] = f"{random.randint(1, 4)}x{random.randint(1, 4)}"
    elif key in ("start", "goal"):
        at = random.randrange(len(value))
        parent[key] = value[:at] + random.choice("Nn1#?Aa/2") + value[at + 1 :]
    elif key in WORDS and random.random() < 0.8:
        parent[key] = random.choice(WORDS[key])
    else:
        parent[key] = value + random.choice(FORGED)


def twice(text, random):
    """The text of a certificate in which an object has a name twice."""
    name = random.choice(list(re.finditer(r'"\w+":', text)))
    return text[: name.start()] + name[0] + random.choice(["1", '"a1"', "[]", "{}", "null"]) + "," + text[name.start() :]


def squares(words):
    return [(ord(word[0]) - 97, int(word[1:]) - 1) for word in words]


def board_of(question, leaper=(1, 2)):
    files, ranks = map(int, question["size"].split("x"))
    wrap = {"none": "none", "files": "x", "ranks": "y", "both": "both"}[question.get("wrap", "none")]
    return brute.Board(files, ranks, squares(question.get("holes", [])), wrap, leaper)


def drawn(fen):
    rows = [[c for word in re.findall(r"\d+|.", row) for c in ("." * int(word) if word.isdigit() else word)] for row in fen.split("/")]
    return {(f, len(rows) - 1 - r): letter for r, row in enumerate(rows) for f, letter in enumerate(row)}, len(rows[0]), len(rows)


def truth(certificate):
    """What is true of the question, and of the solution: `none`, `least`, `cost` (nothing if it is no solution), `undirected`, `classes`,
    `fixed`. Nothing where brute force would take too long."""
    question = certificate["question"]
    if certificate["kind"] == "swap":
        return truth_of_swap(certificate, question)
    if certificate["kind"] == "capture":
        board = board_of(question["board"])
        start, targets = squares([question["start"]])[0], set(squares(question["targets"]))
        if len(board.squares) > 20 or len(targets) > 8:
            return None
        least = brute.fewest_capture(board, start, targets)
        found = {"none": least is None, "least": least}
        if certificate["answer"] == "solved":
            walk = squares(certificate["solution"])
            valid = walk[:1] == [start] and targets <= set(walk) and all(b in board.near[a] for a, b in zip(walk, walk[1:]))
            found["cost"] = len(walk) - 1 if valid else None
        return found
    board = board_of(question["board"], tuple(map(int, question.get("leaper", "1,2").split(","))))
    if len(board.squares) > MOST_TOURED:
        return None
    closed = question.get("shape") == "closed"
    start, end = (squares([question[key]])[0] if key in question else None for key in ("start", "end"))
    tours = brute.tours(board, closed, start, end, question.get("symmetry"))
    jumps = len(board.squares) - (not closed)
    found = {"none": not tours, "least": jumps, "undirected": len(tours)}
    if certificate["kind"] == "count":
        found["classes"] = len(brute.classes(board, tours, closed)) if start is None and end is None else None
        fixed = lambda go: sum(brute.undirected([go(*s) for s in t], closed) == t for t in tours)
        found["fixed"] = {turn: str(fixed(go)) for turn, go in board.maps().items()}
    elif certificate["answer"] == "solved":
        tour = squares(certificate["solution"])
        ends = (start in (None, tour[0])) and (end in (None, tour[-1]))
        found["cost"] = jumps if ends and brute.undirected(tour, closed) in tours else None
    return found


def truth_of_swap(certificate, question):
    (start, files, ranks), (goal, *sides) = drawn(question["start"]), drawn(question["goal"])
    if len(start) > 16 or sides != [files, ranks] or len(start) != files * ranks:
        return None
    holes = [s for s, letter in start.items() if letter == "#"]
    if holes != [s for s, letter in goal.items() if letter == "#"]:
        return None
    wrap = {"none": "none", "files": "x", "ranks": "y", "both": "both"}[question.get("wrap", "none")]
    board = brute.Board(files, ranks, holes, wrap)
    if len(board.squares) > MOST_SWAPPED:
        return None
    runs, peaceful, alternate = question.get("metric") == "runs", question.get("peaceful", False), question.get("alternate")
    codes, wanted = ([which[s] for s in board.squares] for which in (start, goal))
    best = brute.fewest_swap(board, codes, wanted, alternate, runs, peaceful)
    found = {"none": best is None, "least": best and best[0]}
    if certificate["answer"] == "solved":
        moves = [tuple(squares(move.split("-"))) for move in certificate["solution"]]
        found["cost"] = brute.cost_of_swap(board, codes, wanted, moves, alternate, runs, peaceful)
    return found


def is_true(certificate, line, known):
    """Is it true what a line of `verify` confirms?"""
    if certificate["kind"] == "count":
        if "classes" in line:
            # Without numbers, `fixed` claims nothing.
            return known["classes"] == int(certificate["classes"]) and (certificate.get("fixed") or known["fixed"]) == known["fixed"]
        return known["undirected"] == int(certificate["undirected"])
    if certificate["answer"] == "impossible":
        return known["none"]
    bound = re.search(r"costs less than (\d+)", line)
    if bound:
        return known["least"] is not None and known["least"] >= int(bound[1])
    return known["cost"] is not None and certificate.get("cost", known["cost"]) == known["cost"]


def judge(certificate, checked):
    """What is wrong with what `verify` said of a changed certificate; nothing if nothing is."""
    lines = checked.stdout.splitlines()
    if checked.returncode not in (0, 2, 3) or "panicked" in checked.stderr or "please report" in checked.stderr:
        return "exit 0, 2 or 3"
    if not all(line.startswith(("confirmed: ", "not rechecked: ")) for line in lines) or len(checked.stderr.splitlines()) > 1:
        return "one line for each claim or fault"
    if any(letter in checked.stdout + checked.stderr for letter in "\x1b\u202e"):
        return "foreign text escaped"
    confirmed = [line for line in lines if line.startswith("confirmed: ")]
    known = truth(certificate) if confirmed else None
    if known is None:
        return None
    if certificate["kind"] == "count" and "classes" in certificate and not any("classes" in line for line in lines):
        return "a line for the classes"
    return next((f"not `{line}`: {known}" for line in confirmed if not is_true(certificate, line, known)), None)


def shown(certificate):
    return json.dumps(certificate, ensure_ascii=False)[:1500]
