"""What is settled: verbs, merges, undo, what is held back."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Literal

from ..errors import AmbiguousId, BadInput, NotAllowed, UnknownId
from ..gate.merge import case_of, merged_draft
from ..gate.quarantine import held_back
from ..gate.secrets import kept_reason
from ..ledger import Reads
from ..ledger.history import Narrator
from ..maintain.decision import Decision
from ..maintain.resolver import came_back_as
from ..maintain.session import Rollback, Session
from ..records import (
    Author,
    AuthorKind,
    HeldBack,
    LearnResult,
    ResolutionResult,
    Scope,
    SessionStep,
    SessionUndo,
    Status,
    Verb,
)
from ..text import accept
from .store import Store


class _Tried(Exception):
    """Ends a dry run: its transaction is rolled back."""


class Deciding(Store):
    """What is settled: verbs, merges, undo, what is held back."""

    def resolve(
        self,
        ref: str,
        verb: Verb,
        *,
        revision: int | None = None,
        reason: str = "",
        text: str | None = None,
        side: Literal["incumbent", "challenger"] | None = None,
        scope: Scope | None = None,
        whole_case: bool = False,
    ) -> ResolutionResult:
        """Settle a conflict with one verb. Raises StaleRevision, NotAllowed, BadInput, InvariantViolation."""
        self._writable()
        reason = self._reason(reason)
        decision = Decision(verb, reason, accept(text, "merged text") if text and text.strip() else None, side, scope)
        decision.check()
        if decision.text:
            self._minds.embed(decision.text)  # the model loads before the lock is taken
        stamp = self.stamp()
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._resolver.resolve(
                reads,
                tx,
                reads.find_conflict(ref),
                decision,
                self.actor,
                revision=revision,
                whole_case=whole_case,
                admit_merge=lambda merged, conflict, falling: self._gate.admit_merge(
                    reads, merged, conflict, falling, self.actor, stamp
                ),
            )

    def check_text(self, text: str, *, conflict: str) -> LearnResult:
        """Return what a merged text would still clash with, its own case left out; nothing is written."""
        self._of_the_present()
        with self._reads() as (_, reads):
            found = reads.conflict(reads.find_conflict(conflict))
            left_out = case_of(reads, found)
        return self._gate.check(merged_draft(text, found, self.actor), leave_out=left_out)

    def undo(self, ref: str | None = None, *, reason: str = "") -> ResolutionResult:
        """Take back a decision (of a conflict, of an event `#12`, the actor's last), or what a graph or a pass drew.

        What comes back is weighed against what came in meanwhile; `reopened` names the conflicts found. Raises
        NotAllowed, BadInput, InvariantViolation.
        """
        self._writable()
        reason = self._reason(reason)
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            seq = self._decision_named(reads, ref)
            return self._resolver.undo(
                reads, tx, seq, self.actor, reason, look_again=lambda undo: self._gate.look_again(reads, undo)
            )

    def undo_session(
        self,
        *,
        session: str = "",
        agent: Author | None = None,
        since: datetime | None = None,
        reason: str = "",
        dry_run: bool = False,
    ) -> SessionUndo:
        """Take back what an agent, or a session, learned and decided since a moment, the newest first.

        Decisions are undone and memories retracted, all in one transaction; what cannot be taken back says why, and
        approvals stay. With `dry_run` all of it is tried and nothing kept. Raises BadInput, NotAllowed.
        """
        self._writable()
        if not session and agent is None:
            raise BadInput("name a session or an agent whose events are to be taken back")
        reason = self._reason(reason)
        steps: list[SessionStep] = []
        with suppress(_Tried), self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            narrator = Narrator(db, reads)
            rollback = Rollback(
                self._resolver,
                reads,
                tx,
                self.actor,
                reason,
                lambda undo: self._gate.look_again(reads, undo),
                lambda digest: reads.memory(reads.mid(digest) or 0).short_id,
            )
            for step in rollback.run(Session(agent, session, since)):
                steps.append(step.model_copy(update={"summary": narrator.entry(step.seq).summary}))
            if dry_run:
                raise _Tried
        return SessionUndo(steps=tuple(steps), dry_run=dry_run)

    def held_back(self) -> list[HeldBack]:
        """Return what is held for people though no conflict stops it, oldest first."""
        with self._reads() as (_, reads):
            return [
                HeldBack(belief=reads.belief(mid), reason=reads.reason(reads.event(mid)[2]))
                for mid in reversed(reads.with_status((Status.HELD,)))
                if held_back(reads, mid)
            ]

    def admit(self, ref: str, *, reason: str = "") -> int:
        """Let in, as a person, what is held back; returns the event.

        Raises NotAllowed for an agent and for what a conflict stops, InvariantViolation for what contradicts an
        invariant in force.
        """
        self._writable()
        if self.actor.kind is not AuthorKind.HUMAN:
            raise NotAllowed("what is held back waits for a person's word")
        reason = self._reason(reason)
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._gate.admit(reads, tx, reads.find_memory(ref), self.actor, reason)

    def _reason(self, reason: str) -> str:
        """Return a reason as it will be kept. Raises BadInput, SecretFound."""
        return kept_reason(reason)

    def _decision_named(self, reads: Reads, ref: str | None) -> int | None:
        if ref is None:
            return None
        bare = ref.strip().removeprefix("#")
        number = int(bare) if bare.isdecimal() and len(bare) < 19 else None  # SQLite counts to 2^63
        if number is not None and (ref.strip().startswith("#") or number <= reads.last_event()):
            return number
        if ref.strip().startswith("#"):
            raise BadInput(f"{ref!r} is not an event number; `tur history` lists them")
        try:
            cid = reads.find_conflict(ref)
        except BadInput as e:
            if isinstance(e, AmbiguousId):
                raise
            if number is None and isinstance(e, UnknownId):
                raise
            if number is None:
                raise BadInput(f"{e}, or an event's number (`tur history` lists both)") from None
            raise BadInput(f"there is no event {number}; the ledger holds 1 to {reads.last_event()}") from None
        seq = reads.decision_on(cid)
        if seq is None:
            raise NotAllowed(came_back_as(reads, cid) or f"conflict-{cid[:8]} has no decision to undo")
        return seq

    def reaffirm(self, ref: str, *, reason: str = "") -> int:
        """Clear a suspect mark; returns the event. Raises NotAllowed where there is none."""
        self._writable()
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._resolver.reaffirm(reads, tx, reads.find_memory(ref), self.actor, self._reason(reason))
