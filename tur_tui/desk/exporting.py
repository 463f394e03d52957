"""What every export does: in Markdown words stay text, in a picture they are plain lines; no file is written over."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tur_engine.errors import TurError
from tur_engine.text import visible

COLUMNS: Final = 100
"""Width of a picture."""
_TRIES: Final = 1000
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


def write_new(folder: Path, stem: str, form: str, text: str) -> Path:
    """Write a file that was not there before, and return it. Raises TurError; nothing is left half-written."""
    try:
        return _write_new(folder, stem, form, text)
    except OSError as error:
        raise TurError(f"{folder} cannot be written to: {error.strerror}; nothing was exported.") from None


def _write_new(folder: Path, stem: str, form: str, text: str) -> Path:
    for number in range(_TRIES):
        path = folder / f"{stem}{f'-{number + 1}' if number else ''}.{form}"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            continue
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path
    raise FileExistsError(17, "every name is taken", str(folder / f"{stem}.{form}"))
