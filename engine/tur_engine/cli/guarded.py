"""`tur guard --log`: the warnings that were given on this machine, for people without the workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import excerpt, visible
from .call import Call

if TYPE_CHECKING:
    from ..records import GuardNote


def log(call: Call) -> int:
    """List the warnings, the newest first."""
    from .. import payloads

    with call.open(read_only=True) as engine:
        notes = engine.guard_notes()
    if call.json:
        call.out.json(payloads.guard_notes(notes))
    elif not notes:
        call.out.say("no warning of the guard is kept here")
    for note in () if call.json else notes:
        _tell(call, note)
    return 0


def _tell(call: Call, note: GuardNote) -> None:
    who = f"{note.actor} {note.session}".strip()
    head = f"{note.at.astimezone():%Y-%m-%d %H:%M:%S}  {excerpt(who, 60)}  {note.probability:.0%}"
    call.out.data(call.out.paint(head, "bold"))
    word = "invariant" if note.binding else "constraint"
    call.out.rows([("action", excerpt(note.action, 300)), (word, against(note))], ["dim"], indent="  ")


def against(note: GuardNote) -> str:
    """What the action clashed with, as it stands now."""
    name, _, digest = note.memory_id.rpartition("-")
    where = f" of the store at {visible(note.store, newlines=False)}" if note.store else ""
    if note.belief is None:
        said = "not found any more"
    elif note.belief.memory.redacted:
        said = "(redacted)"
    else:
        said = f'"{excerpt(note.belief.memory.content, 200)}"'
    return f"{name}-{digest[:8]}{where}: {said}"
