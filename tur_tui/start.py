"""From the command line to the screen: who sits there, whether there is a terminal, and the workbench's run."""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tur_engine.errors import TurError
from tur_engine.records import Author, AuthorKind

if TYPE_CHECKING:
    from tur_engine.engine import Engine


def on_terminal() -> bool:
    """Whether a full screen can be drawn: keys come from stdin, Textual draws on stderr."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def person() -> Author:
    """Who sits at this terminal: a claim, not a control."""
    try:
        return Author(kind=AuthorKind.HUMAN, name=getpass.getuser())
    except (OSError, KeyError, ImportError, TurError):
        return Author(kind=AuthorKind.HUMAN, name="unknown")


def run_workbench(engine: Engine, *, theme: str | None = None, here: Path | None = None) -> int:
    """Open the workbench and return its exit code."""
    from .app import Workbench  # the demo's story never needs Textual

    app = Workbench(engine, theme=theme, here=here)
    app.run()
    if app.parting:
        print(app.parting, file=sys.stderr)
    return app.return_code or 0
