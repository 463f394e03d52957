"""`tur watch`: drift between rule files and the ledger, a line an event, until Ctrl-C."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..text import named, visible
from .call import Call, answers
from .output import Colour

if TYPE_CHECKING:
    from ..rulebook import Drift

_COLOURS: dict[str, Colour] = {
    "drift": "red",
    "gone": "yellow",
    "new line": "dim",
    "many": "yellow",
    "unread": "yellow",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch")(answers(watch))


def watch(
    call: Call,
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="A repository, or a folder of one; here by default.")
    ] = None,
) -> int:
    """Tell of drift between the rule files of a repository and its ledger, as it happens.

    A line of CLAUDE.md, AGENTS.md and their like that comes or changes is weighed as `tur scan` weighs it: told where
    it contradicts a memory, and where the ledger does not know it; also where a line is gone that a memory was
    imported from. Many changes at once, as of another branch, are one line. Nothing is written. Ctrl-C ends it (130).
    With --json each event is one object on a line of its own.
    """
    from ..rulebook import Rulebook

    with Rulebook.open(Path(path) if path else None, actor=call.actor, store=call.store) as book:
        begun = False
        for drifts in book.follow(threading.Event()):
            if not begun:
                begun = True
                assert book.engine is not None  # `follow` refuses without
                where = f"the rule files of {book.root} beside {book.engine.path}"
                call.out.say(f"{visible(where, newlines=False)}; changes are told here, Ctrl-C ends it")
            for drift in drifts:
                if call.json:
                    call.out.json_line(payload(drift))
                else:
                    _tell(call, drift)
            if call.out.unread:
                return 0
    return 0


def payload(drift: Drift) -> dict[str, Any]:
    """Return one event as one object."""
    from ..sources.formats.plain import clash, side

    return {
        "event": drift.kind.value.replace(" ", "_"),
        "at": drift.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "file": drift.side.file if drift.side else drift.unread or None,
        "line": drift.side.line if drift.side else None,
        "text": drift.side.text if drift.side else None,
        "sentence": drift.sentence,
        "memory": drift.clash.a.memory if drift.clash else drift.memory.id if drift.memory else None,
        "clash": clash(drift.clash) if drift.clash else None,
        "line_side": side(drift.side) if drift.side else None,
    }


def _tell(call: Call, drift: Drift) -> None:
    word = call.out.paint(drift.kind.value, _COLOURS.get(drift.kind.value, "yellow"))
    place = f"{named(drift.place)}: " if drift.place else ""
    call.out.data(f"{place}{word}: {visible(drift.sentence, newlines=False)}")
