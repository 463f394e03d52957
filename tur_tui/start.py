"""From the command line to the screen: who sits there, whether there is a terminal, and the workbench's run."""

from __future__ import annotations

import gc
import getpass
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tur_engine.errors import TurError
from tur_engine.records import Author, AuthorKind

if TYPE_CHECKING:
    from tur_engine.engine import Engine

    from .app import Workbench


THREADS = 32
"""For engine calls of the workbench, those that only wait included."""


def on_terminal() -> bool:
    """Whether a full screen can be drawn: keys come from stdin, Textual draws on stderr; or a browser tab does both."""
    if os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver"):
        return True
    return not dumb() and all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def dumb() -> bool:
    """Whether the terminal says of itself that it can only print."""
    return os.environ.get("TERM") == "dumb"


def person() -> Author:
    """Who sits at this terminal: a claim, not a control."""
    try:
        return Author(kind=AuthorKind.HUMAN, name=getpass.getuser())
    except (OSError, KeyError, ImportError, TurError):
        return Author(kind=AuthorKind.HUMAN, name="unknown")


async def _run(app: Workbench) -> None:
    """Every screen that was shown keeps a thread that waits for what is recorded; on a few cores the pool would end."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
    await app.run_async()


def run_workbench(
    engine: Engine,
    *,
    theme: str | None = None,
    here: Path | None = None,
    exports: Path | None = None,
    greeting: str = "",
) -> int:
    """Open the workbench and return its exit code; the greeting is said first. Exports go to `here` unless told."""
    import asyncio

    from .app import Workbench  # the demo's story never needs Textual

    app = Workbench(engine, theme=theme, here=here, exports=exports, greeting=greeting)
    # What is loaded stays: gone through again at every few keys, it took a third of the time, 0.1 s at once.
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)
    asyncio.run(_run(app))
    if app.anew:
        from tur_engine.engine import Engine

        engine.close()
        with Engine.open(engine.path, actor=engine.actor, read_only=engine.read_only) as other:
            said = "The store was opened anew: the file that is there now."
            return run_workbench(other, theme=theme, here=here, exports=exports, greeting=said)
    if app.parting:
        print(app.parting, file=sys.stderr)
    return app.return_code or 0
