"""Answers as files."""

from __future__ import annotations

import os
from typing import Union

from . import _native
from ._errors import QuestionError

_FORMATS = {".svg": "svg", ".png": "png", ".gif": "gif", ".json": "json", ".csv": "csv", ".fen": "fen", ".txt": "list"}


def exported(certificate: str, path: Union[str, os.PathLike[str]]) -> None:
    """Writes a checked answer in the form that the extension names."""
    kind = os.path.splitext(os.fspath(path))[1].lower()
    if kind not in _FORMATS:
        raise QuestionError(f"unknown file extension `{kind}`; there are {', '.join(_FORMATS)}", "format")
    content = _native.export(certificate, _FORMATS[kind])
    with open(path, "wb") as file:
        file.write(content)
