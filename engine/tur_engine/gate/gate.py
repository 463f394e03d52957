"""The one door for every memory: probe -> detect -> policy -> commit, atomically (EP-0134, section 1; CONTRACTS 2).

The verdict is reached outside the write lock. If another writer changed what is believed meanwhile, the newcomer is
weighed again; after three tries under the lock. Two processes that learn contradictory facts never both pass silently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..errors import InvariantViolation, NotAllowed
from ..govern.proposing import invariants_named
from ..ledger import Encoded, NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect, move
from ..ledger.writing import memory_clock
from ..maintain.labels import with_marks
from ..maintain.view import View
from ..records import (
    Author,
    Conflict,
    Draft,
    EventKind,
    LearnResult,
    OnConflict,
    Outcome,
    Status,
)
from .again import look_again
from .arrival import arrival
from .committing import Committing
from .filing import filing, waiting
from .finding import Deliberation
from .merge import merged_draft
from .quarantine import held_back, quarantine
from .remarks import follows, left_to_people
from .secrets import refuse_secrets
from .weigher import Weigher
from .weighing import unrecorded

if TYPE_CHECKING:
    from ..maintain.inverse import UndoPlan
    from ..maintain.resolver import MergedMemory

RETRIES = 3


class Gate(Committing):
    """Lets drafts into one ledger."""

    def check(
        self,
        draft: Draft,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
        leave_out: Sequence[str] = (),
        allow_secret: bool = False,
    ) -> LearnResult:
        """Return what a learn would answer; nothing is written. Under `fail` a clash is a result as under `hold`.

        `leave_out`: digests not weighed.
        """
        encoded, vector = self._prepare(draft, allow_secret=allow_secret)
        with self._ledger.snapshot() as db:
            reads = Reads(db)
            named, elsewhere = self._named(reads, supersedes)
            found = self._deliberate(db, reads, encoded, vector, named, leave_out)
            found.challenge(elsewhere)
            quarantine(reads, found, draft.author)
            settled = self._settles(reads, found, draft.author)
            if found.outcome is Outcome.CONFLICT:
                found.warnings += left_to_people(reads, found, set(found.decided(reads)) - settled)
            in_question = set(found.in_question()) - settled
            stopped = found.must_hold or (in_question and on_conflict is not OnConflict.ALLOW)
            outcome = Outcome.CONFLICT if stopped else Outcome.COMMITTED
            if outcome is Outcome.COMMITTED and settled:
                found.warnings += follows(reads, self._would_settle(reads, found, settled))
            result = self._report(reads, found, outcome, settled).model_copy(update={"dry_run": True})
            return unrecorded(reads, result)

    def learn(
        self,
        draft: Draft,
        actor: Author,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
        allow_secret: bool = False,
    ) -> LearnResult:
        """Take a draft in, or stop it. Raises ConflictHeld for a clash under `fail`, BadInput, SecretFound."""
        encoded, vector = self._prepare(draft, allow_secret=allow_secret)
        for attempt in range(RETRIES + 1):
            last = attempt == RETRIES
            with self._weighing(last) as (db, tx):
                reads = Reads(db)
                clock, others = memory_clock(db), self.others()
                named, elsewhere = self._named(reads, supersedes)
                found = self._deliberate(db, reads, encoded, vector, named)
                found.challenge(elsewhere)
                quarantine(reads, found, draft.author, actor)
                if on_conflict is OnConflict.FAIL and found.outcome is Outcome.CONFLICT and not found.decided(reads):
                    raise self._failure(unrecorded(reads, self._report(reads, found, Outcome.CONFLICT)))
                if tx is not None:
                    return self._commit(reads, tx, found, actor, on_conflict, vector)
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                if tx.clock == clock and self.others() == others:
                    return self._commit(Reads(db), tx, found, actor, on_conflict, vector)
        raise AssertionError("unreachable: the last try holds the lock")

    def rehearse(self, encoded: Encoded, vector: bytes | None, detector: Weigher) -> None:
        """Weigh a draft outside the lock; `detector` keeps the verdicts for `take_in`."""
        with self._ledger.snapshot() as db:
            self._deliberate(db, Reads(db), encoded, vector, detector=detector)

    def take_in(
        self,
        tx: Writing,
        encoded: Encoded,
        vector: bytes | None,
        actor: Author,
        on_conflict: OnConflict,
        detector: Weigher,
        supersedes: Sequence[str] = (),
    ) -> tuple[Deliberation, LearnResult | None]:
        """Let one of many drafts in, inside a transaction that holds them all, weighed against those before it too.

        Without a result where it violates an invariant: the caller ends the transaction and calls `turn_away`.
        Raises ConflictHeld for a clash under `fail`, NotAllowed and UnknownId for what cannot be superseded.
        """
        with self._ledger.reading() as db:
            reads = Reads(db)
            named, elsewhere = self._named(reads, supersedes)
            found = self._deliberate(db, reads, encoded, vector, named, detector=detector)
            found.challenge(elsewhere)
            quarantine(reads, found, encoded.draft.author, actor)
            if found.outcome is Outcome.INVARIANT:
                return found, None
            return found, self._commit(reads, tx, found, actor, on_conflict, vector)

    def turn_away(self, found: Deliberation, actor: Author, vector: bytes | None) -> LearnResult:
        """Log a draft that violates an invariant, in a transaction of its own; nothing else of it is kept.

        What it met of the others that were to come in with it is forgotten: they are not there.
        """
        found.clashes, found.known, found.late, found.existing, found.duplicate = [], [], [], None, False
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            return self._reject(Reads(db), tx, found, actor, vector)

    def propose(
        self,
        draft: Draft,
        actor: Author,
        *,
        replaces: Sequence[str] = (),
        promotes: str = "",
        reason: str = "",
    ) -> LearnResult:
        """File a proposal; `replaces` are ids of invariants, `promotes` the digest of the memory it is made from.

        What contradicts an invariant that it does not name is rejected as any draft is; what is in force already, or
        waits already, is confirmed. Raises BadInput.
        """
        encoded, vector = self._prepare(draft)
        with self._ledger.snapshot() as db:  # the models load, and read the texts, before the lock is taken
            self._deliberate(db, Reads(db), encoded, vector, leave_out=[promotes] if promotes else [])
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            going = [reads.digest(mid) for mid in invariants_named(reads, list(replaces))]
            left_out = [*going, *([promotes] if promotes else [])]
            found = self._deliberate(db, reads, encoded, vector, leave_out=left_out)
            if found.outcome is Outcome.INVARIANT:
                return self._reject(reads, tx, found, actor, vector)
            if waiting(reads, found, going, promotes) or found.duplicate:
                return self._confirm(reads, tx, found, actor)
            event = filing(reads, found, actor, vector, replaces=going, promotes=promotes, reason=reason)
            return self._file(reads, tx, found, actor, event)

    def admit_merge(
        self,
        reads: Reads,
        text: str,
        conflict: Conflict,
        falling: Sequence[str],
        actor: Author,
        provenance: Mapping[str, str],
    ) -> MergedMemory:
        """Pass a merged text through the gate; what falls with the merge is left out of the weighing.

        Raises InvariantViolation, NotAllowed. Clashes with other memories are opened beside it, contested, for people
        to see.
        """
        from ..maintain.resolver import MergedMemory

        draft = merged_draft(text, conflict, actor, provenance)
        refuse_secrets(draft, "merged text")
        encoded, vector = Encoded(draft, datetime.now(UTC)), self._embed(draft.content)
        with self._ledger.reading() as db:
            found = self._deliberate(db, reads, encoded, vector, leave_out=falling)
        if found.invariant is not None:
            shown = reads.memory(found.invariant).short_id
            raise InvariantViolation.of(shown, f"the merged text contradicts the invariant {shown}; change the text")
        if found.inherited is not None:
            shown = found.inherited.belief.memory.short_id
            raise InvariantViolation.of(shown, f"the merged text: {found.inherited.sentence}; change the text")
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
            shown = reads.memory(guarded.mid).short_id
            raise InvariantViolation.of(shown, f"the merged text may contradict the invariant {shown}; change the text")
        event = arrival(reads, EventKind.RESOLVED, found, actor, Status.ACTIVE, vector)
        return MergedMemory(
            digest=encoded.digest,
            memory=event.data["memory"],
            effects=event.data["effects"],
            bodies=event.bodies,
            id=encoded.id,
        )

    def admit(self, reads: Reads, tx: Writing, mid: int, actor: Author, reason: str = "") -> int:
        """Let in what is held back, by a person's word; returns the event.

        Raises NotAllowed where a conflict stops it, or an invariant may; InvariantViolation where one does.
        """
        memory = reads.memory(mid)
        if not held_back(reads, mid):
            state = reads.status(mid)
            why = "a conflict stops it; settle that" if state is Status.HELD else f"it is {state}"
            raise NotAllowed(f"{memory.short_id} is not held back: {why}")
        for bar in self.bars(reads, memory.digest, None):
            if bar.violates:
                raise InvariantViolation.of(bar.violates, f"{bar.sentence}; {memory.short_id} stays held")
            if not bar.waivable or reads.quarantined(memory.author):
                raise NotAllowed(f"{memory.short_id} stays held: {bar.sentence}")
        effects = with_marks(View(reads), [move(memory.digest, Status.HELD, Status.ACTIVE)])
        return tx.append([NewEvent(EventKind.LEARNED, actor, {"effects": effects}).because(reason)]).seqs[0]

    def look_again(self, reads: Reads, undo: UndoPlan) -> tuple[list[Effect], list[Body]]:
        """Weigh what an undo brings back against what came in meanwhile. Raises InvariantViolation."""
        with self._ledger.reading() as db:
            return look_again(db, reads, self._detector, undo, self._above)
