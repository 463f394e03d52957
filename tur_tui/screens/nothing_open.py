"""What an empty desk says: why it is empty, and what to do next."""

from __future__ import annotations

from ..actions import key
from ..drawing.wording import counted


def unreachable(sentence: str) -> str:
    """What stands in place of the conflict, and what a verb answers, while the store cannot be decided on."""
    said = f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
    return f"{said} The verbs are off; {key('store.open_anew')} opens anew what is there now, {key('quit')} leaves."


def what_next(memories: int, settled: int, *, read_only: bool) -> str:
    """A sentence or two for the place where the conflict would be."""
    if settled:
        return (
            f"All settled: {counted(settled, 'decision')} in this sitting. "
            f"{key('conflict.undo')} takes the last one back, {key('quit')} leaves."
        )
    if read_only:
        return "No conflict is open. The store is open for reading only; the feed still follows what is recorded."
    if not memories:
        return (
            'The store is empty. Teach it something: tur learn "Database migrations run via Alembic" --type fact. '
            "What contradicts it later stops at the gate and appears here."
        )
    return (
        f"No conflict is open; {counted(memories, 'memory', 'memories')} kept. Leave this open: what agents learn "
        "appears in the feed, and a contradiction here. Or check the past: tur history."
    )
