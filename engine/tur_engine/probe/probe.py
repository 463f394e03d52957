"""The probe: words, vectors and exact names, fused by reciprocal rank, inside overlapping scopes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import apsw

from ..ledger import Reads, search
from ..records import Memory, Scope, Status
from ..text import tokens
from .candidate import Candidate
from .words import distinctive

MOST = 32
"""At most so many incumbents reach the detector."""
FLOOR = 0.28
"""Cosine under which a vector hit alone is not worth a look (DETECTION, streams)."""
NEAREST = 24
_RRF = 60
_PROBED = (Status.ACTIVE, Status.HELD)


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: the newcomer's text, scope and vector (int8, 384 bytes; None without an embedder)."""

    text: str
    scope: Scope
    topic_key: str = ""
    vector: bytes | None = None


def probe(
    db: apsw.Connection,
    reads: Reads,
    question: Question,
    *,
    since: int = 0,
    leave_out: Collection[int] = (),
    statuses: Sequence[Status] = _PROBED,
) -> list[Candidate]:
    """Return the incumbents worth weighing, closest first.

    `since` keeps only memories that came in after that event; `leave_out` drops rows. Scopes that do not overlap
    never come back.
    """
    words = distinctive(question.text)
    ranked: dict[int, float] = {}
    cosines: dict[int, float] = {}
    exact: set[int] = set()

    def add(hits: Sequence[int], weight: float = 1.0) -> None:
        for rank, mid in enumerate(hits):
            ranked[mid] = ranked.get(mid, 0.0) + weight / (_RRF + rank)

    if question.vector is not None:
        scope_ids = _overlapping(db, question.scope)
        hits = search.by_vector(db, question.vector, NEAREST, scope_ids=scope_ids) if scope_ids != [] else []
        cosines.update(hits)
        add([mid for mid, cosine in hits if cosine >= FLOOR])
    rare = search.rarest(db, words)
    lexical = search.by_words(
        db, [word for word, _ in rare], NEAREST, statuses=[str(s) for s in statuses], now=reads.now
    )
    add([mid for mid, _ in lexical])
    if question.topic_key:
        exact.update(reads.same_topic(question.topic_key))
        add(sorted(exact, reverse=True), weight=2.0)

    found: list[Candidate] = []
    order = sorted(ranked, key=lambda mid: (-ranked[mid], mid))
    if question.vector is not None:
        cosines |= search.similarities(db, [mid for mid in order if mid not in cosines], question.vector)
    mine = set(words)
    for mid in order:
        if len(found) >= MOST:
            break
        if mid <= since or mid in leave_out or reads.status(mid) not in statuses:
            continue
        memory = reads.memory(mid)
        if memory.redacted or not memory.scope.overlaps(question.scope):
            continue
        shared = _shared(mine, memory)
        if mid not in exact and cosines.get(mid, 0.0) < FLOOR and shared < 0.2:
            continue
        found.append(
            Candidate(memory=memory, cosine=cosines.get(mid, 0.0), rank=len(found), words=shared, exact=mid in exact)
        )
    return found


def _overlapping(db: apsw.Connection, scope: Scope) -> list[int] | None:
    """Return the ids of scopes that overlap; None where all do."""
    table = search.scope_table(db)
    ids = [i for i, text in table if Scope.parse(text).overlaps(scope)]
    return None if len(ids) == len(table) else ids


def _shared(mine: set[str], memory: Memory) -> float:
    if not mine:
        return 0.0
    theirs = set(tokens(memory.content)) | set(tokens(memory.topic or ""))
    return len(mine & theirs) / len(mine)
