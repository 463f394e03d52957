"""What the cells of a notebook hand to a shell: `!` lines, `%%bash` cells, `%pip` and the like."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_SHELL_CELL = re.compile(
    r"\s*(?:%%(?:bash|sh|zsh|system|sx|!|script\s+(?:\S*/)?(?:env\s+)?(?:ba|z|da|k)?sh)\b|%%!)(?P<rest>[^\n]*)"
)
_ESCAPE = re.compile(r"^(?:\w[\w, ]*=\s*)?(?:!!?|%(?:sx|system)\s+)(?P<line>.+)$", re.DOTALL)
_PROGRAM = re.compile(r"^%(?P<line>(?:pip|conda|mamba|micromamba|uv|rm|mv|cp)\s.*)$", re.DOTALL)
"""Magics that run the program of their name."""
_CALL = re.compile(
    r"(?:\bos\.system|\bget_ipython\(\)\.(?:system|getoutput))\(\s*[rbf]*(?P<mark>'''|\"\"\"|['\"])(?P<line>.{0,2000}?)(?P=mark)",
    re.DOTALL,
)


def shell_lines(text: str) -> Iterator[str]:
    """Yield the shell lines of a cell, of a whole notebook, or of lines of a notebook's file."""
    for cell in _cells(text):
        if (hit := _SHELL_CELL.match(cell)) is not None:
            yield cell[hit.end() :]
            continue
        for line in re.split(r"(?<!\\)\n", cell):
            if (hit := _ESCAPE.match(line := line.strip()) or _PROGRAM.match(line)) is not None:
                yield hit["line"]
        for hit in _CALL.finditer(cell):
            yield hit["line"]


def _cells(text: str) -> list[str]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return [_written(text)]
    if not isinstance(told, dict) or not isinstance(told.get("cells"), list):
        return [text]
    return [_source(cell.get("source")) for cell in told["cells"] if isinstance(cell, dict)]


def _source(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _written(text: str) -> str:
    """A text with the lines of a notebook's file in it, each a JSON text, as what they stand for."""
    return "\n".join(map(_unquoted, text.split("\n")))


def _unquoted(line: str) -> str:
    bare = line.strip().rstrip(",")
    if len(bare) > 1 and bare[0] == bare[-1] == '"':
        try:
            return str(json.loads(bare)).rstrip("\n")
        except ValueError:
            return line
    return line
