"""From a verdict to events: what comes in, what is held, turned away or proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ledger import NewEvent, Reads, Writing
from ..ledger.effects import move
from ..maintain.justify import another_justification
from ..maintain.labels import with_marks
from ..maintain.view import View
from ..records import (
    Author,
    AuthorKind,
    ConflictState,
    EventKind,
    LearnResult,
    OnConflict,
    Outcome,
    Status,
    Verb,
)
from .arrival import arrival, late, offered, turned_away
from .filing import filing, waiting
from .finding import Deliberation
from .remarks import follows, left_to_people
from .weighing import Weighing

if TYPE_CHECKING:
    from ..records import ResolutionResult


class Committing(Weighing):
    """The part of the gate that writes, inside a transaction that its caller holds."""

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
        event = offered(EventKind.CONFIRMED, actor, found, reads.digest(found.existing))
        if found.duplicate and reads.status(found.existing) is Status.ACTIVE:
            grounds = another_justification(reads, found.existing, found.encoded.draft.relations)
            if grounds and reads.approved(found.existing) and actor.kind is not AuthorKind.HUMAN:
                found.warnings.append(
                    f"{reads.memory(found.existing).short_id} is an invariant in force; people alone say what it rests "
                    "on, so the grounds were left out"
                )
                grounds = []
            event.data["effects"] = grounds
        done = tx.append([event])
        return self._report(reads, found, found.outcome).model_copy(update={"seq": done.seqs[0], "merkle": done.head})

    def _reject(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        """Log the attempt. Who names the invariant wants it changed: that becomes a proposal, once."""
        if found.invariant is None:
            assert found.inherited is not None
            done = tx.append([turned_away(actor, found, found.inherited.sentence)])
            return self._report(reads, found, Outcome.INVARIANT).model_copy(
                update={"seq": done.seqs[0], "merkle": done.head}
            )
        digest = reads.digest(found.invariant)
        events = [offered(EventKind.REJECTED, actor, found, digest)]
        update: dict[str, Any] = {}
        if found.challenges_named_invariant:
            replaces = [reads.digest(mid) for mid in found.named if reads.approved(mid)]
            proposed = waiting(reads, found, replaces)
            if not proposed:
                events.append(filing(reads, found, actor, vector, replaces=replaces))
                proposed = found.digest
            update["proposal_id"] = f"proposal-{proposed}"
        done = tx.append(events)
        update |= {"seq": done.seqs[-1], "merkle": done.head}
        return self._report(reads, found, Outcome.INVARIANT).model_copy(update=update)

    def _propose(
        self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, vector: bytes | None
    ) -> LearnResult:
        if found.existing is not None:
            return self._confirm(reads, tx, found, actor)
        return self._file(reads, tx, found, actor, filing(reads, found, actor, vector))

    def _file(self, reads: Reads, tx: Writing, found: Deliberation, actor: Author, event: NewEvent) -> LearnResult:
        done = tx.append([event])
        found.existing, found.proposal, found.duplicate = None, True, False
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
        hold = found.must_hold or (contested and on_conflict is not OnConflict.ALLOW)
        before = found.conflicts(reads) if on_conflict is OnConflict.FAIL else ()
        stood = {each.id for each in before if reads.has_conflict(each.id.removeprefix("conflict-"))}
        events: list[NewEvent] = []
        if found.existing is None:
            status, kind = (Status.HELD, EventKind.HELD) if hold else (Status.ACTIVE, EventKind.LEARNED)
            events.append(arrival(reads, kind, found, actor, status, vector))
        elif not hold:
            digest = reads.digest(found.existing)
            effects = with_marks(View(reads), [move(digest, Status.HELD, Status.ACTIVE)])
            events.append(NewEvent(EventKind.LEARNED, actor, {"effects": effects}))
        elif found.late:
            events.append(late(reads, found, actor))
        done = tx.append(events)
        done_by_it = self._carry_out_named(reads, tx, found, actor)
        found.warnings += follows(reads, [effect for each in done_by_it for effect in each.effects])
        found.warnings += left_to_people(reads, found, self._with_people(reads, found, actor))
        mid = reads.mid(found.digest) if found.existing is None else found.existing
        assert mid is not None
        outcome = Outcome.CONFLICT if reads.status(mid) is Status.HELD else Outcome.COMMITTED
        result = self._report(reads, found, outcome)
        if outcome is Outcome.CONFLICT and on_conflict is OnConflict.FAIL:
            was_there = found.existing is not None
            raise self._failure(result.unrecorded(lambda _: was_there, stood.__contains__))
        return result.model_copy(update={"seq": done.seqs[0] if done.seqs else mid, "merkle": self._ledger.tree_head()})

    def _carry_out_named(self, reads: Reads, tx: Writing, found: Deliberation, actor: Author) -> list[ResolutionResult]:
        carried = []
        for cid in found.decided(reads):
            view = View(reads)
            pair = view.pair(cid)
            allowed = self._resolver.may(view, pair, Verb.SUPERSEDE, actor)
            with_people = pair.state is ConflictState.ESCALATED or view.chosen_by(cid) is not None
            if pair.state.open and (allowed or not with_people):
                done = self._resolver.resolve(
                    reads, tx, cid, Verb.SUPERSEDE, actor, reason="named in --supersedes", with_learn=True
                )
                carried.append(done)
        return carried
