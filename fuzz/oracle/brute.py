"""Brute force for small boards, from the rules of the game alone: nothing here knows the crates.

A square is (file, rank), both from 0. Everything is tried; nothing is clever.
"""

from collections import deque


class Board:
    def __init__(self, files, ranks, holes=(), wrap="none", leaper=(1, 2)):
        self.files, self.ranks, self.wrap, self.leaper = files, ranks, wrap, leaper
        self.holes = set(holes)
        self.squares = [(f, r) for r in range(ranks) for f in range(files) if (f, r) not in self.holes]
        self.near = {s: self._jumps(s) for s in self.squares}

    def jump(self, square, dx, dy):
        """Where a jump leads, on the board or not."""
        f, r = square[0] + dx, square[1] + dy
        return f % self.files if self.wrap in ("x", "both") else f, r % self.ranks if self.wrap in ("y", "both") else r

    def _jumps(self, square):
        a, b = self.leaper
        found = set()
        for x, y in ((a, b), (b, a)):
            for dx in (x, -x):
                for dy in (y, -y):
                    f, r = self.jump(square, dx, dy)
                    if (f, r) != square and 0 <= f < self.files and 0 <= r < self.ranks and (f, r) not in self.holes:
                        found.add((f, r))
        return sorted(found)

    def maps(self):
        """The turns and mirrors that map the board to itself, joined edges included, by name."""
        F, R = self.files - 1, self.ranks - 1
        upright = {
            "identity": lambda f, r: (f, r),
            "half turn": lambda f, r: (F - f, R - r),
            "left-right mirror": lambda f, r: (F - f, r),
            "top-bottom mirror": lambda f, r: (f, R - r),
        }
        aslant = {
            "quarter turn": lambda f, r: (R - r, f),
            "three-quarter turn": lambda f, r: (r, F - f),
            "diagonal mirror": lambda f, r: (r, f),
            "antidiagonal mirror": lambda f, r: (R - r, F - f),
        }
        every = dict(upright)
        if F == R and self.wrap in ("none", "both"):
            every.update(aslant)
        return {name: go for name, go in every.items() if all(go(*s) not in self.holes for s in self.squares)}


def undirected(tour, closed):
    ways = []
    for way in (tuple(tour), tuple(reversed(tour))):
        if closed:
            at = way.index(min(way))
            way = way[at:] + way[:at]
        ways.append(way)
    return min(ways)


