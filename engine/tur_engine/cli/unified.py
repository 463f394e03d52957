"""A change of a file as unified diff, fit to print."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..text import visible

if TYPE_CHECKING:
    from .output import Colour, Output

_COLOURS: dict[str, Colour] = {"+": "green", "-": "red", "@": "blue"}
_NONE = "/dev/null"


def unified(name: str, before: str | None, after: str | None) -> list[str]:
    """Return the lines of a diff, line ends left out. `name` is visible already; None: there is no such file."""
    old, new = (_NONE if text is None else name for text in (before, after))
    return [visible(line) for line in difflib.unified_diff(_lines(before), _lines(after), old, new, lineterm="")]


def show(out: Output, lines: Iterable[str]) -> None:
    """Print a diff in colour."""
    for line in lines:
        out.data(out.paint(line, _COLOURS[line[0]]) if line[:1] in _COLOURS else line)


def _lines(text: str | None) -> list[str]:
    lines = (text or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]
