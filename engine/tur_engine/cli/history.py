"""`tur history` and `tur verify`: what happened, and that the ledger tells the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..text import counted, visible
from .call import Call, answers
from .progress import bar

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import HistoryEntry


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("history")(answers(history))
    app.command("verify")(answers(verify))


def history(
    call: Call,
    ref: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A memory, a conflict or a proposal; without it the whole store."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="Only the last so many events.")
    ] = None,
) -> int:
    """Tell what happened, the oldest first: who, what, and why."""
    from .. import payloads

    with call.open(read_only=True) as engine:
        entries = engine.history(ref, limit=limit)
        if call.json:
            call.out.json(payloads.history(entries))
        elif entries:
            call.out.rows([_row(engine, entry) for entry in entries], ["dim", "dim", None, "bold"])
        else:
            call.out.say("nothing happened yet")
    return 0


def _row(engine: Engine, entry: HistoryEntry) -> tuple[str, str, str, str, str]:
    because = f" - because: {entry.reason}" if entry.reason and entry.reason not in entry.summary else ""
    subject = f"{engine.short(entry.subject)}: " if entry.subject else ""
    return (
        str(entry.seq),
        f"{entry.at.astimezone():%Y-%m-%d %H:%M:%S}",
        str(entry.actor),
        entry.kind.value,
        f"{subject}{entry.summary}{because}",
    )


def verify(call: Call) -> int:
    """Check that the ledger is whole.

    Every hash, every body, every projection, and what this machine saw of it; exit 5 where one does not fit. Another
    store that this machine knows at this place is told.
    """
    from .. import payloads
    from ..errors import IntegrityFailure

    with call.open(read_only=True, to_mend=True) as engine, bar("verify") as progress:
        report = engine.verify(progress)
    if call.json:
        call.out.json(payloads.verify(report))
    elif report.ok:
        call.out.data(call.out.paint(f"The ledger verifies: {counted(report.events, 'event')}", "green"))
        rows = [("root", report.head.root), ("witness", report.witness), ("signed heads", f"{report.checkpoints:,}")]
        rows += [("persona", visible(report.persona, newlines=False))] if report.persona else []
        call.out.rows(rows, ["dim"], indent="  ")
    if not call.json:
        call.warn_of_former(report.former)
    if not report.ok:
        at = f" at event {report.first_bad}" if report.first_bad is not None else ""
        call.out.say(f"the ledger does not verify{at}: {visible(report.problem, newlines=False)}")
        return IntegrityFailure.exit_code
    return 0
