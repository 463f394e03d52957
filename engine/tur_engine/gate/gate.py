"""The one door for every memory: probe -> detect -> policy -> commit, atomically (EP-0134, section 1; CONTRACTS 2).

The verdict is reached outside the write lock. If another writer changed what is believed meanwhile, the newcomer is
weighed again; after three tries under the lock. Two processes that learn contradictory facts never both pass silently.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any

from ..errors import ConflictHeld, InvariantViolation, NotAllowed
from ..ledger import Encoded, Ledger, NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect, move
from ..ledger.ledger import memory_clock
from ..maintain.resolver import MergedMemory, Resolver
from ..maintain.undo import UndoPlan
from ..maintain.view import View
from ..ontology import normalise_edge_type
from ..records import (
    Author,
    Conflict,
    ConflictReport,
    ConflictState,
    Draft,
    EventKind,
    LearnResult,
    OnConflict,
    Outcome,
    Relation,
    Status,
    Verb,
)
from .again import look_again
from .arrival import arrival, doubts_of, offered
from .deliberate import deliberate
from .finding import Deliberation
from .merge import merged_draft
from .weigher import Weigher

RETRIES = 3


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
            settled = self._settles(reads, found, draft.author)
            outcome = Outcome.CONFLICT if set(found.in_question()) - settled else Outcome.COMMITTED
            return self._report(reads, found, outcome, settled).model_copy(update={"dry_run": True})

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
                if on_conflict is OnConflict.FAIL and found.outcome is Outcome.CONFLICT and not found.decided(reads):
                    raise self._failure(self._report(reads, found, Outcome.CONFLICT))
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
            relations = [
                Relation(type=normalise_edge_type(r.type), target=reads.digest(reads.find_memory(r.target)))
                for r in draft.relations
            ]
        draft = draft.model_copy(update={"relations": tuple(dict.fromkeys(relations))})
        return Encoded(draft, datetime.now(UTC)), self._embed(draft.content)

    def _named(self, reads: Reads, supersedes: Sequence[str]) -> list[int]:
        """Return the rows of `supersedes`. Raises BadInput, UnknownId, AmbiguousId, NotAllowed."""
        named = list(dict.fromkeys(reads.find_memory(ref) for ref in supersedes))
        for mid in named:
            status = reads.status(mid)
            if status not in (Status.ACTIVE, Status.HELD):
                raise NotAllowed(f"{reads.memory(mid).short_id} is {status}, not live; there is nothing to supersede")
        return named

    def _settles(self, reads: Reads, found: Deliberation, actor: Author) -> set[str]:
        """Return the conflicts that `supersedes` settles: named, and this actor's to decide."""
        view = found.view(reads)
        decided = set(found.decided(reads))
        return {cid for cid in decided if self._resolver.may(view, view.pair(cid), Verb.SUPERSEDE, actor)}

    def _failure(self, result: LearnResult) -> ConflictHeld:
        error = ConflictHeld("the text clashes with what is known; nothing was recorded (on-conflict is fail)")
        error.result = result.model_copy(update={"seq": None, "merkle": None})  # type: ignore[attr-defined]
        return error

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
        done = tx.append([offered(EventKind.CONFIRMED, actor, found, reads.digest(found.existing))])
        return self._report(reads, found, found.outcome).model_copy(update={"seq": done.seqs[0], "merkle": done.head})

    def _reject(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        """Log the attempt. Who names the invariant wants it changed: that becomes a proposal, once."""
        assert found.invariant is not None
        digest = reads.digest(found.invariant)
        events = [offered(EventKind.REJECTED, actor, found, digest)]
        update: dict[str, Any] = {}
        if found.challenges_named_invariant:
            proposed = found.digest if found.pending is None else reads.digest(found.pending)
            update["proposal_id"] = f"proposal-{proposed}"
            if found.pending is None:
                events.append(arrival(reads, EventKind.PROPOSED, found, actor, Status.PENDING, vector, digest))
        done = tx.append(events)
        update |= {"seq": done.seqs[-1], "merkle": done.head}
        return self._report(reads, found, Outcome.INVARIANT).model_copy(update=update)

    def _propose(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        if found.existing is not None:
            return self._confirm(reads, tx, found, actor)
        done = tx.append([arrival(reads, EventKind.PROPOSED, found, actor, Status.PENDING, vector)])
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
        contested = bool(found.in_question())
        hold = contested and (on_conflict is not OnConflict.ALLOW or found.must_hold)
        events: list[NewEvent] = []
        if found.existing is None:
            status, kind = (Status.HELD, EventKind.HELD) if hold else (Status.ACTIVE, EventKind.LEARNED)
            events.append(arrival(reads, kind, found, actor, status, vector))
        elif not hold:
            digest = reads.digest(found.existing)
            doubts = doubts_of(reads, digest, View(reads).grounds(digest))
            effects = [move(digest, Status.HELD, Status.ACTIVE), *doubts]
            events.append(NewEvent(EventKind.LEARNED, actor, {"effects": effects}))
        done = tx.append(events)
        self._carry_out_named(reads, tx, found, actor)
        mid = reads.mid(found.digest) if found.existing is None else found.existing
        assert mid is not None
        outcome = Outcome.CONFLICT if reads.status(mid) is Status.HELD else Outcome.COMMITTED
        result = self._report(reads, found, outcome)
        if outcome is Outcome.CONFLICT and on_conflict is OnConflict.FAIL:
            raise self._failure(result)
        return result.model_copy(update={"seq": done.seqs[0] if done.seqs else mid, "merkle": self._ledger.tree_head()})

    def _carry_out_named(self, reads: Reads, tx: Writing, found: Deliberation, actor: Author) -> None:
        for cid in found.decided(reads):
            view = View(reads)
            pair = view.pair(cid)
            allowed = self._resolver.may(view, pair, Verb.SUPERSEDE, actor)
            with_people = pair.state is ConflictState.ESCALATED or view.chosen_by(cid) is not None
            if pair.state.open and (allowed or not with_people):
                self._resolver.resolve(
                    reads, tx, cid, Verb.SUPERSEDE, actor, reason="named in --supersedes", with_learn=True
                )

    def admit_merge(
        self, reads: Reads, text: str, conflict: Conflict, falling: Sequence[str], actor: Author
    ) -> MergedMemory:
        """Pass a merged text through the gate; what falls with the merge is left out of the weighing.

        Raises InvariantViolation, NotAllowed. Clashes with other memories are opened beside it, contested, for people
        to see.
        """
        draft = merged_draft(text, conflict, actor)
        encoded, vector = Encoded(draft, datetime.now(UTC)), self._embed(draft.content)
        with self._ledger.reading() as db:
            found = deliberate(db, reads, self._detector, encoded, vector, leave_out=falling)
        if found.invariant is not None:
            raise InvariantViolation(
                f"the merged text contradicts the invariant {reads.memory(found.invariant).short_id}; change the text"
            )
        if found.duplicate and found.existing is not None:
            memory = reads.memory(found.existing)
            return MergedMemory(digest=memory.digest, id=memory.id)
        if found.existing is not None:
            raise NotAllowed(
                f"the merged text is what {reads.memory(found.existing).short_id} says, which is held itself; "
                "settle that one first, or change the text"
            )
        if found.must_hold:
            guarded = next(clash for clash in found.clashes if reads.approved(clash.mid))
            raise InvariantViolation(
                f"the merged text may contradict the invariant {reads.memory(guarded.mid).short_id}; change the text"
            )
        event = arrival(reads, EventKind.RESOLVED, found, actor, Status.ACTIVE, vector)
        return MergedMemory(
            digest=encoded.digest,
            memory=event.data["memory"],
            effects=event.data["effects"],
            bodies=event.bodies,
            id=encoded.id,
        )

    def look_again(self, reads: Reads, undo: UndoPlan) -> tuple[list[Effect], list[Body]]:
        """Weigh what an undo brings back against what came in meanwhile. Raises InvariantViolation."""
        with self._ledger.reading() as db:
            return look_again(db, reads, self._detector, undo)

    # reporting ------------------------------------------------------------------

    def _report(
        self, reads: Reads, found: Deliberation, outcome: Outcome, settled: Collection[str] = ()
    ) -> LearnResult:
        """Tell the outcome. Conflicts that `supersedes` has settled, or would settle, are no longer in question."""
        if found.outcome is not Outcome.CONFLICT:
            outcome = found.outcome  # nothing stands against it, or something stronger than a clash
        existing = found.existing
        digest = reads.digest(existing) if existing is not None else found.digest
        kind = reads.memory(existing).type if existing is not None else found.encoded.draft.type
        conflicts = [conflict for conflict in found.conflicts(reads) if conflict.state.open]
        if outcome is Outcome.COMMITTED:
            conflicts = [conflict for conflict in conflicts if conflict.id.removeprefix("conflict-") not in settled]
        to_settle = outcome in (Outcome.CONFLICT, Outcome.COMMITTED)  # of a proposal, or a rejection, nothing is
        view = found.view(reads)
        reports = tuple(
            ConflictReport(conflict=each, previews=self._resolver.previews(reads, view, each) if to_settle else {})
            for each in conflicts
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
            doubt=found.doubt,
            content=found.encoded.draft.content,
        )
