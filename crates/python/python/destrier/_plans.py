"""Plans: captures and swaps."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union, overload

from . import _native
from ._save import exported

__all__ = ["Capture", "Plan", "Swap"]


class Plan(Sequence):  # type: ignore[type-arg]
    """What captures and swaps have in common: steps, what they cost, and what that rests on."""

    def __init__(self, job: Dict[str, Any]) -> None:
        self._answer: Dict[str, Any] = job["answer"]
        #: The plan with its question and its proof, for :func:`destrier.verify`.
        self.certificate: Dict[str, Any] = job["certificate"] if "certificate" in job else {}
        #: The answer in words, as the command prints it.
        self.says: str = job["says"]
        #: What every plan costs at least, if that is known.
        self.bound: Optional[int] = self._answer.get("lower_bound")
        #: Is no plan cheaper?
        self.proved: bool = self._answer["proved"]
        self._steps: List[Any] = []

    @property
    def cost(self) -> int:
        """The number of moves (or runs, where runs were asked for)."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> List[Any]: ...
    def __getitem__(self, index: Union[int, slice]) -> Any:
        return self._steps[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._steps)

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes a file: .svg, .png, .gif (animated), .json, .csv, .fen, or .txt with the moves."""
        exported(json.dumps(self.certificate), path)

    def _repr_svg_(self) -> Optional[str]:
        return _native.export(json.dumps(self.certificate), "svg").decode() if self.certificate else None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.says}>"


class Capture(Plan):
    """One knight takes all pieces: the squares of its walk, the start first.

    >>> import destrier
    >>> plan = destrier.capture("4p/5/2p2/5/N3p")
    >>> plan.cost, plan.proved, plan.taken
    (8, True, ['e1', 'e5', 'c3'])
    """

    def __init__(self, job: Dict[str, Any]) -> None:
        super().__init__(job)
        self._steps = self._answer["squares"]

    @property
    def cost(self) -> int:
        """The number of moves."""
        moves: int = self._answer["moves"]
        return moves

    @property
    def taken(self) -> List[str]:
        """The squares on which a piece is taken, in order."""
        return [self._steps[at] for at in self._answer["taken"]]


class Swap(Plan):
    """Knights change places: pairs of squares, from and to.

    >>> import destrier
    >>> plan = destrier.swap("n1n/3/N1N", "N1N/3/n1n")
    >>> plan.cost, plan.proved, len(plan), plan[0]
    (16, True, 16, ('c1', 'a2'))
    """

    def __init__(self, job: Dict[str, Any]) -> None:
        super().__init__(job)
        self._steps = [_ends(move) for move in self._answer["moves"]]

    @property
    def cost(self) -> int:
        """The number of moves, or of runs where runs were asked for."""
        cost: int = self._answer["cost"]
        return cost


def _ends(move: Any) -> Tuple[str, str]:
    start, end = move.split("-") if isinstance(move, str) else move
    return start, end
