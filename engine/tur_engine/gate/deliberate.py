"""What the gate thinks of a draft before anything is written: duplicate, clash, invariant, or nothing against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import apsw

from ..ledger import Encoded, Reads, search
from ..ledger.codec import topic_key, unstamp
from ..maintain.undo import conflict_id
from ..maintain.view import PairState, View
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..probe.probe import Question, probe
from ..records import (
    Belief,
    Conflict,
    ConflictState,
    DetectedBy,
    Evidence,
    Memory,
    Outcome,
    Relationship,
    SettledBefore,
    Status,
    Verb,
    Verdict,
)
from ..text import excerpt, fold

if TYPE_CHECKING:
    from .gate import Weigher

SETTLED_WEIGHT = 4.6
"""Log-odds of a repeated, already settled claim: as good as declared (p = .99)."""
_FORMER = (Status.SUPERSEDED, Status.REFUTED)


@dataclass(frozen=True, slots=True)
class Clash:
    """One incumbent that the draft clashes with."""

    mid: int
    incumbent: str
    cid: str
    verdict: Verdict
    named: bool = False
    """Named in `supersedes`: decided by the author."""

    def record(self, challenger: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return what the conflict's event keeps, and the evidence that goes behind a body."""
        verdict = self.verdict
        record: dict[str, Any] = {
            "incumbent": self.incumbent,
            "challenger": challenger,
            "probability": round(verdict.probability, 4),
            "type": str(verdict.conflict_type),
            "detected_by": str(verdict.detected_by),
            "suggested": str(verdict.suggested),
            "judged": verdict.judged,
        }
        if verdict.conflicting_fields:
            record["fields"] = list(verdict.conflicting_fields)
        if verdict.suspicious and verdict.relationship is not Relationship.CLASH:
            record["state"] = str(ConflictState.ESCALATED)
        return record, [piece.model_dump(mode="json") for piece in verdict.evidence]


@dataclass
class Deliberation:
    """The gate's finding on one draft at one moment."""

    encoded: Encoded
    existing: int | None = None
    """Row of the duplicate, of the same held candidate, or of the same proposal."""
    invariant: int | None = None
    challenges_named_invariant: bool = False
    clashes: list[Clash] = field(default_factory=list)
    settled_before: SettledBefore | None = None
    duplicate: bool = False
    proposal: bool = False
    must_escalate: bool = False
    known: list[str] = field(default_factory=list)
    """Conflicts that an identical held candidate has already."""
    named: tuple[int, ...] = ()
    """Rows named in `supersedes`."""
    warnings: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        return self.encoded.digest

    @property
    def outcome(self) -> Outcome:
        """What follows, before the caller's wish on conflicts is heard."""
        if self.invariant is not None:
            return Outcome.INVARIANT
        if self.duplicate:
            return Outcome.DUPLICATE
        if self.proposal:
            return Outcome.PROPOSED
        return Outcome.CONFLICT if self.clashes or self.known else Outcome.COMMITTED

    def decided(self, reads: Reads) -> list[str]:
        """Return the conflicts that the author settled by naming their incumbent."""
        known = [cid for cid in self.known if reads.sides(cid)[0] in self.named]
        return [clash.cid for clash in self.clashes if clash.named] + known

    def view(self, reads: Reads) -> View:
        """Return the beliefs with this draft as a held candidate."""
        if self.existing is not None or reads.mid(self.digest) is not None:
            return View(reads)
        pairs = [PairState(c.cid, c.incumbent, self.digest, ConflictState.DETECTED) for c in self.clashes]
        return View(reads, self.digest, pairs)

    def conflicts(self, reads: Reads) -> list[Conflict]:
        """Return the conflicts, strongest first: the stored ones where they are stored, else as they would be."""
        if self.known:
            found = [reads.conflict(cid) for cid in self.known]
        else:
            found = [
                reads.conflict(c.cid) if reads.has_conflict(c.cid) else self._provisional(reads, c)
                for c in self.clashes
            ]
        return sorted(found, key=lambda c: (-c.probability, c.seq, c.id))

    def _provisional(self, reads: Reads, clash: Clash) -> Conflict:
        verdict = clash.verdict
        incumbent = reads.belief(clash.mid)
        return Conflict(
            id=f"conflict-{clash.cid}",
            incumbent=incumbent,
            challenger=Belief(memory=self.encoded.memory(), status=Status.HELD, contested_by=(clash.incumbent,)),
            state=ConflictState.DETECTED,
            revision=0,
            probability=round(verdict.probability, 4),
            conflict_type=verdict.conflict_type,
            detected_by=verdict.detected_by,
            evidence=verdict.evidence,
            suggested=verdict.suggested,
            detected_at=datetime.now(UTC),
            seq=0,
            dependants=len(reads.dependants(clash.mid)),
            conflicting_fields=verdict.conflicting_fields,
        )


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
    former = _same_text(reads, found, apart)
    if found.existing is not None:
        return found
    memory = encoded.memory()
    question = Question(
        text=f"{draft.content} {draft.topic or ''}",
        scope=draft.scope,
        topic_key=topic_key(draft.topic),
        vector=None if vector is None else vector[-search.DIMENSIONS :],
    )
    candidates = probe(db, reads, question, leave_out=apart)
    candidates += _declared(reads, memory, candidates, apart)
    verdicts = list(zip(candidates, detector.weigh(memory, candidates), strict=True)) if candidates else []
    if _says_the_same(reads, found, verdicts, named):
        return found
    _clashes(reads, detector, found, verdicts, named)
    former += _equivalent_former(db, reads, detector, memory, question, apart)
    _settled_before(reads, found, former, apart)
    if draft.type.invariant_tier and found.invariant is None:
        found.proposal = True
    return found


