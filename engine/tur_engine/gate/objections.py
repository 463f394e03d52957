"""What stands against a proposal: its text weighed against every live memory, as the gate weighs a newcomer."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ..detect.nets import nets
from ..ledger import Reads, search
from ..ledger.bodies import Body
from ..ledger.codec import topic_key
from ..ledger.effects import Effect, conflict_id
from ..probe.candidate import Candidate
from ..probe.probe import Question, probe
from ..records import Memory, Objection, Status, Verdict
from .clash import Clash
from .invariants import clashes, doubtful, escalated, in_force, near, weigh

if TYPE_CHECKING:
    from .weigher import Weigher


class Standing(NamedTuple):
    """One live memory that clashes with what is proposed, or may clash with it where it is an invariant."""

    other: Memory
    newer: Memory
    older: Memory
    verdict: Verdict
    approved: bool

    @property
    def blocks(self) -> bool:
        """True for a clash with an invariant: both cannot be in force."""
        return self.approved and clashes(self.verdict)


def objections(
    db: apsw.Connection, reads: Reads, detector: Weigher, memory: Memory, leave_out: Collection[str] = ()
) -> list[Standing]:
    """Return what clashes with a stored memory, blocking ones first; `leave_out` are digests that would go."""
    apart = {memory.seq, *(mid for digest in leave_out if (mid := reads.mid(digest)) is not None)}
    vector = search.embedding(db, memory.seq)
    text, key = f"{memory.content} {memory.topic or ''}", topic_key(memory.topic)
    question = Question(text, memory.scope, key, vector, nets(memory.content))
    guarding = near(db, memory, vector, in_force(reads, memory.scope, apart))
    elsewhere = apart.union(reads.approved_rows())
    found = [*guarding, *probe(db, reads, question, leave_out=elsewhere, statuses=(Status.ACTIVE,))]
    weighed = weigh(detector, memory, [c for c in found if c.memory.seq < memory.seq])
    for candidate in found:
        if candidate.memory.seq > memory.seq:
            offered = candidate._replace(memory=memory)
            weighed += [(candidate, verdict) for _, verdict in weigh(detector, candidate.memory, [offered])]
    standing = []
    for candidate, verdict in weighed:
        other = candidate.memory
        approved = reads.approved(other.seq)
        if clashes(verdict) or (approved and doubtful(verdict, detector.suspicion)):
            older, newer = sorted((memory, other), key=lambda m: m.seq)
            standing.append(Standing(other, newer, older, verdict, approved))
    return sorted(standing, key=lambda s: (not s.blocks, not s.approved, -s.verdict.probability, s.other.seq))


def told(reads: Reads, standing: list[Standing]) -> tuple[Objection, ...]:
    """Return the objections as a reviewer reads them."""
    return tuple(
        Objection(
            belief=reads.belief(each.other.seq),
            probability=round(each.verdict.probability, 4),
            sentence=each.verdict.evidence[0].sentence
            if each.verdict.evidence
            else "the two may contradict each other",
            blocks=each.blocks,
        )
        for each in standing
    )


def opened(reads: Reads, standing: list[Standing]) -> tuple[list[Effect], list[Body]]:
    """Return the conflicts with ordinary memories that an approval opens beside it, for people to settle."""
    effects: list[Effect] = []
    bodies: list[Body] = []
    for each in standing:
        cid = conflict_id(each.older.digest, each.newer.digest)
        if each.approved or reads.has_conflict(cid):
            continue
        clash = Clash(each.older.seq, each.older.digest, cid, each.verdict)
        effect, packed = clash.opening(each.newer.digest)
        effects.append(effect)
        bodies.append(packed)
    return effects, bodies


def stands_against(
    reads: Reads, detector: Weigher, digest: str, coming: Memory
) -> tuple[list[Effect], list[Body]] | None:
    """Return the conflict of a held memory with an invariant that is about to come into force; None for no clash."""
    mid = reads.mid(digest)
    assert mid is not None
    held = reads.memory(mid)
    if not held.scope.overlaps(coming.scope):
        return None
    older, newer = sorted((held, coming), key=lambda m: m.seq)
    ((_, verdict),) = weigh(detector, newer, [Candidate(memory=older, cosine=1.0, rank=0, words=1.0, exact=True)])
    if not clashes(verdict) and not doubtful(verdict, detector.suspicion):
        return None
    cid, effect, packed = escalated(held, coming, verdict)
    return ([], []) if reads.has_conflict(cid) else ([effect], [packed])
