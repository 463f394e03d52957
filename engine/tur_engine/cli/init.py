"""`tur init`: found a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadInput
from ..text import visible
from .call import Call, answers


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(answers(init))


def init(
    call: Call,
    folder: Annotated[str, typer.Argument(metavar="[FOLDER]", help="The folder the store is about.")] = ".",
    nested: Annotated[bool, typer.Option("--nested", help="Found it although there is a store above.")] = False,
) -> int:
    """Found a store: FOLDER/.tur/ledger.db.

    Everything below FOLDER uses it, as git does with a repository. In a git work tree FOLDER/.tur/.gitignore keeps the
    ledger out of git, which would set it back with every checkout. Where this machine knows another store at that
    place, whose invariants do not hold in the new one, it warns.
    """
    from .. import ignored
    from ..engine import Engine

    root = Path(folder) if call.store is None else call.store
    if call.store is not None and folder != ".":
        raise BadInput("--store and FOLDER name the place twice; give one of the two")
    with Engine.init(root, actor=call.actor, nested=nested) as engine:
        path = str(engine.path)
        call.out.done = f"the store is founded: {visible(path, newlines=False)}"
        written = ignored.keep_out_of_git(engine.path)
        former = engine.former()
        if call.json:
            warned = {"warnings": [former]} if former else {}
            call.out.json({"status": "founded", "path": path, "root": str(engine.root), **warned})
        else:
            call.out.data(f"Founded a store: {visible(path, newlines=False)}")
            if written is not None:
                call.out.say(f"{visible(str(written), newlines=False)} keeps the ledger out of git")
        call.warn_of_former(former)
    return 0
