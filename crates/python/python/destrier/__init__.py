"""Exact and fast answers to knight problems on a chessboard: tours, counts, captures, swaps.

>>> import destrier
>>> destrier.tour(8, 8, closed=True, start="a1")
<Tour: closed tour of 8x8 from a1 to c2, 64 squares>
>>> destrier.count(6, 6, closed=True)
9862
>>> destrier.capture("4p/5/2p2/5/N3p").cost
8
>>> destrier.swap("n1n/3/N1N", "N1N/3/n1n").cost
16

Every answer has been checked by code that knows no solver. A question that cannot be asked raises `QuestionError`, one
without an answer `Impossible` with the reason, and one that met a limit `Undecided` with the best so far.

Boards are two numbers (files, ranks), a text like "8x6", or a drawing of "." and "#". Squares are names like "c3", or
pairs of file and rank from 0. All functions that search take these limits as keywords:

| keyword | |
|---|---|
| `time_limit` | seconds, or text like "500ms", "5m" |
| `node_limit` | nodes of the search |
| `threads` | how many; all cores if nothing is said |
| `memory` | bytes, or text like "4G" |
| `seed` | of randomised methods |
| `method` | one of `destrier.methods()`; the best one if nothing is said |
| `progress` | a function that hears how it goes, or True for a bar of tqdm |

Searches run without the GIL, and Ctrl-C stops them.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

from . import _native
from ._command import command
from ._errors import DestrierError, Impossible, QuestionError, Undecided
from ._native import __version__
from ._plans import Capture, Plan, Swap
from ._question import Asked, Board, Square, board as _board, square as _square, tour_question as _tour_question
from ._tour import Census, Tour

if TYPE_CHECKING:
    import networkx

__all__ = [
    "Capture",
    "Census",
    "Classes",
    "DestrierError",
    "Impossible",
    "Plan",
    "QuestionError",
    "Swap",
    "Tour",
    "Undecided",
    "__version__",
    "capture",
    "census",
    "classes",
    "command",
    "compare",
    "coordinates",
    "count",
    "count_by_start",
    "enumerate",
    "methods",
    "presets",
    "rank",
    "sample",
    "series",
    "swap",
    "to_networkx",
    "tour",
    "unrank",
    "verify",
]

Holes = Union[str, Iterable[Square], None]


def _job(fields: Mapping[str, Any], limits: Mapping[str, Any]) -> Dict[str, Any]:
    """The answer to a question of any kind, as the HTTP API has it; no solution raises `Impossible`."""
    asked = Asked(fields, limits)
    job: Dict[str, Any] = json.loads(_native.solve(asked.json, asked.memory, asked.listener))
    if job["outcome"] == "impossible":
        raise Impossible(job["says"], job.get("certificate"))
    return job


def tour(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    start: Optional[Square] = None,
    end: Optional[Square] = None,
    holes: Holes = None,
    symmetry: Optional[str] = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    **limits: Any,
) -> Tour:
    """A knight's tour, open or closed, at any size.

    >>> tour(5, 5, start="c3", end="a1").at(25)
    'a1'
    >>> tour("8x8", closed=True, symmetry="half-turn").closed
    True
    >>> tour(4, 5, holes=["a1"], wrap="both").step_of("a2") > 0
    True
    >>> tour(2, 2)
    Traceback (most recent call last):
    destrier._errors.Impossible: no open tour of 2x2: a1 has too few jumps to be passed through
    """
    asked = Asked(_tour_question(board, height, closed, start, end, holes, symmetry, wrap, leaper), limits)
    return Tour(_native.tour(asked.json, asked.memory, asked.listener))


def count(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    directed: bool = False,
    start: Optional[Square] = None,
    end: Optional[Square] = None,
    holes: Holes = None,
    symmetry: Optional[str] = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    **limits: Any,
) -> int:
    """How many tours there are: undirected, or directed. Open tours include those that could be closed.

    >>> count(6, 6, closed=True), count(6, 6, closed=True, directed=True)
    (9862, 19724)
    >>> count(5, 5, closed=True)
    0
    """
    answer = _counted(board, height, closed, start, end, holes, symmetry, wrap, leaper, limits)
    return int(answer["directed" if directed else "undirected"])


def _counted(
    board: Board,
    height: Optional[int],
    closed: bool,
    start: Optional[Square],
    end: Optional[Square],
    holes: Holes,
    symmetry: Optional[str],
    wrap: Optional[str],
    leaper: Optional[str],
    limits: Mapping[str, Any],
) -> Dict[str, Any]:
    question = _tour_question(board, height, closed, start, end, holes, symmetry, wrap, leaper)
    question.update(kind="count", shape="closed" if closed else "open")
    job = _job(question, limits)
    counts = job["answer"]["counts"]
    if job["outcome"] == "undecided":
        raise Undecided(job["says"], int(counts[0]["undirected"]) if counts else None)
    counted: Dict[str, Any] = counts[0]
    return counted


class Classes(Dict[str, int]):
    """The tours that each symmetry of the board leaves as they are, and the number of classes."""

    def __init__(self, total: int, fixed: Mapping[str, int]) -> None:
        super().__init__(fixed)
        #: The number of classes.
        self.total = total

    def __repr__(self) -> str:
        return f"<{self.total} classes; fixed by {super().__repr__()}>"


def classes(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    holes: Holes = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    **limits: Any,
) -> Classes:
    """The tours up to turns and mirrors of the board.

    >>> classes(6, 6, closed=True).total
    1245
    """
    asked = {"classes": True, **limits}
    answer = _counted(board, height, closed, None, None, holes, None, wrap, leaper, asked)
    fixed = {name: int(number) for name, number in answer.get("fixed", {}).items()}
    return Classes(int(answer["classes"]), fixed)


def count_by_start(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    holes: Holes = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    **limits: Any,
) -> Dict[str, int]:
    """How many directed tours begin on each square.

    >>> count_by_start(5, 5)["a1"]
    304
    """
    question = _tour_question(board, height, closed, None, None, holes, None, wrap, leaper)
    question.update(kind="count", shape="closed" if closed else "open", by_start=True)
    job = _job(question, limits)
    if job["outcome"] == "undecided":
        raise Undecided(job["says"])
    return {square: int(number) for square, number in job["answer"]["directed"].items()}


def series(
    width: int,
    last: int,
    *,
    first: int = 1,
    closed: bool = False,
    leaper: Optional[str] = None,
    **limits: Any,
) -> List[int]:
    """The numbers of undirected tours on boards of one width, one for each length.

    >>> series(3, 12, first=8, closed=True)
    [0, 0, 16, 0, 176]
    """
    question = {"kind": "count", "series": f"{width}x{first}..{last}", "closed": closed, "leaper": leaper, "recurrence": 0}
    if not closed:
        question["shape"] = "open"
    job = _job(question, limits)
    terms = [int(term["undirected"]) for term in job["answer"]["terms"]]
    if job["outcome"] == "undecided":
        raise Undecided(job["says"], terms)
    return terms


def enumerate(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    start: Optional[Square] = None,
    end: Optional[Square] = None,
    holes: Holes = None,
    symmetry: Optional[str] = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    limit: Optional[int] = None,
    distinct: bool = False,
    method: Optional[str] = None,
    **limits: Any,
) -> Iterator[Tour]:
    """All tours, one after the other, found while they are asked for; with `distinct`, one of each class.

    >>> sum(1 for _ in enumerate(3, 4))
    8
    >>> sum(1 for _ in enumerate(6, 6, closed=True, distinct=True))
    1245
    """
    asked = Asked(_tour_question(board, height, closed, start, end, holes, symmetry, wrap, leaper), limits)
    listed = _native.Listed(asked.json, limit, distinct, method, asked.memory)
    return map(Tour, listed)


def census(
    board: Board,
    height: Optional[int] = None,
    *,
    closed: bool = False,
    start: Optional[Square] = None,
    end: Optional[Square] = None,
    holes: Holes = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
    **limits: Any,
) -> Census:
    """All tours by number, to look some up, or to draw some at random.

    >>> census(3, 4)
    <Census: 8 open tours of 3x4>
    """
    asked = Asked(_tour_question(board, height, closed, start, end, holes, None, wrap, leaper), limits)
    return Census(_native.Census(asked.json, asked.memory, asked.listener))


def sample(board: Board, height: Optional[int] = None, *, n: int = 1, seed: int = 0, **question: Any) -> List[Tour]:
    """Tours drawn at random, all equally likely; the same for the same seed. Keywords are those of :func:`census`.

    >>> len(sample(6, 6, n=10, closed=True, seed=7))
    10
    """
    return census(board, height, **question).sample(n, seed=seed)


def rank(tour: Tour, *, memory: Union[int, str, None] = None) -> int:
    """The number of a tour among all tours of its question, from 0.

    >>> rank(unrank(6, 6, 4711, closed=True))
    4711
    """
    return Census(tour._route.census(None if memory is None else str(memory))).rank(tour)


def unrank(board: Board, height_or_number: int, number: Optional[int] = None, **question: Any) -> Tour:
    """The tour with a number: `unrank(6, 6, 4711)`, or `unrank("6x6", 4711)`. Keywords are those of :func:`census`."""
    if number is None:
        return census(board, None, **question)[height_or_number]
    return census(board, height_or_number, **question)[number]


def capture(
    puzzle: Union[str, os.PathLike[str], None] = None,
    *,
    board: Union[Board, Tuple[int, int], None] = None,
    start: Optional[Square] = None,
    pieces: Optional[Iterable[Square]] = None,
    **limits: Any,
) -> Capture:
    """The fewest moves with which one knight takes all pieces.

    The puzzle is a FEN, the text of a data file, a path, or given by its board, the knight's start and the pieces.

    >>> capture("4p/5/2p2/5/N3p")
    <Capture: 8 moves, 3 pieces; lower bound 8: proved, no plan is shorter>
    >>> capture(board="5x5", start="a1", pieces=["e5", "c3", "e1"]).cost
    8
    >>> capture("N1p/1p1/3")
    Traceback (most recent call last):
    destrier._errors.Impossible: no plan takes all pieces: b2 cannot be reached from a3
    """
    if puzzle is None:
        if board is None or start is None or pieces is None:
            raise TypeError("a capture is a puzzle, or `board`, `start` and `pieces`")
        size = _board(*board) if isinstance(board, tuple) else _board(board)
        squares = " ".join(_name(piece) for piece in pieces)
        text = f"k = {size}\nF = {squares}\nJ = {_name(start)}\n"
    elif isinstance(puzzle, str) and not os.path.isfile(puzzle):
        text = puzzle
    else:
        with open(puzzle, encoding="utf-8") as file:
            text = file.read()
    job = _job({"kind": "capture", "puzzle": text}, limits)
    return Capture(_decided(job, Capture))


def swap(
    start: Optional[str] = None,
    goal: Optional[str] = None,
    *,
    board: Optional[Board] = None,
    rows: Optional[int] = None,
    preset: Optional[str] = None,
    labelled: bool = False,
    metric: Optional[str] = None,
    alternate: Optional[str] = None,
    peaceful: bool = False,
    holes: Holes = None,
    wrap: Optional[str] = None,
    **limits: Any,
) -> Swap:
    """The fewest moves with which knights change places: from one FEN to another, by preset, or rows of a board.

    >>> swap(preset="guarini").cost
    16
    >>> swap(board="3x4").cost
    16
    >>> swap("N1n/3/3", "n1N/3/3", time_limit=60).proved
    True
    """
    question = {
        "kind": "swap",
        "start": start,
        "goal": goal,
        "board": None if board is None else _board(board),
        "rows": rows,
        "preset": preset,
        "labelled": labelled,
        "metric": metric,
        "alternate": alternate,
        "peaceful": peaceful,
        "holes": holes if holes is None or isinstance(holes, str) else [_square(hole) for hole in holes],
        "wrap": wrap,
    }
    return Swap(_decided(_job(question, limits), Swap))


def _decided(job: Dict[str, Any], kind: Any) -> Dict[str, Any]:
    if job["outcome"] == "undecided":
        best = kind(job) if "answer" in job else None
        raise Undecided(job["says"], best, None if best is None else best.bound)
    return job


def verify(
    answer: Union[Tour, Plan, Mapping[str, Any], str, os.PathLike[str], None],
    board: Union[Board, None] = None,
    *,
    closed: bool = False,
) -> Dict[str, Any]:
    """What the checker says of an answer: a tour, a plan, a certificate, or text (squares, a grid of steps), or a path.

    The verdict is a dict: `valid`, `says`, `claims`, and where something is wrong `fault` with its square and step.

    >>> verify(tour(6, 6, closed=True))["says"]
    'confirmed: closed tour of 6x6 from a1 to c2, 36 squares'
    >>> verify("a1 b3 c2")["fault"]["message"]
    'the tour has 3 squares, but the board has 9'
    """
    if isinstance(answer, (Tour, Plan)):
        text = json.dumps(answer.certificate)
    elif isinstance(answer, str) and not os.path.isfile(answer):
        text = answer
    elif isinstance(answer, (str, os.PathLike)):
        with open(answer, encoding="utf-8") as file:
            text = file.read()
    else:
        text = json.dumps(answer)
    verdict: Dict[str, Any] = json.loads(_native.check(text, None if board is None else _board(board), closed))
    return verdict


def compare(
    kind: str,
    *questions: str,
    methods: Optional[Iterable[str]] = None,
    threads: Optional[Iterable[int]] = None,
    repeat: Optional[int] = None,
    time_limit: Union[float, str, None] = None,
    options: Iterable[str] = (),
) -> List[Dict[str, Any]]:
    """Methods side by side, each run in a fresh process of the command: one dict for each row, for `pandas.DataFrame`.

    `kind` is tour, count, capture or swap; `options` are further options of `destrier compare`.

    >>> rows = compare("count", "4x5", methods=["auto", "naive"], repeat=1)
    >>> [(row["method"], row["answer"]) for row in rows]
    [('auto', 82), ('naive', 82)]
    """
    arguments = [command(), "compare", kind, *questions, "--format", "csv"]
    if methods is not None:
        arguments += ["--methods", ",".join(methods)]
    if threads is not None:
        arguments += ["--threads", ",".join(map(str, threads))]
    if repeat is not None:
        arguments += ["--repeat", str(repeat)]
    if time_limit is not None:
        arguments += ["--time-limit", str(time_limit)]
    run = subprocess.run([*arguments, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode == 2:
        line = run.stderr.strip().splitlines()[0] if run.stderr.strip() else "the comparison failed"
        raise QuestionError(line.replace("destrier: ", "", 1).replace("error: ", "", 1))
    lines = [line for line in run.stdout.splitlines() if not line.startswith("#")]
    return [{name: _number(text) for name, text in row.items()} for row in csv.DictReader(io.StringIO("\n".join(lines)))]


def _number(text: Optional[str]) -> Any:
    """A number where it is one, None where there is nothing, else the text."""
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def to_networkx(
    board: Board,
    height: Optional[int] = None,
    *,
    holes: Holes = None,
    wrap: Optional[str] = None,
    leaper: Optional[str] = None,
) -> networkx.Graph[str]:
    """The squares of a board and the knight's jumps between them, as a graph of NetworkX.

    >>> graph = to_networkx(8, 8)
    >>> graph.number_of_nodes(), graph.number_of_edges(), graph.nodes["b3"]
    (64, 168, {'pos': (1, 2)})
    """
    import networkx

    asked = Asked(_tour_question(board, height, False, None, None, holes, None, wrap, leaper), {})
    squares, jumps = _native.graph(asked.json)
    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from((name, {"pos": _native.square(name)}) for name in squares)
    graph.add_edges_from((squares[one], squares[other]) for one, other in jumps)
    return graph


def coordinates(square: Square) -> Tuple[int, int]:
    """File and rank of a square, both from 0.

    >>> coordinates("c3"), coordinates("aa1")
    ((2, 2), (26, 0))
    """
    return _native.square(_square(square))


def _name(square: Square) -> str:
    """The name of a square that may be given by its file and rank."""
    return square if isinstance(square, str) else _letters(square[0]) + str(square[1] + 1)


def _letters(file: int) -> str:
    letters, rest = "", file + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def methods() -> Dict[str, List[Dict[str, Any]]]:
    """All methods by kind of question, each with a line about it.

    >>> [method["name"] for method in methods()["swap"]][:2]
    ['auto', 'astar']
    """
    table: Dict[str, List[Dict[str, Any]]] = json.loads(_native.methods())
    return table


def presets() -> Dict[str, List[Dict[str, Any]]]:
    """Puzzles that have a name, by kind of question.

    >>> [preset["name"] for preset in presets()["swap"]][:2]
    ['six-knights', 'guarini']
    """
    table: Dict[str, List[Dict[str, Any]]] = json.loads(_native.presets())
    return table
