"""The one door for every memory: probe -> detect -> policy -> commit, atomically (EP-0134, section 1; CONTRACTS 2).

The verdict is reached outside the write lock. If another writer changed what is believed meanwhile, the newcomer is
weighed again; after three tries under the lock. Two processes that learn contradictory facts never both pass silently.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any, Protocol

from ..errors import ConflictHeld, InvariantViolation, NotAllowed
from ..ledger import Encoded, Ledger, NewEvent, Reads, Writing
from ..ledger.bodies import body
from ..ledger.canonical import canonical
from ..ledger.effects import Effect, arrive, edge, move, open_conflict
from ..ledger.ledger import memory_clock
from ..maintain.resolver import MergedMemory, Resolver
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..records import (
    Author,
    Conflict,
    ConflictReport,
    Draft,
    EventKind,
    LearnResult,
    Memory,
    OnConflict,
    Outcome,
    Relation,
    Status,
    Verb,
    Verdict,
)
from .deliberate import Deliberation, deliberate
from .merge import case_of, merged_draft

RETRIES = 3


class Weigher(Protocol):
    """What the gate needs of a detector."""

    @property
    def suspicion(self) -> float: ...

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]: ...


class Gate:
    """Lets drafts into one ledger. `embed` gives the int8 body of a text (model hash and vector), None without one."""

    def __init__(
        self, ledger: Ledger, resolver: Resolver, detector: Weigher, embed: Callable[[str], bytes | None]
    ) -> None:
        self._ledger = ledger
        self._resolver = resolver
        self._detector = detector
        self._embed = embed

    def check(self, draft: Draft, *, supersedes: Sequence[str] = (), leave_out: Sequence[str] = ()) -> LearnResult:
        """Return the verdict a learn would get; nothing is written. `leave_out`: digests not weighed."""
        encoded, vector = self._prepare(draft)
        with self._ledger.snapshot() as db:
            reads = Reads(db)
            named = self._named(reads, supersedes)
            found = deliberate(db, reads, self._detector, encoded, vector, named, leave_out)
            return self._report(reads, found, Outcome.CONFLICT).model_copy(update={"dry_run": True})

    def learn(
        self,
        draft: Draft,
        actor: Author,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
    ) -> LearnResult:
        """Take a draft in, or stop it. Raises ConflictHeld for a clash under `fail`; BadInput for bad ids."""
        encoded, vector = self._prepare(draft)
        for attempt in range(RETRIES + 1):
            last = attempt == RETRIES
            with self._weighing(last) as (db, tx):
                reads = Reads(db)
                clock = memory_clock(db)
                named = self._named(reads, supersedes)
                found = deliberate(db, reads, self._detector, encoded, vector, named)
                self._refuse_to_fail(reads, found, on_conflict)
                if tx is not None:
                    return self._commit(reads, tx, found, actor, on_conflict, vector)
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                if tx.clock == clock:
                    return self._commit(Reads(db), tx, found, actor, on_conflict, vector)
        raise AssertionError("unreachable: the last try holds the lock")

    @contextmanager
    def _weighing(self, locked: bool) -> Any:
        holding: AbstractContextManager[Writing | None] = self._ledger.writing() if locked else nullcontext()
        with holding as tx, self._ledger.snapshot() as db:
            yield db, tx

    def _prepare(self, draft: Draft) -> tuple[Encoded, bytes | None]:
        with self._ledger.snapshot() as db:
            reads = Reads(db)
            relations = tuple(
                Relation(type=r.type, target=reads.digest(reads.find_memory(r.target))) for r in draft.relations
            )
        draft = draft.model_copy(update={"relations": relations})
        return Encoded(draft, datetime.now(UTC)), self._embed(draft.content)

    def _named(self, reads: Reads, supersedes: Sequence[str]) -> list[int]:
        """Return the rows of `supersedes`. Raises BadInput, UnknownId, AmbiguousId, NotAllowed."""
        named = [reads.find_memory(ref) for ref in supersedes]
        for mid in named:
            status = reads.status(mid)
            if status not in (Status.ACTIVE, Status.HELD):
                raise NotAllowed(f"{reads.memory(mid).short_id} is {status}, not live; there is nothing to supersede")
        return named

    def _refuse_to_fail(self, reads: Reads, found: Deliberation, on_conflict: OnConflict) -> None:
        if on_conflict is OnConflict.FAIL and found.outcome is Outcome.CONFLICT:
            result = self._report(reads, found, Outcome.CONFLICT)
            error = ConflictHeld("the text clashes with what is known; nothing was recorded (on-conflict is fail)")
            error.result = result  # type: ignore[attr-defined]
            raise error

    # committing -----------------------------------------------------------------

    def _commit(
        self,
        reads: Reads,
        tx: Writing,
        found: Deliberation,
        actor: Author,
        on_conflict: OnConflict,
        vector: bytes | None,
    ) -> LearnResult:
        match found.outcome:
            case Outcome.DUPLICATE:
                return self._confirm(reads, tx, found, actor)
            case Outcome.INVARIANT:
                return self._reject(reads, tx, found, actor, vector)
            case Outcome.PROPOSED:
                return self._propose(reads, tx, found, actor, vector)
            case _:
                return self._admit(reads, tx, found, actor, on_conflict, vector)

    def _confirm(self, reads: Reads, tx: Writing, found: Deliberation, actor: Author) -> LearnResult:
        assert found.existing is not None
        offered = body(found.encoded.draft.content)
        digest = reads.digest(found.existing)
        done = tx.append(
            [
                NewEvent(
                    EventKind.CONFIRMED,
                    actor,
                    {"about": [digest], "offered_ref": offered.ref, "effects": []},
                    [offered],
                )
            ]
        )
        return self._report(reads, found, Outcome.DUPLICATE).model_copy(
            update={"seq": done.seqs[0], "merkle": done.head}
        )

    def _reject(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        assert found.invariant is not None
        offered = body(found.encoded.draft.content)
        digest = reads.digest(found.invariant)
        events = [
            NewEvent(
                EventKind.REJECTED,
                actor,
                {"about": [digest], "offered_ref": offered.ref, "effects": []},
                [offered],
            )
        ]
        if found.challenges_named_invariant:
            events.append(self._arrival(EventKind.PROPOSED, found, actor, Status.PENDING, vector, about=[digest]))
        done = tx.append(events)
        update: dict[str, Any] = {"seq": done.seqs[-1], "merkle": done.head}
        if found.challenges_named_invariant:
            update["proposal_id"] = f"proposal-{found.encoded.digest}"
        return self._report(reads, found, Outcome.INVARIANT).model_copy(update=update)

    def _propose(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        done = tx.append([self._arrival(EventKind.PROPOSED, found, actor, Status.PENDING, vector)])
        return self._report(reads, found, Outcome.PROPOSED).model_copy(
            update={"seq": done.seqs[0], "merkle": done.head}
        )

    def _admit(
        self,
        reads: Reads,
        tx: Writing,
        found: Deliberation,
        actor: Author,
        on_conflict: OnConflict,
        vector: bytes | None,
    ) -> LearnResult:
        """Commit, or hold. `supersedes` is a decision on the same footing as a person's verb."""
        contested = bool(found.clashes or found.known)
        hold = contested and (on_conflict is not OnConflict.ALLOW or found.must_escalate)
        events: list[NewEvent] = []
        if found.existing is None:
            status, kind = (Status.HELD, EventKind.HELD) if hold else (Status.ACTIVE, EventKind.LEARNED)
            events.append(self._arrival(kind, found, actor, status, vector))
        elif not hold:
            digest = reads.digest(found.existing)
            events.append(NewEvent(EventKind.LEARNED, actor, {"effects": [move(digest, Status.HELD, Status.ACTIVE)]}))
        done = tx.append(events)
        for cid in found.decided(reads):
            self._resolver.resolve(
                reads, tx, cid, Verb.SUPERSEDE, actor, reason="named in --supersedes", with_learn=True
            )
        mid = reads.mid(found.digest) if found.existing is None else found.existing
        assert mid is not None
        outcome = Outcome.CONFLICT if reads.status(mid) is Status.HELD else Outcome.COMMITTED
        result = self._report(reads, found, outcome)
        return result.model_copy(update={"seq": done.seqs[0] if done.seqs else mid, "merkle": self._ledger.tree_head()})

    def admit_merge(self, reads: Reads, text: str, conflict: Conflict, actor: Author) -> MergedMemory:
        """Pass a merged text through the gate; both sides' own case is left out of the weighing.

        Raises InvariantViolation. Clashes with other memories are opened beside it, contested, for people to see.
        """
        draft = merged_draft(text, conflict, actor)
        encoded, vector = Encoded(draft, datetime.now(UTC)), self._embed(draft.content)
        with self._ledger.reading() as db:
            found = deliberate(db, reads, self._detector, encoded, vector, leave_out=case_of(reads, conflict))
        if found.outcome is Outcome.INVARIANT and found.invariant is not None:
            raise InvariantViolation(
                f"the merged text contradicts the invariant {reads.memory(found.invariant).short_id}; change the text"
            )
        if found.duplicate and found.existing is not None:
            memory = reads.memory(found.existing)
            return MergedMemory(digest=memory.digest, id=memory.id)
        event = self._arrival(EventKind.RESOLVED, found, actor, Status.ACTIVE, vector)
        return MergedMemory(
            digest=encoded.digest,
            memory=event.data["memory"],
            effects=event.data["effects"],
            bodies=event.bodies,
            id=encoded.id,
        )

    def _arrival(
        self,
        kind: EventKind,
        found: Deliberation,
        actor: Author,
        status: Status,
        vector: bytes | None,
        about: Sequence[str] = (),
    ) -> NewEvent:
        encoded = found.encoded
        bodies = list(encoded.bodies)
        embedding_ref = ""
        if vector is not None:
            bodies.append(body(vector))
            embedding_ref = bodies[-1].ref
        effects: list[Effect] = [arrive(encoded.digest, status, embedding_ref)]
        for relation in encoded.draft.relations:
            if relation.type != EdgeType.CONTRADICTS:
                effects.append(edge(encoded.digest, relation.target, relation.type))
        if status is not Status.PENDING:
            for clash in found.clashes:
                record, evidence = clash.record(encoded.digest)
                packed = body(canonical(evidence))
                bodies.append(packed)
                effects.append(open_conflict(clash.cid, {**record, "evidence_ref": packed.ref}))
        data: dict[str, Any] = {"memory": encoded.data, "effects": effects}
        if about:
            data["about"] = list(about)
        return NewEvent(kind, actor, data, bodies)

    # reporting ------------------------------------------------------------------

    def _report(self, reads: Reads, found: Deliberation, outcome: Outcome) -> LearnResult:
        if found.outcome is not Outcome.CONFLICT:
            outcome = found.outcome  # nothing stands against it, or something stronger than a clash
        existing = found.existing if found.existing is not None else None
        digest = reads.digest(existing) if existing is not None else found.digest
        kind = reads.memory(existing).type if existing is not None else found.encoded.draft.type
        conflicts = found.conflicts(reads)
        reports = tuple(
            ConflictReport(conflict=conflict, previews=self._resolver.previews(reads, found.view(reads), conflict))
            for conflict in conflicts
        )
        rejected = outcome is Outcome.INVARIANT
        return LearnResult(
            outcome=outcome,
            id=None if rejected else f"{kind}-{digest}",
            digest=None if rejected else digest,
            conflicts=reports,
            duplicate_of=f"{kind}-{digest}" if outcome is Outcome.DUPLICATE else None,
            proposal_id=f"proposal-{digest}" if outcome is Outcome.PROPOSED else None,
            invariant=reads.belief(found.invariant) if found.invariant is not None else None,
            settled_before=found.settled_before,
            warnings=tuple(found.warnings),
            content=found.encoded.draft.content,
        )
