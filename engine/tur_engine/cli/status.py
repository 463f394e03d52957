"""`tur status`: which store, what is in it, what waits."""

from __future__ import annotations

import os

import typer

from .call import Call, answers


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("status")(answers(status))


def status(call: Call) -> int:
    """Say what the store holds and what waits."""
    from .. import payloads

    with call.open(read_only=True) as engine:
        counts = engine.status()
        waiting = len(engine.held_back())
        counts = counts.model_copy(update={"read_only": not os.access(engine.path, os.W_OK)})
    if call.json:
        call.out.json(payloads.status(counts))
        return 0
    rows = [("store", counts.path + (" (read-only)" if counts.read_only else ""))]
    rows += [(state.value, f"{counts.memories[state]:,}") for state in counts.memories if counts.memories[state]]
    rows += [
        ("open conflicts", f"{counts.open_conflicts:,}"),
        *([("held for people", f"{waiting:,}: tur conflicts lists them")] if waiting else []),
        ("invariants", f"{counts.invariants:,} in force"),
        ("proposals", f"{counts.proposals_pending:,} pending"),
        ("ledger", f"{counts.head.size:,} events, root {counts.head.root[:16]}"),
        ("pair judge", "installed" if counts.judge else "missing: only rules decide what contradicts"),
    ]
    call.out.rows(rows, ["dim"])
    if counts.open_conflicts:
        call.out.say("conflicts wait: tur conflicts, or tur-tui")
    return 0