def _same_text(reads: Reads, found: Deliberation, apart: set[int]) -> list[int]:
    """Meet exact duplicates by key; return rows of the same text that were superseded or refuted."""
    former = []
    for mid in reads.same_key(found.encoded.key):
        if mid in apart:
            continue
        status = reads.status(mid)
        tier = found.encoded.draft.type.invariant_tier
        if tier and status is Status.ACTIVE and not reads.approved(mid) and not reads.memory(mid).type.invariant_tier:
            continue  # a fact may be proposed as an axiom
        if status is Status.ACTIVE:
            found.existing, found.duplicate = mid, True
            return []
        if status is Status.HELD:
            found.existing, found.known = mid, reads.conflicts_of(mid)
            return []
        if status is Status.PENDING and tier:
            found.existing, found.proposal = mid, True
            return []
        if status in _FORMER:
            former.append(mid)
    return former


def _declared(reads: Reads, memory: Memory, candidates: Sequence[Candidate], apart: set[int]) -> list[Candidate]:
    """Add memories that the draft itself says it contradicts, wherever the probe looked."""
    seen = {c.memory.digest for c in candidates}
    added = []
    for relation in memory.relations:
        mid = reads.mid(relation.target)
        if relation.type != EdgeType.CONTRADICTS or relation.target in seen or mid is None or mid in apart:
            continue
        if reads.status(mid) in (Status.ACTIVE, Status.HELD):
            added.append(Candidate(memory=reads.memory(mid), cosine=0.0, rank=len(candidates), words=0.0, exact=True))
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
        found.existing = memory.seq
        if reads.status(memory.seq) is Status.HELD:
            found.known = reads.conflicts_of(memory.seq)
        else:
            found.duplicate = True
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
        suspicious = verdict.suspicious or verdict.probability >= detector.suspicion
        doubtful = approved and suspicious and verdict.relationship is not Relationship.DUPLICATE
        if not (clash or doubtful or mid in named):
            continue
        weighed.add(mid)
        if approved and (clash or mid in named):
            found.invariant = mid
            found.challenges_named_invariant = found.challenges_named_invariant or mid in named
            continue
        if approved:
            found.must_escalate = True
            verdict = verdict.model_copy(update={"suspicious": True, "suggested": Verb.ABORT})
        found.clashes.append(_clash(found, candidate.memory, verdict, mid in named))
    for mid in named:
        if mid in weighed:
            continue
        memory = reads.memory(mid)
        if reads.approved(mid):
            found.invariant, found.challenges_named_invariant = mid, True
            continue
        verdict = Verdict(
            relationship=Relationship.CLASH,
            probability=1.0,
            detected_by=DetectedBy.EXPLICIT,
            evidence=(
                Evidence(
                    kind="explicit",
                    weight=SETTLED_WEIGHT,
                    sentence=f'The author says it supersedes "{excerpt(memory.content, 60)}".',
                ),
            ),
        )
        found.clashes.append(_clash(found, memory, verdict, True))
    found.clashes.sort(key=lambda c: (-c.verdict.probability, c.mid))


