"""What lost before and is offered again: how it was settled, and what holds since (CONTRACTS 2)."""

from __future__ import annotations

from typing import NamedTuple

import apsw

from ..ledger import Reads, search
from ..ledger.codec import unstamp
from ..probe.probe import Question
from ..records import Evidence, Memory, SettledBefore, Status, Verb
from ..text import excerpt

SETTLED_WEIGHT = 4.6
"""Log-odds of a repeated, already settled claim: as good as declared (p = .99)."""
FORMER = (Status.SUPERSEDED, Status.REFUTED)
_NEAR = 0.75
"""Cosine from which two texts may say the same."""


class Settled(NamedTuple):
    """A lost claim: what holds in its place now, and the decision that it lost by."""

    winner: int
    how: SettledBefore

    def evidence(self, winner: Memory) -> Evidence:
        """Return the piece that tells of it."""
        why = f": {self.how.reason}" if self.how.reason else ""
        sentence = (
            f"This was settled on {self.how.at:%Y-%m-%d} by {self.how.by}{why}; "
            f'"{excerpt(winner.content, 60)}" holds since.'
        )
        return Evidence(kind="settled", weight=SETTLED_WEIGHT, sentence=sentence)


def equivalent_former(
    db: apsw.Connection, reads: Reads, memory: Memory, question: Question, apart: set[int]
) -> list[int]:
    """Return superseded or refuted memories that say the same in other words. Words decide, no model is asked."""
    if question.vector is None or not reads.has_former():
        return []
    from ..detect.equivalence import duplicate  # seldom needed, and a cold start should not pay for it
    from ..detect.pair import Pair

    near = search.by_vector(db, question.vector, 8, scope_ids=None, probed=0)
    found = []
    for mid, cosine in near:
        if cosine < _NEAR or mid in apart or reads.status(mid) not in FORMER:
            continue
        former = reads.memory(mid)
        if former.redacted or not former.scope.overlaps(question.scope):
            continue
        if duplicate(Pair.of(former, memory)):
            found.append(mid)
    return found


def settled_before(reads: Reads, mid: int) -> Settled | None:
    """Follow superseded_by and refuted_by to what is live now; None where nothing is, or the memory lost nothing."""
    first = step = reads.lost_to(mid)
    seen = {mid}
    while step is not None and step[0] not in seen:
        winner = step[0]
        if reads.status(winner) is Status.ACTIVE:
            assert first is not None
            return Settled(winner, _decision(reads, mid, *first))
        seen.add(winner)
        step = reads.lost_to(winner)
    return None


def _decision(reads: Reads, mid: int, beaten_by: int, seq: int) -> SettledBefore:
    """Return how event `seq` settled it against this memory: a conflict (of several the one with its victor), or an
    approval, which names the proposal instead."""
    at, by, data = reads.event(seq)
    if "conflict" not in data:
        subject = str(data.get("statement", {}).get("subject", ""))
        return SettledBefore(
            conflict_id=f"proposal-{subject}" if subject else "",  # an imported graph names no decision
            at=unstamp(at),
            by=by,
            reason=reads.reason(data),
            verb=Verb.SUPERSEDE,
        )
    settled = [
        (cid, conflict.settlement)
        for cid in reads.conflicts_of(mid, open_only=False)
        if (conflict := reads.conflict(cid)).settlement is not None and conflict.settlement.seq == seq
    ]
    named = str(data["conflict"])
    settled.sort(key=lambda found: (beaten_by not in reads.sides(found[0]), found[0] != named))
    cid, how = settled[0]
    assert how is not None
    return SettledBefore(conflict_id=f"conflict-{cid}", at=how.at, by=how.by, reason=how.reason, verb=how.verb)
