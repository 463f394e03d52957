"""`tur status`: which store, what is in it, what waits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import counted, visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..engine import Engine


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(answers(status))


def _of_merged_branches(engine: Engine) -> int:
    """Return how many memories hold on a branch only that was merged."""
    from ..sources.branches import State
    from .widen import offered

    return sum(len(offer.beliefs) for offer in offered(engine, thorough=False)[1] if offer.state is State.MERGED)


def status(
    call: Call,
    short: Annotated[
        bool, typer.Option("--short", help="One line for a prompt: open conflicts, what waits to come in, what holds.")
    ] = False,
) -> int:
    """Say what the store holds and what waits."""
    if short:
        from .short import tell

        return tell(call.out, call.store, json=call.json)
    from .. import payloads

    with call.open(read_only=True) as engine:
        counts = engine.status()
        waiting = len(engine.held_back())
        merged = _of_merged_branches(engine)
        counts = counts.model_copy(update={"read_only": not os.access(engine.path, os.W_OK)})
    if call.json:
        call.out.json(payloads.status(counts) | {"held_back": waiting, "of_merged_branches": merged})
        return 0
    rows = [("store", counts.path + (" (read-only)" if counts.read_only else ""))]
    rows += [(state.value, f"{counts.memories[state]:,}") for state in counts.memories if counts.memories[state]]
    rows += [
        ("open conflicts", f"{counts.open_conflicts:,}"),
        *([("held for people", f"{waiting:,}: tur conflicts lists them")] if waiting else []),
        *([("of merged branches", f"{merged:,}: tur widen lists them")] if merged else []),
        ("invariants", f"{counts.invariants:,} in force"),
        ("proposals", f"{counts.proposals_pending:,} pending"),
        ("ledger", f"{counted(counts.head.size, 'event')}, root {counts.head.root[:16]}"),
        *([("persona", visible(counts.persona, newlines=False))] if counts.persona else []),
        ("pair judge", "installed" if counts.judge else "missing: only rules decide what contradicts"),
    ]
    call.out.rows(rows, ["dim"])
    call.warn_of_former(counts.former)
    if counts.open_conflicts:
        call.out.say("conflicts wait: tur conflicts, or tur-tui")
    return 0