def _clash(found: Deliberation, incumbent: Memory, verdict: Verdict, named: bool) -> Clash:
    return Clash(incumbent.seq, incumbent.digest, conflict_id(incumbent.digest, found.digest), verdict, named)


def _equivalent_former(
    db: apsw.Connection, reads: Reads, detector: Weigher, memory: Memory, question: Question, apart: set[int]
) -> list[int]:
    """Return superseded or refuted memories that say the same in other words."""
    if question.vector is None or not reads.has_former():
        return []
    near = [
        mid
        for mid, cosine in search.by_vector(db, question.vector, 8, scope_ids=None, probed=0)
        if cosine >= 0.75 and mid not in apart and reads.status(mid) in _FORMER
    ]
    candidates = [Candidate(memory=reads.memory(mid), cosine=1.0, rank=i, words=1.0) for i, mid in enumerate(near)]
    candidates = [c for c in candidates if not c.memory.redacted and c.memory.scope.overlaps(question.scope)]
    if not candidates:
        return []
    return [
        c.memory.seq
        for c, v in zip(candidates, detector.weigh(memory, candidates), strict=True)
        if v.relationship is Relationship.DUPLICATE or fold(c.memory.content) == fold(memory.content)
    ]


def _settled_before(reads: Reads, found: Deliberation, former: Sequence[int], apart: set[int]) -> None:
    """A claim that lost before clashes with its winner while that is live; the payload says how it was settled."""
    for mid in dict.fromkeys(former):
        winner, edge_seq = _winner(reads, mid)
        if winner is None or winner in apart:
            continue
        at, by, data = reads.event(edge_seq)
        decided = data.get("conflict", "")
        found.settled_before = SettledBefore(
            conflict_id=f"conflict-{decided}",
            at=unstamp(at),
            by=by,
            reason=reads.reason(data),
            verb=Verb(data["decision"]["verb"]),
        )
        memory = reads.memory(winner)
        why = f": {found.settled_before.reason}" if found.settled_before.reason else ""
        piece = Evidence(
            kind="settled",
            weight=SETTLED_WEIGHT,
            sentence=(
                f'This was settled on {unstamp(at):%Y-%m-%d} by {by}{why}; "{excerpt(memory.content, 60)}" holds since.'
            ),
        )
        for i, clash in enumerate(found.clashes):
            if clash.mid == winner:
                verdict = clash.verdict.model_copy(update={"evidence": (piece, *clash.verdict.evidence)})
                found.clashes[i] = Clash(clash.mid, clash.incumbent, clash.cid, verdict, clash.named)
                return
        if reads.approved(winner):
            found.invariant = winner
            return
        verdict = Verdict(
            relationship=Relationship.CLASH,
            probability=0.99,
            detected_by=DetectedBy.EXPLICIT,
            evidence=(piece,),
            suggested=Verb.REFUTE,
        )
        found.clashes.insert(0, _clash(found, memory, verdict, False))
        return


def _winner(reads: Reads, mid: int) -> tuple[int | None, int]:
    """Follow superseded_by and refuted_by to what is live now; also the event that decided the first step."""
    first = 0
    seen = {mid}
    while True:
        step = reads.lost_to(mid)
        if step is None:
            return None, first
        mid, seq = step
        first = first or seq
        if mid in seen:
            return None, first
        seen.add(mid)
        if reads.status(mid) is Status.ACTIVE:
            return mid, first
