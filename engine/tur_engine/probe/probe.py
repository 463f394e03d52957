"""The probe: words, vectors, exact names and nets, fused by reciprocal rank, inside overlapping scopes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import apsw

from ..ledger import Reads, search
from ..records import Memory, Scope, Status
from ..text import tokens
from .candidate import Candidate
from .net import Net, haul
from .words import distinctive, forms

MOST = 32
"""At most so many incumbents reach the detector."""
FLOOR = 0.28
"""Cosine under which a vector hit alone is not worth a look (DETECTION, streams)."""
NEAREST = 24
_RRF = 60
_PROBED = (Status.ACTIVE, Status.HELD)


class Question(NamedTuple):
    """What is looked for: the newcomer's text, scope and vector (int8, 384 bytes; None without an embedder)."""

    text: str
    scope: Scope
    topic_key: str = ""
    vector: bytes | None = None
    nets: tuple[Net, ...] = ()
    """Wordings that memories of the same matter are told by (`detect/nets.py`)."""


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
    cosines: dict[int, float] = {}
    exact: set[int] = set()
    if question.vector is not None:
        scope_ids = _overlapping(db, question.scope)
        hits = search.by_vector(db, question.vector, NEAREST, scope_ids=scope_ids) if scope_ids != [] else []
        cosines.update(hits)
    near = [mid for mid, cosine in cosines.items() if cosine >= FLOOR]
    rare = search.rarest(db, words, forms=forms)
    lexical = search.by_words(
        db, [word for word, _ in rare], NEAREST, statuses=[str(s) for s in statuses], now=reads.now
    )
    if question.topic_key:
        exact.update(reads.same_topic(question.topic_key))

    def cast(net: Net, limit: int) -> list[int]:
        return search.by_phrases(
            db, net.phrases, net.about, limit, statuses=[str(s) for s in statuses], now=reads.now, low=since + 1
        )

    met = haul(question.nets, cast, reads.memory)
    order = fused(near, [mid for mid, _ in lexical], exact, list(met))
    if question.vector is not None:
        cosines |= search.similarities(db, [mid for mid in order if mid not in cosines], question.vector)
    standing = (mid for mid in order if not (mid <= since or mid in leave_out or reads.status(mid) not in statuses))
    return sift(standing, question.scope, set(words), cosines, exact, reads.memory, met)


def fused(near: Sequence[int], lexical: Sequence[int], exact: Collection[int], met: Sequence[int] = ()) -> list[int]:
    """Return the rows found by vector, words, topic and nets, best first: reciprocal ranks, the last two count
    twice."""
    ranked: dict[int, float] = {}
    for hits, weight in ((near, 1.0), (lexical, 1.0), (sorted(exact, reverse=True), 2.0), (met, 2.0)):
        for rank, mid in enumerate(hits):
            ranked[mid] = ranked.get(mid, 0.0) + weight / (_RRF + rank)
    return sorted(ranked, key=lambda mid: (-ranked[mid], mid))


def sift(
    rows: Iterable[int],
    scope: Scope,
    words: set[str],
    cosines: Mapping[int, float],
    exact: Collection[int],
    memory: Callable[[int], Memory],
    met: Collection[int] = (),
) -> list[Candidate]:
    """Return those worth weighing, in the order given, at most MOST: in a scope that overlaps, near in any way."""
    found: list[Candidate] = []
    for mid in rows:
        if len(found) >= MOST:
            break
        each = memory(mid)
        if each.redacted or not each.scope.overlaps(scope):
            continue
        shared = _shared(words, each)
        cosine = cosines.get(mid, 0.0)
        if mid not in exact and mid not in met and cosine < FLOOR and shared < 0.2:
            continue
        found.append(Candidate(each, cosine, len(found), shared, exact=mid in exact, met=mid in met))
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
