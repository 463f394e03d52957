"""What every export does to its words: in Markdown they stay text, in a picture they are lines of plain text."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Final

from tur_engine.text import visible

COLUMNS: Final = 100
"""Width of a picture."""
_ACTIVE: Final = re.compile(r"([\\`*_\[\]<>|#~&!])")


def inert(text: str) -> str:
    """Text on one line in which nothing is Markdown."""
    return _ACTIVE.sub(r"\\\1", visible(text, newlines=False))


def row(cells: Iterable[str]) -> str:
    """A row of a table."""
    return "| " + " | ".join(inert(cell) for cell in cells) + " |"


def picture(lines: Iterable[str], title: str) -> str:
    """An SVG of plain text."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=COLUMNS, file=io.StringIO(), color_system=None)
    for line in lines:
        console.print(Text(line), soft_wrap=False, overflow="fold")
    return console.export_svg(title=title)
