"""The word lists that stand beside the evidence."""

from __future__ import annotations

from pathlib import Path

_ROOM = Path(__file__).with_name("evidence")


def lines(name: str) -> list[str]:
    """Return the lines of a list, comments left out."""
    text = (_ROOM / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] != "#"]