def four_paths(board, tour):
    """Four turned copies of one path, one after the other; the centre of an odd board at a joint or an end. Behind a centre
    at a joint, all copies may be run backwards."""
    side = board.files
    middle = (side // 2, side // 2) if side % 2 else None
    path = [s for s in tour if s != middle]
    length = len(path) // 4
    if length == 0:
        return True
    if middle in tour and tour.index(middle) % length:
        return False
    joint = tour.index(middle) // length if middle in tour else 0

    def turned(copy, piece):
        for _ in range(4):
            if copy == piece:
                return True
            copy = [(side - 1 - r, f) for f, r in copy]
        return False

    pieces = [path[at : at + length] for at in range(0, len(path), length)]
    forwards = all(turned(path[:length], piece) for piece in pieces)
    if joint not in (1, 2, 3):
        return forwards
    before = all(turned(path[:length], piece) for piece in pieces[:joint])
    return forwards or before and all(turned(path[:length][::-1], piece) for piece in pieces[joint:])


KINDS = {
    "half-turn": ["half turn"],
    "quarter-turn": ["quarter turn"],
    "mirror": ["left-right mirror", "top-bottom mirror"],
    "diagonal-mirror": ["diagonal mirror", "antidiagonal mirror"],
    "four-paths": ["quarter turn"],
}


def asked_maps(board, symmetry):
    """The maps that a kind of symmetry means on this board: those that move a square."""
    maps = board.maps()
    found = [maps[name] for name in KINDS[symmetry] if name in maps]
    return [go for go in found if len(board.squares) < 2 or any(go(*s) != s for s in board.squares)]


def tours(board, closed, start=None, end=None, symmetry=None):
    """All tours, undirected; nothing for a question that makes no sense."""
    found, count = set(), len(board.squares)
    turns = asked_maps(board, symmetry) if symmetry else []
    if symmetry and not turns:
        return None

    def accept(tour):
        if end is not None and tour[-1] != end:
            return
        if closed and (count < 3 or tour[0] not in board.near[tour[-1]]):
            return
        if symmetry == "four-paths":
            if not four_paths(board, tour):
                return
        elif symmetry:
            own = undirected(tour, closed)
            if all(undirected([go(*s) for s in tour], closed) != own for go in turns):
                return
        found.add(undirected(tour, closed))

    def extend(tour, seen):
        if len(tour) == count:
            accept(tour)
            return
        for near in board.near[tour[-1]]:
            if near not in seen:
                seen.add(near)
                tour.append(near)
                extend(tour, seen)
                tour.pop()
                seen.remove(near)

    for first in board.squares if start is None else [start]:
        extend([first], {first})
    return found


def classes(board, found, closed, start=None, end=None):
    turns = [go for go in board.maps().values() if all(e is None or go(*e) == e for e in (start, end))]
    return {min(undirected([go(*s) for s in t], closed) for go in turns) for t in found}


def fewest_swap(board, start, goal, alternate=None, runs=False, peaceful=False):
    """The fewest moves and the number of shortest plans, or nothing. `goal` has `?` where anything may stand."""
    squares = board.squares
    letters = [c for c in start if c != "."]
    cased = any(c.isupper() for c in letters) and any(c.islower() for c in letters)
    foes = lambda a, b: (a.isupper() != b.isupper()) if cased else a != b
    index = {s: i for i, s in enumerate(squares)}
    near = [[index[t] for t in board.near[s]] for s in squares]

    def calm(codes):
        return not peaceful or not any(
            codes[i] != "." and codes[j] != "." and foes(codes[i], codes[j]) for i in range(len(codes)) for j in near[i]
        )

    done = lambda codes: all(g == "?" or g == c for c, g in zip(codes, goal))
    first = (tuple(start), alternate)
    cost, ways = {first: 0}, {first: 1}
    queue = deque([first])
    best = None
    while queue:
        here = queue.popleft()
        codes, turn = here
        if best is not None and cost[here] > best[0]:
            break
        if done(codes):
            best = (cost[here], (best[1] if best else 0) + ways[here])
            continue
        for i, letter in enumerate(codes):
            if letter == "." or (turn and (turn == "white") != letter.isupper()):
                continue
            reached, waiting = [], [i]
            for at in waiting:
                for to in near[at]:
                    if codes[to] != "." or to in reached:
                        continue
                    after = list(codes)
                    after[i], after[to] = ".", letter
                    if calm(after):
                        reached.append(to)
                        if runs:
                            waiting.append(to)
            for to in reached:
                after = list(codes)
                after[i], after[to] = ".", letter
                there = (tuple(after), {"white": "black", "black": "white"}.get(turn))
                if there not in cost:
                    cost[there], ways[there] = cost[here] + 1, 0
                    queue.append(there)
                if cost[there] == cost[here] + 1:
                    ways[there] += ways[here]
    return best


def cost_of_swap(board, start, goal, moves, alternate=None, runs=False, peaceful=False):
    """What a plan costs in moves or runs; nothing if it breaks a rule or misses the goal."""
    codes = dict(zip(board.squares, start))
    letters = [c for c in start if c != "."]
    cased = any(c.isupper() for c in letters) and any(c.islower() for c in letters)
    foes = lambda a, b: "." not in (a, b) and ((a.isupper() != b.isupper()) if cased else a != b)
    calm = lambda: not peaceful or not any(foes(codes[s], codes[t]) for s in board.squares for t in board.near[s])
    cost, turn, began, last = 0, alternate, None, None
    # In turns, a run must end elsewhere than it began.
    idle = lambda: alternate and runs and last is not None and began == last
    if not calm():
        return None
    for here, there in moves:
        if codes.get(here, ".") == "." or there not in board.near[here] or codes[there] != ".":
            return None
        if not runs or last != here:
            if idle() or (turn and (turn == "white") != codes[here].isupper()):
                return None
            cost, began, turn = cost + 1, here, {"white": "black", "black": "white"}.get(turn)
        codes[there], codes[here], last = codes[here], ".", there
        if not calm():
            return None
    fits = all(wanted in ("?", codes[s]) for s, wanted in zip(board.squares, goal))
    return cost if fits and not idle() else None


def layers(board, start, alternate=None, runs=False, peaceful=False, most=4000):
    """How many placements are first reached after so many moves; nothing if there are too many."""
    squares = board.squares
    cased = any(c[0].isupper() for c in start) and any(c[0].islower() for c in start)
    foes = lambda a, b: (a.isupper() != b.isupper()) if cased else a != b
    index = {s: i for i, s in enumerate(squares)}
    near = [[index[t] for t in board.near[s]] for s in squares]
    layer, seen, placed, found = {(tuple(start), alternate)}, set(), set(), []
    while layer:
        seen |= layer
        new = {codes for codes, _ in layer} - placed
        placed |= new
        found.append(len(new))
        if len(seen) > most:
            return None
        after = set()
        for codes, turn in layer:
            for i, letter in enumerate(codes):
                if letter == "." or (turn and (turn == "white") != letter.isupper()):
                    continue
                reached, waiting = [], [i]
                for at in waiting:
                    for to in near[at]:
                        if codes[to] != "." or to in reached:
                            continue
                        if peaceful and any(codes[n] != "." and n != i and foes(letter, codes[n]) for n in near[to]):
                            continue
                        reached.append(to)
                        if runs:
                            waiting.append(to)
                for to in reached:
                    there = list(codes)
                    there[i], there[to] = ".", letter
                    after.add((tuple(there), {"white": "black", "black": "white"}.get(turn)))
        layer = after - seen
    while not found[-1]:
        found.pop()
    return found


def warnsdorff(board, start, order, ties=None):
    """The walk by fewest exits from a square, ties as asked and then by the order of moves; as far as it goes."""
    walk, seen = [start], {start}
    exits = lambda s: [n for n in board.near[s] if n not in seen]
    off = lambda s: (2 * s[0] - board.files + 1) ** 2 + (2 * s[1] - board.ranks + 1) ** 2
    rule = {"pohl": lambda s: sum(len(exits(n)) for n in exits(s)), "roth": lambda s: -off(s), "centre": off}.get(ties, lambda s: 0)
    while True:
        ways = []
        for dx, dy in order:
            to = board.jump(walk[-1], dx, dy)
            if to in board.near[walk[-1]] and to not in seen and to not in ways:
                ways.append(to)
        if not ways:
            return walk
        walk.append(min(ways, key=lambda s: (len(exits(s)), rule(s))))
        seen.add(walk[-1])


def fewest_capture(board, start, targets):
    first = (start, frozenset(targets))
    seen, queue = {first}, deque([(first, 0)])
    while queue:
        (at, left), moves = queue.popleft()
        if not left:
            return moves
        for to in board.near[at]:
            there = (to, left - {to})
            if there not in seen:
                seen.add(there)
                queue.append((there, moves + 1))
    return None
