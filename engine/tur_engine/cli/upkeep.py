"""`tur-adm rebuild` and `tur-adm backup`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..text import visible
from .call import Call, answers


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("rebuild")(answers(rebuild))
    app.command("backup")(answers(backup))


def rebuild(call: Call) -> int:
    """Make every projection anew from the events.

    Nothing of the ledger itself changes.
    """
    with call.open() as engine:
        events = engine.rebuild()
    if call.json:
        call.out.json({"status": "rebuilt", "events": events})
    else:
        call.out.data(f"Rebuilt from {events:,} events")
    return 0


def backup(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes; must not exist.")],
) -> int:
    """Copy the ledger to one file, while others may go on writing."""
    target = Path(file)
    with call.open(read_only=True) as engine:
        engine.backup(target)
    if call.json:
        call.out.json({"status": "backed_up", "file": str(target.resolve())})
    else:
        call.out.data(f"Copied to {visible(file, newlines=False)}")
    return 0
