"""What the gate thinks of a draft before anything is written: duplicate, clash, invariant, or nothing against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from ..detect.nets import nets
from ..ledger import Encoded, Reads, search
from ..ledger.codec import topic_key
from ..ledger.effects import conflict_id
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..probe.probe import Question, probe
from ..records import ConflictState, DetectedBy, Evidence, Memory, Relationship, Scope, Status, Verb, Verdict
from ..text import excerpt
from .clash import Clash
from .finding import Deliberation
from .invariants import Weighed, against, clashes, doubtful, escalated
from .settled import FORMER, SETTLED_WEIGHT, equivalent_former, settled_before

if TYPE_CHECKING:
    from .weigher import Weigher


def deliberate(
    db: apsw.Connection,
    reads: Reads,
    detector: Weigher,
    encoded: Encoded,
    vector: bytes | None,
    named: Sequence[int] = (),
    leave_out: Sequence[str] = (),
) -> Deliberation:
    """Return the finding on a draft as of `reads.now`. Writes nothing."""
    found = Deliberation(encoded, named=tuple(named))
    draft = encoded.draft
    apart = {mid for digest in leave_out if (mid := reads.mid(digest)) is not None}
    for mid in named:
        if reads.approved(mid):
            found.invariant, found.challenges_named_invariant = mid, True
    memory = encoded.memory()
    bare = None if vector is None else vector[-search.DIMENSIONS :]
    guarded = against(db, reads, detector, memory, bare, apart)
    former = _same_text(reads, found, apart)
    guarded = _undecided(reads, found, guarded)
    if _violates(found, guarded):
        return found
    if found.existing is not None:
        _suspect_held(reads, detector, found, guarded)
        _left_standing(reads, found)
        return found
    question = Question(
        text=f"{draft.content} {draft.topic or ''}",
        scope=draft.scope,
        topic_key=topic_key(draft.topic),
        vector=bare,
        nets=nets(draft.content),
    )
    elsewhere = apart.union(reads.approved_rows())
    candidates = probe(db, reads, question, leave_out=elsewhere)
    candidates += _declared(reads, memory, candidates, elsewhere)
    verdicts = list(zip(candidates, detector.weigh(memory, candidates), strict=True)) if candidates else []
    verdicts = [*guarded, *verdicts]
    found.doubt = max((verdict.probability for _, verdict in verdicts), default=0.0)
    if _says_the_same(reads, found, verdicts, named):
        _left_standing(reads, found)
        return found
    _clashes(reads, detector, found, verdicts, named)
    former += equivalent_former(db, reads, memory, question, apart)
    _repeats_settled(reads, found, former, apart)
    if draft.type.invariant_tier and found.invariant is None:
        found.proposal = True
    return found


def _undecided(reads: Reads, found: Deliberation, guarded: Weighed) -> Weighed:
    """Leave out the invariants of which people said that the memory with this text is no conflict."""
    if found.existing is None or not guarded:
        return guarded
    dismissed = {
        side
        for cid in reads.conflicts_of(found.existing, open_only=False)
        if reads.settlement_of(cid) is Verb.DISMISS
        for side in reads.sides(cid)
    }
    return [(candidate, verdict) for candidate, verdict in guarded if candidate.memory.seq not in dismissed]


def _violates(found: Deliberation, guarded: Weighed) -> bool:
    """Note the invariant that the draft contradicts, a named one first; True where there is one."""
    against = [candidate.memory.seq for candidate, verdict in guarded if clashes(verdict)]
    if against and found.invariant not in against:
        found.invariant = against[0]
    return bool(against)


def _suspect_held(reads: Reads, detector: Weigher, found: Deliberation, guarded: Weighed) -> None:
    """A held candidate is offered again: what came into force meanwhile may stand against it."""
    if found.existing is None or reads.status(found.existing) is not Status.HELD:
        return
    known = {side for cid in reads.conflicts_of(found.existing, open_only=False) for side in reads.sides(cid)}
    for candidate, verdict in guarded:
        other = candidate.memory
        if doubtful(verdict, detector.suspicion):
            found.must_hold = True
            if other.seq not in known:
                found.late.append(escalated(reads.memory(found.existing), other, verdict))


def _same_text(reads: Reads, found: Deliberation, apart: set[int]) -> list[int]:
    """Meet exact duplicates by key; return rows of the same text that were superseded or refuted."""
    former = []
    for mid in reads.same_key(found.encoded.key):
        if mid in apart or (mid in found.named and Scope.parse(reads.scope_of(mid)) != found.encoded.draft.scope):
            continue  # a narrowed memory that is to hold in its old scope again is no duplicate of itself
        status = reads.status(mid)
        tier = found.encoded.draft.type.invariant_tier
        if tier and status is Status.ACTIVE and not reads.approved(mid) and not reads.memory(mid).type.invariant_tier:
            continue  # a fact may be proposed as an axiom
        if status is Status.ACTIVE:
            found.existing, found.duplicate = mid, True
            return []
        if status is Status.HELD:
            _known_candidate(reads, found, mid)
            return []
        if status is Status.PENDING:
            found.pending = mid
            if tier:
                found.existing, found.proposal = mid, True
                return []
        if status in FORMER:
            former.append(mid)
    return former


def _known_candidate(reads: Reads, found: Deliberation, mid: int) -> None:
    """The draft repeats a held candidate: the same conflicts are the answer."""
    found.existing = mid
    found.known = [cid for cid in reads.conflicts_of(mid) if reads.sides(cid)[1] == mid]
    # One before people may be let in by `allow` as other words for it would: both stand, the question stays open.
    found.must_hold = any(
        reads.state(cid) is ConflictState.RESOLVING or reads.approved(reads.sides(cid)[0]) for cid in found.known
    )


def _left_standing(reads: Reads, found: Deliberation) -> None:
    """Say what `supersedes` names in vain, where nothing new comes in that could take its place."""
    assert found.existing is not None
    against = {reads.sides(cid)[0] for cid in found.known}
    for mid in found.named:
        if mid not in against and mid != found.existing and not reads.approved(mid):
            known, other = reads.memory(found.existing), reads.memory(mid)
            found.warnings.append(
                f"this is known already as {known.short_id}, so {other.short_id} was not superseded by it"
            )


def _declared(reads: Reads, memory: Memory, candidates: Sequence[Candidate], apart: set[int]) -> list[Candidate]:
    """Add memories that the draft itself says it contradicts, wherever the probe looked."""
    seen = {c.memory.digest for c in candidates}
    added = []
    for relation in memory.relations:
        mid = reads.mid(relation.target)
        if relation.type != EdgeType.CONTRADICTS or relation.target in seen or mid is None or mid in apart:
            continue
        target = reads.memory(mid)
        if reads.status(mid) in (Status.ACTIVE, Status.HELD) and target.scope.overlaps(memory.scope):
            added.append(Candidate(memory=target, cosine=0.0, rank=len(candidates), words=0.0, exact=True))
    return added


def _says_the_same(
    reads: Reads, found: Deliberation, verdicts: Sequence[tuple[Candidate, Verdict]], named: Sequence[int]
) -> bool:
    """Note the memory that the draft repeats in other words; True where there is one."""
    tier = found.encoded.draft.type.invariant_tier
    for candidate, verdict in verdicts:
        memory = candidate.memory
        if verdict.relationship is not Relationship.DUPLICATE or memory.seq in named:
            continue
        if memory.scope != found.encoded.draft.scope or (tier and not memory.type.invariant_tier):
            continue
        if reads.status(memory.seq) is Status.HELD:
            _known_candidate(reads, found, memory.seq)
        else:
            found.existing, found.duplicate = memory.seq, True
        return True
    return False


def _clashes(
    reads: Reads,
    detector: Weigher,
    found: Deliberation,
    verdicts: Sequence[tuple[Candidate, Verdict]],
    named: Sequence[int],
) -> None:
    weighed = set()
    for candidate, verdict in verdicts:
        mid = candidate.memory.seq
        approved = reads.approved(mid)
        clash = verdict.relationship is Relationship.CLASH
        if not (clash or (approved and doubtful(verdict, detector.suspicion))):
            continue
        weighed.add(mid)
        if approved:
            found.must_hold = True
            verdict = verdict.model_copy(update={"suspicious": True, "suggested": Verb.ABORT})
        found.clashes.append(clash_of(found, candidate.memory, verdict, mid in named))
    for mid in named:
        if mid not in weighed and not reads.approved(mid):
            found.clashes.append(clash_of(found, reads.memory(mid), _declared_verdict(reads.memory(mid)), True))
    found.clashes.sort(key=lambda c: (-c.verdict.probability, c.mid))


def _declared_verdict(memory: Memory) -> Verdict:
    sentence = f'The author says it supersedes "{excerpt(memory.content, 60)}".'
    return Verdict(
        relationship=Relationship.CLASH,
        probability=1.0,
        detected_by=DetectedBy.EXPLICIT,
        evidence=(Evidence(kind="explicit", weight=SETTLED_WEIGHT, sentence=sentence),),
    )


def clash_of(found: Deliberation, incumbent: Memory, verdict: Verdict, named: bool = False) -> Clash:
    """Return the clash of a draft with one incumbent."""
    return Clash(incumbent.seq, incumbent.digest, conflict_id(incumbent.digest, found.digest), verdict, named)


def _repeats_settled(reads: Reads, found: Deliberation, former: Sequence[int], apart: set[int]) -> None:
    """A claim that lost before clashes with its winner while that is live; the answer says how it was settled."""
    for mid in dict.fromkeys(former):
        settled = settled_before(reads, mid)
        if settled is None or settled.winner in apart:
            continue
        memory = reads.memory(settled.winner)
        if not memory.scope.overlaps(found.encoded.draft.scope):
            continue
        found.settled_before = settled.how
        if reads.approved(settled.winner):
            found.invariant = settled.winner
            return
        for i, clash in enumerate(found.clashes):
            if clash.mid == settled.winner:
                verdict = clash.verdict.model_copy(
                    update={
                        "evidence": (settled.evidence(memory), *clash.verdict.evidence),
                        "suggested": Verb.REFUTE,
                    }
                )
                found.clashes[i] = clash_of(found, memory, verdict, clash.named)
                return
        verdict = Verdict(
            relationship=Relationship.CLASH,
            probability=0.99,
            detected_by=DetectedBy.EXPLICIT,
            evidence=(settled.evidence(memory),),
            suggested=Verb.REFUTE,
        )
        found.clashes.insert(0, clash_of(found, memory, verdict))
        return
