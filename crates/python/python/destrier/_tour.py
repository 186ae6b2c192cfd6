"""Tours: one of them, and all of them by number."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Dict, Iterable, Iterator, List, Optional, Union, overload

from . import _native
from ._errors import Impossible, QuestionError
from ._question import Asked, Board, Square, square, tour_question
from ._save import exported

__all__ = ["Census", "Tour"]


class Tour(Sequence):  # type: ignore[type-arg]  # Python 3.9 has no Sequence[str] that can be inherited from here
    """A knight's tour: a sequence of squares, whose steps are numbered from 1.

    A tour too long to be kept is planned instead: every step can be looked up at once, and nothing is stored.

    >>> import destrier
    >>> tour = destrier.tour(3, 4, start="a1")
    >>> len(tour), tour[0], tour.at(1), tour.step_of("a1")
    (12, 'a1', 'a1', 1)
    >>> " ".join(tour[:4])
    'a1 b3 c1 a2'
    >>> huge = destrier.tour(1_000_000, 1_000_000, closed=True)
    >>> len(huge)
    1000000000000
    >>> huge.step_of(huge.at(123_456_789_012))
    123456789012
    """

    def __init__(self, route: _native.Route) -> None:
        self._route = route

    @classmethod
    def of(
        cls,
        squares: Union[str, Iterable[Square]],
        board: Board,
        height: Optional[int] = None,
        *,
        closed: bool = False,
        holes: Union[str, Iterable[Square], None] = None,
        wrap: Optional[str] = None,
        leaper: Optional[str] = None,
    ) -> Tour:
        """A tour of one's own, which the checker has to accept.

        >>> Tour.of("a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4", 3, 4).closed
        False
        >>> Tour.of("a1 b3 c2", 3, 3)
        Traceback (most recent call last):
        destrier._errors.QuestionError: the tour has 3 squares, but the board has 9
        """
        listed = squares if isinstance(squares, str) else " ".join(map(square, squares))
        asked = Asked(tour_question(board, height, closed, None, None, holes, None, wrap, leaper), {})
        return cls(_native.route(asked.json, listed))

    def __len__(self) -> int:
        return self._route.length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> List[str]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[str, List[str]]:
        if isinstance(index, slice):
            places = range(*index.indices(len(self)))
            if places.step == 1:
                return self._route.between(places.start + 1, places.stop + 1)
            return [self.at(place + 1) for place in places]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there is no square {index}: the tour has {len(self)}")
        return self.at(place + 1)

    def __iter__(self) -> Iterator[str]:
        for first in range(1, len(self) + 1, 4096):
            yield from self._route.between(first, first + 4096)

    def __reversed__(self) -> Iterator[str]:
        return (self.at(step) for step in range(len(self), 0, -1))

    def __contains__(self, place: object) -> bool:
        return isinstance(place, (str, tuple)) and self._step(place) is not None

    def index(self, value: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """The place of a square in the sequence, from 0; :meth:`step_of` counts from 1."""
        step = self._step(value)
        first, last, _ = slice(start, stop).indices(len(self))
        if step is None or not first < step <= last:
            raise ValueError(f"{value!r} is not there")
        return step - 1

    def count(self, value: Any) -> int:
        """How often a square is visited: once, or never."""
        return int(value in self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tour) and (
            self._route is other._route
            or (len(self), self.size) == (len(other), other.size)
            and all(one == two for one, two in zip(self, other))
        )

    def __hash__(self) -> int:
        return hash((self.size, *self[:64], self[-1]))

    def _step(self, place: Square) -> Optional[int]:
        try:
            return self._route.step_of(square(place)) or None
        except QuestionError:
            return None

    def at(self, step: int) -> str:
        """The square at a step; the first step is 1."""
        found = self._route.at(step) if step > 0 else None
        if found is None:
            raise IndexError(f"there is no step {step}; this tour has steps 1 to {len(self)}")
        return found

    def step_of(self, place: Square) -> int:
        """The step at which a square is visited; the first step is 1."""
        found = self._route.step_of(square(place))
        if not found:
            raise KeyError(f"{square(place)} is not on the board")
        return found

    @property
    def size(self) -> str:
        """The sides of the board, like "8x8": files, then ranks."""
        files, ranks = self._route.size
        return f"{files}x{ranks}"

    @property
    def closed(self) -> bool:
        """Is it closed, so that the first square is a jump from the last?"""
        return self._route.closed

    @property
    def method(self) -> str:
        """The method that found it."""
        return self._route.method

    @property
    def grid(self) -> Any:
        """The step on every square, from the top rank as on a diagram; holes have 0.

        A NumPy array where NumPy is installed, else a `memoryview` with two dimensions: the same memory, never a copy.

        >>> import destrier
        >>> destrier.tour(3, 4, start="a1").grid.tolist()
        [[10, 5, 8], [7, 2, 11], [4, 9, 6], [1, 12, 3]]
        """
        files, ranks = self._route.size
        numbers = memoryview(self._route.grid()).cast("I", (ranks, files))
        try:
            import numpy
        except ImportError:
            return numbers
        return numpy.asarray(numbers)

    @property
    def certificate(self) -> Dict[str, Any]:
        """The tour with its question, for :func:`destrier.verify` and the command `destrier verify`."""
        text = self._route.certificate()
        if text is None:
            raise QuestionError(f"a tour of {len(self)} squares is planned and not kept: it has no certificate")
        told: Dict[str, Any] = json.loads(text)
        return told

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a file: .svg, .png, .gif (animated), .json, .csv, .fen, or .txt with the squares.

        Tours that are planned and not kept are written as .txt, or as .bin: the step of every square, from the first
        rank, as little-endian numbers of 32 bits (64 beyond 2³² squares).
        """
        if self._route.is_listed:
            text = self._route.certificate()
            exported(text or "", path)
            return
        kind = os.path.splitext(os.fspath(path))[1]
        if kind not in (".txt", ".bin"):
            raise QuestionError(f"a tour of {len(self)} squares is written as .txt or .bin, not as `{kind}`", "format")
        self._route.stream(os.fspath(path), kind == ".bin")

    def _repr_svg_(self) -> Optional[str]:
        return self._route.svg()

    def __str__(self) -> str:
        return " ".join(self) if len(self) <= 10_000 else repr(self)

    def __repr__(self) -> str:
        return f"<Tour: {self._route.says}>"


