"""The exceptions, and how the native part makes them."""

from __future__ import annotations

import json
from typing import Any, Dict, Optional

__all__ = ["DestrierError", "Impossible", "QuestionError", "Undecided"]


class DestrierError(Exception):
    """Whatever Destrier raises."""


class QuestionError(DestrierError, ValueError):
    """The question cannot be asked: one line that says what is wrong, and what would have been right.

    >>> import destrier
    >>> try:
    ...     destrier.tour(8, 8, start="i9")
    ... except destrier.QuestionError as error:
    ...     print(error, "|", error.field, error.square)
    the start i9 is not on the 8x8 board | from i9
    """

    def __init__(
        self, message: str, field: Optional[str] = None, square: Optional[str] = None, step: Optional[int] = None
    ) -> None:
        super().__init__(message)
        #: The part of the question that is wrong, as the HTTP API names it.
        self.field = field
        #: The square where it shows, if it shows on one.
        self.square = square
        #: The step at which it shows, from 1.
        self.step = step


class Impossible(DestrierError):
    """There is no solution, and this is why.

    >>> import destrier
    >>> try:
    ...     destrier.tour(5, 5, closed=True)
    ... except destrier.Impossible as none:
    ...     print(none.reason)
    ...     print(destrier.verify(none.certificate)["valid"])
    no closed tour of 5x5: every jump changes the colour, and there are 13 dark and 12 light squares
    True
    """

    def __init__(self, reason: str, certificate: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(reason)
        #: The reason, in words.
        self.reason = reason
        #: What `destrier.verify` checks.
        self.certificate = certificate


class Undecided(DestrierError):
    """A limit was reached before the answer was known.

    >>> import destrier
    >>> try:
    ...     destrier.count(8, 8, closed=True, node_limit=1000)
    ... except destrier.Undecided as stopped:
    ...     print(stopped)
    closed tours of 8x8: the node limit was reached
    """

    def __init__(self, message: str, best: Any = None, bound: Optional[int] = None) -> None:
        super().__init__(message)
        #: The best answer so far, if there is one: a plan, or a number that the count is at least.
        self.best = best
        #: What every answer costs at least, if that is known.
        self.bound = bound


def refused(text: str) -> QuestionError:
    told = json.loads(text)
    return QuestionError(told["error"], told.get("field"), told.get("square"), told.get("step"))


def impossible(reason: str, certificate: str) -> Impossible:
    return Impossible(reason, json.loads(certificate))


def undecided(message: str) -> Undecided:
    return Undecided(message)
