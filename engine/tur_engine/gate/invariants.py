"""Every invariant in force is weighed, however many memories lie nearer (EP-0134, section 3; CONTRACTS 2).

The common probe keeps the nearest few dozen: whoever floods a store with look-alikes would push an invariant out of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import apsw

from ..ledger import Reads, search
from ..ledger.bodies import Body
from ..ledger.effects import Effect, conflict_id
from ..maintain.guard import Bar
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..probe.probe import FLOOR
from ..probe.words import distinctive
from ..records import Memory, Relationship, Scope, Verb, Verdict
from ..records.fields import SCOPING_KEYS
from ..text import excerpt, fold, tokens
from .clash import Clash
from .passages import Weighed as Weighed
from .passages import with_parts

if TYPE_CHECKING:
    from .weigher import Weigher

SHARED = 0.2
"""Share of the newcomer's words from which an invariant is weighed though its vector lies far."""


def in_force(reads: Reads, scope: Scope, leave_out: Collection[int] = ()) -> list[Memory]:
    """Return the invariants in force in an overlapping scope."""
    found = []
    for mid in reads.approved_rows():
        if mid in leave_out or not Scope.parse(reads.scope_of(mid)).overlaps(scope):
            continue
        memory = reads.memory(mid)
        if not memory.redacted:
            found.append(memory)
    return found


def near(db: apsw.Connection, memory: Memory, vector: bytes | None, invariants: Sequence[Memory]) -> list[Candidate]:
    """Return the invariants that a text could be about, by vector, words, topic or declaration."""
    mine = set(distinctive(f"{memory.content} {memory.topic or ''}"))
    declared = {r.target for r in memory.relations if r.type == EdgeType.CONTRADICTS}
    cosines = {} if vector is None else search.similarities(db, [m.seq for m in invariants], vector)
    found: list[Candidate] = []
    for each in invariants:
        theirs = set(tokens(each.content)) | set(tokens(each.topic or ""))
        shared = len(mine & theirs) / len(mine) if mine else 0.0
        cosine = cosines.get(each.seq, 0.0)
        exact = each.digest in declared or bool(_about(each) & _about(memory))
        if exact or cosine >= FLOOR or shared >= SHARED:
            found.append(Candidate(memory=each, cosine=cosine, rank=len(found), words=shared, exact=exact))
    return found


def weigh(detector: Weigher, memory: Memory, candidates: Sequence[Candidate]) -> Weighed:
    """Return the verdict on each; names that only look different are compared as the same name."""
    disguised = {c.memory.digest: plain for c in candidates if (plain := _undisguised(memory, c.memory)) is not memory}
    plainly = [c for c in candidates if c.memory.digest not in disguised]
    weighed = list(zip(plainly, detector.weigh(memory, plainly), strict=True)) if plainly else []
    for candidate in candidates:
        if (seen := disguised.get(candidate.memory.digest)) is not None:
            (verdict,) = detector.weigh(seen, [candidate])
            weighed.append((candidate, verdict))
    return weighed


def against(
    db: apsw.Connection,
    reads: Reads,
    detector: Weigher,
    memory: Memory,
    vector: bytes | None,
    leave_out: Collection[int] = (),
) -> Weighed:
    """Return the verdicts on every invariant in force that the text could be about."""
    invariants = in_force(reads, memory.scope, leave_out)
    return against_these(db, detector, memory, vector, invariants) if invariants else []


def against_these(
    db: apsw.Connection, detector: Weigher, memory: Memory, vector: bytes | None, invariants: Sequence[Memory]
) -> Weighed:
    """Return the verdicts on those of the invariants that the text, or a part of it, could be about."""
    weighed = weigh(detector, memory, near(db, memory, vector, invariants))
    return with_parts(detector, memory, invariants, weighed)


def clashes(verdict: Verdict) -> bool:
    """True for a contradiction that is certain enough to stop a memory on the spot."""
    return verdict.relationship is Relationship.CLASH


def doubtful(verdict: Verdict, suspicion: float) -> bool:
    """True for a suspicion: too unsure to reject, not to be let in unseen."""
    if verdict.relationship is not Relationship.COMPATIBLE:
        return False
    return verdict.suspicious or verdict.probability >= suspicion


def bars(db: apsw.Connection, reads: Reads, detector: Weigher, digest: str, scope: Scope | None) -> list[Bar]:
    """Return the invariants against a held memory that would be let in, pairs that people know of left out."""
    mid = reads.mid(digest)
    if mid is None or not reads.approved_rows():
        return []
    memory = reads.memory(mid)
    if scope is not None:
        memory = memory.model_copy(update={"scope": scope})
    known = {side for cid in reads.conflicts_of(mid, open_only=False) for side in reads.sides(cid)}
    found = _before_people(reads, mid)
    for candidate, verdict in against(db, reads, detector, memory, search.embedding(db, mid), known | {mid}):
        if not clashes(verdict) and not doubtful(verdict, detector.suspicion):
            continue
        other = candidate.memory
        cid, effect, packed = escalated(memory, other, verdict)
        word = "contradicts" if clashes(verdict) else "may contradict"
        found.append(
            Bar(
                sentence=f'it {word} the invariant {other.short_id} ("{excerpt(other.content, 80)}")',
                violates=other.short_id if clashes(verdict) else "",
                conflict=cid,
                effects=[effect],
                bodies=[packed],
            )
        )
    return found


def _before_people(reads: Reads, mid: int) -> list[Bar]:
    """An invariant that came in later and challenges it: people decide on that pair first."""
    found = []
    for cid in reads.conflicts_of(mid):
        incumbent, challenger = reads.sides(cid)
        if incumbent == mid and reads.approved(challenger):
            found.append(Bar(f"conflict-{cid[:8]} with the invariant {reads.memory(challenger).short_id} is open"))
    return found


def escalated(candidate: Memory, invariant: Memory, verdict: Verdict) -> tuple[str, Effect, Body]:
    """Return the conflict of a held candidate with an invariant, before people from the first: id, effect, body.

    The candidate is the challenger though it may be the older one: it is what would come in.
    """
    cid = conflict_id(invariant.digest, candidate.digest)
    certain = clashes(verdict)
    verdict = verdict.model_copy(update={"suspicious": True, "suggested": Verb.ABORT})
    clash = Clash(invariant.seq, invariant.digest, cid, verdict, guarded=True)
    return cid, *clash.opening(candidate.digest, certain=certain)


def _about(memory: Memory) -> set[tuple[str, str]]:
    """What it says it is about, folded, so that a look-alike letter does not hide it."""
    keys = {(k, fold(v)) for k in SCOPING_KEYS if isinstance(v := memory.fields.get(k), str) and v}
    return keys | ({("topic", fold(memory.topic))} if memory.topic else set())


def _undisguised(memory: Memory, invariant: Memory) -> Memory:
    """Return the memory with topic and names of fields spelt as the invariant spells them; itself where they are so."""
    if not (memory.fields and invariant.fields) or not _about(memory) & _about(invariant):
        return memory
    spelt = {fold(name): name for name in invariant.fields}
    fields = {spelt.get(fold(name), name): value for name, value in memory.fields.items()}
    for key in SCOPING_KEYS:
        mine, theirs = fields.get(key), invariant.fields.get(key)
        if isinstance(mine, str) and isinstance(theirs, str) and fold(mine) == fold(theirs):
            fields[key] = theirs
    topic = memory.topic
    if topic and invariant.topic and fold(topic) == fold(invariant.topic):
        topic = invariant.topic
    if fields == memory.fields and topic == memory.topic:
        return memory
    return memory.model_copy(update={"fields": fields, "topic": topic})
