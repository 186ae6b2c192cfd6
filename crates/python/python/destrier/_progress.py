"""How far a long call is: to a function, or to a bar of tqdm."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, Optional, Union

#: Hears of progress: a dict with `elapsed_ms`, `nodes`, `rate`, `text`, and where known `best`, `bound`, `fraction`, `eta_ms`.
Progress = Callable[[Dict[str, Any]], object]
Listener = Optional[Callable[[str], object]]


def listening(progress: Union[bool, Progress, None]) -> Listener:
    """What the native part calls, some times a second, with a line of JSON."""
    if progress is None or progress is False:
        return None
    tell = bar() if progress is True else progress
    return lambda line: tell(json.loads(line))


def bar() -> Progress:
    """A bar of tqdm, or nothing where there is none."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return lambda _: None
    shown = tqdm(total=100, unit="%", bar_format="{l_bar}{bar}| {elapsed} {postfix}", leave=False)

    def tell(report: Dict[str, Any]) -> None:
        shown.n = round(100 * report.get("fraction", 0.0), 1)
        shown.set_postfix_str(report["text"])

    return tell