class Census(Sequence):  # type: ignore[type-arg]
    """All tours of a question, numbered from 0: look one up, find a tour's number, draw some at random.

    >>> import destrier
    >>> census = destrier.census(6, 6, closed=True)
    >>> census.total
    9862
    >>> census.rank(census[4711])
    4711
    >>> [census.rank(tour) for tour in census.sample(3, seed=7)] == [census.rank(tour) for tour in census.sample(3, seed=7)]
    True
    """

    def __init__(self, native: _native.Census) -> None:
        self._native = native

    @property
    def total(self) -> int:
        """How many tours there are, undirected. (`len` of more than 2⁶³ is an error in Python.)"""
        return self._native.total

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, index: int) -> Tour: ...
    @overload
    def __getitem__(self, index: slice) -> List[Tour]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Tour, List[Tour]]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self.total))]
        number = index + self.total if index < 0 else index
        found = self._native.unrank(number) if 0 <= number < self.total else None
        if found is None:
            numbers = f"are numbered 0 to {self.total - 1}" if self.total else "do not exist"
            raise IndexError(f"there is no number {index}: the {self._native.says} {numbers}")
        return Tour(found)

    def __iter__(self) -> Iterator[Tour]:
        return (self[number] for number in range(self.total))

    def rank(self, tour: Tour) -> int:
        """The number of a tour, which may begin on any square and go either way."""
        return self._native.rank(tour._route)

    def sample(self, n: int = 1, *, seed: int = 0) -> List[Tour]:
        """Tours drawn at random, all equally likely; the same for the same seed."""
        if self.total == 0:
            raise Impossible(f"there are no {self._native.says}")
        return [Tour(route) for route in self._native.sample(n, seed)]

    def __repr__(self) -> str:
        return f"<Census: {self.total} {self._native.says}>"
