"""From arguments to the JSON of a question, which the native part reads."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, Mapping, Optional, Tuple, Union

from ._progress import Listener, Progress, listening

#: A board: its side, its size as text like "8x6", or a drawing of "." and "#".
Board = Union[int, str]
#: A square: its name, like "c3", or file and rank from 0.
Square = Union[str, Tuple[int, int]]


def square(place: Square) -> str:
    """The name of a square, whichever way it is given."""
    if isinstance(place, str):
        return place
    file, rank = place
    return f"{file},{rank}"


def board(first: Board, second: Optional[int] = None) -> str:
    """A board as text."""
    if isinstance(first, int):
        return f"{first}x{first if second is None else second}"
    if second is not None:
        raise TypeError("a board is two numbers or one text, like 8, 6 or '8x6'")
    return first


def tour_question(
    first: Board,
    second: Optional[int],
    closed: bool,
    start: Optional[Square],
    end: Optional[Square],
    holes: Union[str, Iterable[Square], None],
    symmetry: Optional[str],
    wrap: Optional[str],
    leaper: Optional[str],
) -> Dict[str, Any]:
    """The fields that all questions about tours share."""
    listed = holes if holes is None or isinstance(holes, str) else [square(hole) for hole in holes]
    return {
        "kind": "tour",
        "board": board(first, second),
        "closed": closed,
        "from": None if start is None else square(start),
        "to": None if end is None else square(end),
        "holes": listed,
        "symmetry": symmetry,
        "wrap": wrap,
        "leaper": leaper,
    }


class Asked:
    """A question on its way to the native part: JSON, memory, and who hears of progress."""

    def __init__(self, fields: Mapping[str, Any], limits: Mapping[str, Any]) -> None:
        self.fields = {**fields, **limits}
        progress: Union[bool, Progress, None] = self.fields.pop("progress", None)
        memory: Union[int, str, None] = self.fields.pop("memory", None)
        self.memory = None if memory is None else str(memory)
        time = self.fields.get("time_limit")
        if isinstance(time, (int, float)):
            self.fields["time_limit"] = str(time)
        self.listener: Listener = listening(progress)
        self.json = json.dumps(self.fields, default=os.fspath)
