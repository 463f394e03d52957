"""What an undo brings back is weighed against what came in while it was out (CONTRACTS 2: one door).

A memory that had fallen was no incumbent for newcomers, and one in a narrow scope none outside it. When it holds again
such a pair would stand contradicting and silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from ..detect.nets import nets
from ..errors import InvariantViolation
from ..ledger import Reads, search
from ..ledger.bodies import Body
from ..ledger.codec import topic_key
from ..ledger.effects import Effect, conflict_id
from ..maintain.cascade import FALLEN
from ..probe.probe import Question, probe
from ..records import Memory, Relationship, Scope, Status, Verb, Verdict
from .clash import Clash
from .invariants import against, doubtful

if TYPE_CHECKING:
    from ..maintain.inverse import UndoPlan
    from .inherited import Above
    from .weigher import Weigher

_PROBED = (Status.ACTIVE, Status.HELD)


def look_again(
    db: apsw.Connection, reads: Reads, detector: Weigher, undo: UndoPlan, above: Above | None = None
) -> tuple[list[Effect], list[Body]]:
    """Return the conflicts to be opened with an undo. Raises InvariantViolation where an invariant is against it."""
    effects: list[Effect] = []
    bodies: list[Body] = []
    opened: set[str] = set()
    for memory in _returning(reads, undo):
        if above is not None:
            _forbidden_above(above, detector, memory, search.embedding(db, memory.seq))
        for older, newer, verdict in _weigh(db, reads, detector, undo, memory):
            cid = conflict_id(older.digest, newer.digest)
            if cid in opened:
                continue
            opened.add(cid)
            clash = _clash(reads, detector, older, newer, verdict, cid)
            if clash is None or reads.has_conflict(cid):
                continue  # one that is known comes back by the undo itself
            effect, packed = clash.opening(newer.digest)
            effects.append(effect)
            bodies.append(packed)
    return effects, bodies


def _forbidden_above(above: Above, detector: Weigher, memory: Memory, vector: bytes | None) -> None:
    other = above.against(detector, memory, vector)
    if other is not None and other.certain:
        shown = other.belief.memory.short_id
        raise InvariantViolation.of(shown, f"what this would bring back: {other.sentence}; nothing was undone")


def _returning(reads: Reads, undo: UndoPlan) -> list[Memory]:
    found = []
    widened = undo.widened
    moved = {d: status for d, status in undo.statuses.items() if status in _PROBED}
    for digest in sorted({*moved, *widened}, key=lambda d: reads.mid(d) or 0):
        mid = reads.mid(digest)
        if mid is None or (digest not in widened and reads.status(mid) in _PROBED):
            continue
        memory = reads.memory(mid)
        if digest in widened:
            memory = memory.model_copy(update={"scope": Scope.parse(widened[digest])})
        if not memory.redacted and moved.get(digest, reads.status(mid)) in _PROBED:
            found.append(memory)
    return found


def _weigh(
    db: apsw.Connection, reads: Reads, detector: Weigher, undo: UndoPlan, memory: Memory
) -> list[tuple[Memory, Memory, Verdict]]:
    vector = search.embedding(db, memory.seq)
    text, key = f"{memory.content} {memory.topic or ''}", topic_key(memory.topic)
    question = Question(text, memory.scope, key, vector, nets(memory.content))
    known = {side for cid in reads.conflicts_of(memory.seq, open_only=False) for side in reads.sides(cid)}
    guarding = set(reads.approved_rows())
    holds = undo.statuses.get(memory.digest, reads.status(memory.seq)) is Status.ACTIVE
    settled = _dismissed(reads, memory.seq) if holds else known
    weighed = []
    for candidate, verdict in against(db, reads, detector, memory, vector, settled | {memory.seq}):
        older, newer = sorted((memory, candidate.memory), key=lambda m: m.seq)
        weighed.append((older, newer, verdict))
    for candidate in probe(db, reads, question, leave_out=known | guarding | {memory.seq}):
        other = candidate.memory
        if undo.statuses.get(other.digest) in FALLEN:
            continue
        older, newer = sorted((memory, other), key=lambda m: m.seq)
        if _met(reads.as_of(newer.seq - 1), older, newer):
            continue
        offered = candidate._replace(memory=older)
        (verdict,) = detector.weigh(newer, [offered])
        weighed.append((older, newer, verdict))
    return weighed


def _dismissed(reads: Reads, mid: int) -> set[int]:
    """What people said is no conflict with it."""
    settled = [cid for cid in reads.conflicts_of(mid, open_only=False) if reads.settlement_of(cid) is Verb.DISMISS]
    return {side for cid in settled for side in reads.sides(cid)}


def _met(then: Reads, older: Memory, newer: Memory) -> bool:
    """True where the older one stood in the way when the newer one came in: that pair was weighed then."""
    overlapped = Scope.parse(then.scope_of(older.seq)).overlaps(newer.declared_scope)
    return then.status(older.seq) in _PROBED and overlapped


def _clash(reads: Reads, detector: Weigher, older: Memory, newer: Memory, verdict: Verdict, cid: str) -> Clash | None:
    guarded = next((m for m in (older, newer) if reads.approved(m.seq)), None)
    clashing = verdict.relationship is Relationship.CLASH
    if clashing and guarded is not None:
        raise InvariantViolation.of(
            guarded.short_id,
            f"what this would bring back contradicts the invariant {guarded.short_id}; nothing was undone",
        )
    if guarded is not None and doubtful(verdict, detector.suspicion):
        return Clash(older.seq, older.digest, cid, verdict.model_copy(update={"suspicious": True}))
    return Clash(older.seq, older.digest, cid, verdict) if clashing else None
