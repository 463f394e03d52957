"""What lies between two moments of the ledger."""

from __future__ import annotations

from datetime import datetime

from .author import Author
from .base import Record
from .conflict import Conflict
from .memory import Belief, Status


class Change(Record):
    """One memory that stands otherwise than it did, and the event that did it."""

    belief: Belief
    """As it stands at the later moment."""
    was: Status | None
    """None where it was not there yet."""
    seq: int
    at: datetime
    by: Author
    reason: str = ""


class Difference(Record):
    """What became of memories and conflicts between two moments; what happened and was undone is not in it."""

    since: int
    until: int
    since_at: datetime | None
    """None before the first event."""
    until_at: datetime | None
    learned: tuple[Change, ...] = ()
    held: tuple[Change, ...] = ()
    proposed: tuple[Change, ...] = ()
    superseded: tuple[Change, ...] = ()
    refuted: tuple[Change, ...] = ()
    retracted: tuple[Change, ...] = ()
    restored: tuple[Change, ...] = ()
    suspect: tuple[Change, ...] = ()
    cleared: tuple[Change, ...] = ()
    """No longer suspect."""
    opened: tuple[Conflict, ...] = ()
    settled: tuple[Conflict, ...] = ()

    @property
    def empty(self) -> bool:
        """True where nothing stands otherwise."""
        return not any((*self.memories.values(), self.opened, self.settled))

    @property
    def memories(self) -> dict[str, tuple[Change, ...]]:
        """The changed memories by what became of them."""
        names = (
            *("learned", "held", "proposed", "superseded", "refuted", "retracted", "restored", "suspect", "cleared"),
        )
        return {name: getattr(self, name) for name in names}
