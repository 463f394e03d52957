"""What lies between two moments: learned, fallen, come back, doubted, opened and settled."""

from __future__ import annotations

from datetime import datetime

import apsw

from ..errors import BadInput
from ..ledger import Reads, changes
from ..ledger.codec import unstamp
from ..records import Author, Change, Conflict, Difference, Status, Verb
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
            opened, settled = _moved_conflicts(db, reads, since)
            return Difference(
                since=since,
                until=until,
                since_at=_at(reads, since),
                until_at=_at(reads, until),
                opened=opened,
                settled=settled,
                **{name: tuple(found) for name, found in groups.items()},
            )


def _moved_conflicts(
    db: apsw.Connection, reads: Reads, since: int
) -> tuple[tuple[Conflict, ...], tuple[Conflict, ...]]:
    """Return what was opened and what was settled; a conflict and those that undos opened in its place are one."""
    earlier = Reads(db, since)
    opened, settled = [], []
    began = dict.fromkeys(reads.began_as(str(each.subject)) for each in changes.moved_conflicts(db, since, reads.now))
    for first, seq in began:
        after = reads.conflict(reads.lives_on_as(first) or first)
        before = earlier.conflict(earlier.lives_on_as(first) or first) if seq <= since else None
        if after.state.open:
            if before is None or not before.state.open:
                opened.append(after)
        elif before is None or before.state.open or _decision(before) != _decision(after):
            settled.append(after)
    return tuple(opened), tuple(settled)


def _decision(conflict: Conflict) -> tuple[Verb, Author, str] | None:
    made = conflict.settlement
    return None if made is None else (made.verb, made.by, made.reason)


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
