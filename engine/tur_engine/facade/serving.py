"""Which memories were handed to whom, and what that says of a conflict."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

from ..ledger import Reads
from ..ledger.codec import author_of, unstamp
from ..ledger.served import Row
from ..records import Belief, Exposure, Reader, Served, Verb
from .store import Store

_LOST = {
    Verb.SUPERSEDE: ("incumbent",),
    Verb.REFUTE: ("challenger",),
    Verb.ABORT: ("challenger",),
    Verb.MERGE: ("incumbent", "challenger"),
}
"""The sides that no longer hold by a verb; by the others both go on."""


class Serving(Store):
    """Which memories were handed to whom."""

    def exposure(self, ref: str) -> Exposure:
        """Return how long a conflict stood open and who was handed the side that lost; of an open one, both sides.

        Known is what recall and context noted on this machine. Raises UnknownId, AmbiguousId, BadInput.
        """
        with self._reads() as (_, reads):
            cid = reads.find_conflict(ref)
            conflict = reads.conflict(cid)
            now = datetime.now(UTC) if self.as_of is None else unstamp(reads.event(self.as_of)[0])
            reopened = reads.reopened(cid)
        settled = conflict.settlement
        if settled is None:
            # One that an undo replaced is closed too, and its successor tells the rest.
            sides = (conflict.incumbent, conflict.challenger) if conflict.state.open else ()
            served = tuple(self._served_side(side, conflict.seq, self._now) for side in sides)
            return Exposure(opened=conflict.detected_at, until=now, settled=False, sides=served)
        after = None if reopened else settled.seq
        lost = [getattr(conflict, side) for side in _LOST.get(settled.verb, ())]
        return Exposure(
            opened=conflict.detected_at,
            until=settled.at,
            settled=True,
            at_once=settled.seq == conflict.seq,
            sides=tuple(self._served_side(side, conflict.seq, settled.seq - 1, after) for side in lost),
        )

    def _served_side(self, belief: Belief, since: int, until: int, after: int | None = None) -> Served:
        digest = belief.memory.digest
        later = [] if after is None else self._served.of(digest, after, self._now)
        return Served(
            memory=belief.id,
            meanwhile=_readers(self._served.of(digest, since, min(until, self._now))),
            # What is believed again, by another road, is rightly handed out.
            afterwards=() if belief.status.live else _readers(row for row in later if row.live),
            marked=_readers(row for row in later if not row.live),
        )

    def _note_served(self, reads: Reads, beliefs: Iterable[Belief], session: str | None) -> None:
        """Note what is handed out in the actor's name; nothing where `session` is None, nor in a view of the past."""
        if session is None or self.as_of is not None:
            return
        handed = ((belief.memory.digest, belief.status.live) for belief in beliefs)
        self._served.note(handed, str(self.actor), session, reads.last_event())


def _readers(rows: Iterable[Row]) -> tuple[Reader, ...]:
    """Join the rows of one session; the latest first, as they come."""
    found: dict[tuple[str, str], Reader] = {}
    for row in rows:
        key = (row.actor, row.session)
        known = found.get(key)
        if known is not None:
            found[key] = known.model_copy(update={"times": known.times + row.times})
        else:
            with suppress(ValueError, TypeError, OverflowError, OSError):  # somebody wrote in there
                last = datetime.fromtimestamp(row.at, UTC)
                found[key] = Reader(actor=author_of(row.actor), session=row.session, times=row.times, last=last)
    return tuple(found.values())
