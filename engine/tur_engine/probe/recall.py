"""Recall: what is believed about a query, nearest first. The losers stay out, the contested come in pairs."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from ..ledger import Reads, search
from ..records import Belief, RecalledMemory, Scope, Status, Verb
from .words import distinctive

FLOOR = 0.3
"""Cosine under which a memory is not about the query."""
_POOL = 50
_RRF = 60


def recall(
    db: apsw.Connection,
    reads: Reads,
    query: str,
    vector: bytes | None,
    *,
    limit: int = 10,
    here: Scope | None = None,
    include_superseded: bool = False,
) -> list[RecalledMemory]:
    """Return live memories about the query; `here` leaves out what holds in other paths or branches only.

    The other side of a contested memory is always in the answer, even beyond `limit`; one that is held, with the memory
    that it contests (`others`). Superseded and refuted ones come
    back only when asked for, after the live ones.
    """
    statuses = [Status.ACTIVE] + ([Status.SUPERSEDED, Status.REFUTED] if include_superseded else [])
    scores: dict[int, float] = {}
    words = distinctive(query)
    lexical = search.by_words(
        db,
        [w for w, _ in search.rarest(db, words)],
        _POOL,
        statuses=[str(s) for s in statuses],
        now=reads.now,
    )
    for rank, (mid, _) in enumerate(lexical):
        scores[mid] = scores.get(mid, 0.0) + 1 / (_RRF + rank)
    if vector is not None:
        groups = (1, 0) if include_superseded or reads.past else (1,)  # the index knows the present only
        hits = [hit for probed in groups for hit in search.by_vector(db, vector, _POOL, scope_ids=None, probed=probed)]
        near = [(mid, cosine) for mid, cosine in hits if mid <= reads.now and reads.status(mid) in statuses]
        near.sort(key=lambda hit: (-hit[1], hit[0]))
        for rank, (mid, cosine) in enumerate(near):
            if cosine >= FLOOR:
                scores[mid] = scores.get(mid, 0.0) + 1 / (_RRF + rank)
    found: list[RecalledMemory] = []
    for mid in sorted(scores, key=lambda m: (-scores[m], -m)):
        belief = reads.belief(mid)
        if belief.memory.redacted or not holds(belief, here):
            continue
        found.append(RecalledMemory(belief=belief, score=round(scores[mid] * _RRF / 2, 4)))
    found.sort(key=lambda hit: (not hit.belief.status.live, -hit.score))
    found = [hit for hit in found if not shadowed(reads, hit.belief, here)][:limit]
    return _with_companions(reads, found, here)


def holds(belief: Belief, here: Scope | None) -> bool:
    """True where a memory is of this place, or of everywhere."""
    return here is None or belief.memory.scope.overlaps(here)


def shadowed(reads: Reads, belief: Belief, here: Scope | None) -> bool:
    """True where a narrower memory, scoped apart from this one, holds here instead (verb `b`)."""
    if here is None:
        return False
    mid = belief.memory.seq
    for cid in reads.conflicts_of(mid, open_only=False):
        conflict = reads.settlement_of(cid)
        if conflict is not Verb.BRANCH:
            continue
        other = next(side for side in reads.sides(cid) if side != mid)
        narrow = Scope.parse(reads.scope_of(other))
        if reads.status(other) is Status.ACTIVE and here.within(narrow) and not belief.memory.scope.within(narrow):
            return True
    return False


def _with_companions(reads: Reads, found: Sequence[RecalledMemory], here: Scope | None) -> list[RecalledMemory]:
    answer = list(found)
    present = {hit.belief.memory.digest for hit in found}
    for hit in found:
        for digest in hit.belief.contested_by:
            mid = reads.mid(digest)
            if digest in present or mid is None or reads.status(mid) is not Status.ACTIVE:
                continue
            other = reads.belief(mid)
            if holds(other, here):
                present.add(digest)
                answer.append(RecalledMemory(belief=other, score=hit.score, companion=True))
    return [hit.model_copy(update={"others": waiting(reads, hit.belief, here)}) for hit in answer]


def waiting(reads: Reads, belief: Belief, here: Scope | None) -> tuple[Belief, ...]:
    """Return what contests a memory here and is held: not believed, and still its other side."""
    mids = [mid for digest in belief.contested_by if (mid := reads.mid(digest)) is not None]
    held = [reads.belief(mid) for mid in mids if reads.status(mid) is Status.HELD]
    return tuple(other for other in held if holds(other, here) and not other.memory.redacted)
