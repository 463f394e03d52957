"""What lies between two moments: learned, fallen, come back, doubted, opened and settled."""

from __future__ import annotations

from datetime import datetime

from ..errors import BadInput
from ..ledger import Reads, changes
from ..ledger.codec import unstamp
from ..records import Change, Difference, Status
from .store import Store

_FALLEN = {Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED}


class Differing(Store):
    """What lies between two moments."""

    def event_at(self, moment: datetime) -> int:
        """Return the last event at or before a time, 0 before the first."""
        with self._reads() as (db, reads):
            return min(changes.event_at(db, moment), reads.last_event())

    def diff(self, since: int, until: int | None = None) -> Difference:
        """Return what stands otherwise after event `until` (the last one) than after `since`; 0 is before the first.

        What happened between the two and was undone is not in it. Raises BadInput for an event that is not there,
        and where the second moment lies before the first.
        """
        with self._reads() as (db, present):
            head = present.last_event()
            until = head if until is None else until
            for seq in (since, until):
                if not 0 <= seq <= head:
                    raise BadInput(f"there is no event {seq}; the ledger holds 1 to {head}")
            if until < since:
                raise BadInput(f"event {until} lies before event {since}; name the earlier moment first")
            reads = Reads(db, until)
            groups: dict[str, list[Change]] = {}
            for moved in changes.moved_memories(db, since, until):
                before = None if moved.before is None else Status(moved.before)
                change = _change(reads, moved, before)
                groups.setdefault(_became(before, Status(moved.after)), []).append(change)
            for moved in changes.suspects(db, since, until):
                if reads.status(int(moved.subject)) is Status.ACTIVE:  # of what has fallen, nobody asks
                    was = Status.ACTIVE if moved.after == "suspect" else Status.SUSPECT
                    groups.setdefault(moved.after, []).append(_change(reads, moved, was))
            conflicts = changes.moved_conflicts(db, since, until)
            return Difference(
                since=since,
                until=until,
                since_at=_at(reads, since),
                until_at=_at(reads, until),
                opened=tuple(
                    reads.conflict(str(each.subject))
                    for each in conflicts
                    if each.after != "resolved" and each.before in (None, "resolved")
                ),
                settled=tuple(reads.conflict(str(each.subject)) for each in conflicts if each.after == "resolved"),
                **{name: tuple(found) for name, found in groups.items()},
            )


def _became(before: Status | None, after: Status) -> str:
    """Return the group of a memory by how it stood and stands."""
    if after is Status.PENDING:
        return "proposed"
    if after is not Status.ACTIVE:
        return after.value
    return "restored" if before in _FALLEN else "learned"


def _change(reads: Reads, moved: changes.Moved, was: Status | None) -> Change:
    at, by, data = reads.event(moved.seq)
    return Change(
        belief=reads.belief(int(moved.subject)),
        was=was,
        seq=moved.seq,
        at=unstamp(at),
        by=by,
        reason=reads.reason(data),
    )


def _at(reads: Reads, seq: int) -> datetime | None:
    return unstamp(reads.event(seq)[0]) if seq else None
