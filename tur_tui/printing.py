"""Lines and JSON on stdout, for the commands that need no screen."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tur_engine import printed

UNBOUND: Final = 100
"""Columns where the output is no terminal."""


def print_lines(lines: Sequence[str]) -> None:
    """Print them; what the output's encoding lacks becomes a question mark. Ends the program where they cannot be."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _print(("\n".join(lines) + "\n").encode(encoding, "replace").decode(encoding))


def print_json(data: Mapping[str, Any]) -> None:
    """Print one object on one line. Ends the program where it cannot be."""
    _print(json.dumps(data) + "\n")


def _print(text: str) -> None:
    if code := printed("tur-tui", text):
        raise SystemExit(code)


def width_of_output() -> int:
    """Columns that a line may have."""
    return (
        max(40, shutil.get_terminal_size((UNBOUND, 24)).columns)
        if sys.stdout is not None and sys.stdout.isatty()
        else UNBOUND
    )
