"""What a draft meets: in this store, and in those whose invariants hold here too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import copy
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

import apsw

from ..errors import ConflictHeld, NotAllowed, UnknownId
from ..ledger import Encoded, Ledger, Reads, Writing, search
from ..maintain.guard import Bar
from ..maintain.view import View
from ..records import (
    Author,
    Conflict,
    ConflictReport,
    ConflictState,
    Draft,
    Effect,
    LearnResult,
    Memory,
    Outcome,
    Scope,
    Status,
    Verb,
)
from .deliberate import deliberate
from .finding import Deliberation
from .fitting import fitted
from .inherited import Above, Inherited
from .invariants import bars
from .remarks import remarks
from .secrets import refuse_secrets
from .weigher import Weigher

if TYPE_CHECKING:
    from ..maintain.resolver import Resolver


class Weighing:
    """The part of the gate that weighs.

    The resolver asks this gate about what it would let in. `embed` gives the int8 body of a text (model hash and
    vector), None without one.
    """

    def __init__(
        self,
        ledger: Ledger,
        resolver: Callable[[], Resolver],
        detector: Weigher,
        embed: Callable[[str], bytes | None],
        above: Above | None = None,
    ) -> None:
        self._ledger = ledger
        self._above = above
        self._resolving = resolver
        self._detector = detector
        self._embed = embed

    def on(self, ledger: Ledger) -> Self:
        """Return the same gate before a copy of its ledger."""
        other = copy(self)
        other._ledger, other._resolving = ledger, lambda: self._resolver.under(other.bars)
        return other

    @property
    def _resolver(self) -> Resolver:
        return self._resolving()

    @property
    def above(self) -> Above | None:
        """The other stores whose invariants hold here too."""
        return self._above

    def close(self) -> None:
        """Close the other stores that were read."""
        if self._above is not None:
            self._above.close()

    def _deliberate(
        self,
        db: apsw.Connection,
        reads: Reads,
        encoded: Encoded,
        vector: bytes | None,
        named: Sequence[int] = (),
        leave_out: Sequence[str] = (),
        detector: Weigher | None = None,
    ) -> Deliberation:
        """Weigh a draft in this store, and against the invariants of the stores whose word holds here too."""
        detector, began = detector or self._detector, perf_counter()
        found = deliberate(db, reads, detector, encoded, vector, named, leave_out)
        if self._above is not None and found.invariant is None:
            bare = None if vector is None else vector[-search.DIMENSIONS :]
            found.inherited = self._above.against(detector, encoded.memory(), bare)
            if found.inherited is not None and not found.inherited.certain and not found.duplicate:
                found.hold_back(found.inherited.sentence)
        found.seconds = perf_counter() - began
        return found

    def inherited(self, db: apsw.Connection, memory: Memory) -> Inherited | None:
        """Return the invariant of another store that stands against a stored memory: a proposal on its way in."""
        if self._above is None:
            return None
        return self._above.against(self._detector, memory, search.embedding(db, memory.seq))

    def others(self) -> tuple[int, ...]:
        """Return what moves when another store's word changes."""
        return () if self._above is None else self._above.stamp()

    @property
    def weigher(self) -> Weigher:
        """What weighs the pairs."""
        return self._detector

    def embed(self, text: str) -> bytes | None:
        """Return the body of a text's vector; None without an embedder."""
        return self._embed(text)

    def bars(self, reads: Reads, digest: str, scope: Scope | None) -> list[Bar]:
        """Return what stands against a held memory that a decision would let in."""
        with self._ledger.reading() as db:
            found = bars(db, reads, self._detector, digest, scope)
            mid = reads.mid(digest)
            if mid is None:
                return found
            memory = reads.memory(mid)
            if reads.quarantined(memory.author):
                found.append(Bar(f"its author {memory.author} is quarantined", waivable=True))
            if self._above is not None:
                seen = memory if scope is None else memory.model_copy(update={"scope": scope})
                other = self._above.against(self._detector, seen, search.embedding(db, mid))
                if other is not None:
                    shown = other.belief.memory.short_id if other.certain else ""
                    found.append(Bar(other.sentence, violates=shown, waivable=not other.certain))
            return found

    @contextmanager
    def _weighing(self, locked: bool) -> Any:
        holding: AbstractContextManager[Writing | None] = self._ledger.writing() if locked else nullcontext()
        with holding as tx, self._ledger.snapshot() as db:
            yield db, tx

    def _prepare(self, draft: Draft, *, allow_secret: bool = False) -> tuple[Encoded, bytes | None]:
        if not allow_secret or draft.type.invariant_tier:
            refuse_secrets(draft)
        with self._ledger.snapshot() as db:
            draft = fitted(Reads(db), draft, self._ledger.path)
        return Encoded(draft, datetime.now(UTC)), self._embed(draft.content)

    def _named(self, reads: Reads, supersedes: Sequence[str]) -> tuple[list[int], Inherited | None]:
        """Return the rows of `supersedes`, and what it names in another store whose invariants hold here.

        Raises BadInput, UnknownId, AmbiguousId, NotAllowed.
        """
        named: dict[int, None] = {}
        elsewhere = None
        for ref in supersedes:
            try:
                named[reads.find_memory(ref)] = None
            except UnknownId:
                elsewhere = None if self._above is None else self._above.named(ref)
                if elsewhere is None:
                    raise
        for mid in named:
            status = reads.status(mid)
            if status not in (Status.ACTIVE, Status.HELD):
                raise NotAllowed(f"{reads.memory(mid).short_id} is {status}, not live; there is nothing to supersede")
        return list(named), elsewhere

    def _settles(self, reads: Reads, found: Deliberation, actor: Author) -> set[str]:
        """Return the conflicts that `supersedes` settles: named, and this actor's to decide."""
        view = found.view(reads)
        decided = set(found.decided(reads))
        return {cid for cid in decided if self._resolver.may(view, view.pair(cid), Verb.SUPERSEDE, actor)}

    def _would_settle(self, reads: Reads, found: Deliberation, settled: Collection[str]) -> list[Effect]:
        """Return what `supersedes` would change, by these conflicts that it settles."""
        view = found.view(reads)
        named = [each for each in found.conflicts(reads) if each.id.removeprefix("conflict-") in settled]
        previews = [self._resolver.preview(reads, view, each, Verb.SUPERSEDE) for each in named]
        return [effect for each in previews for effect in each.effects or each.later]

    def _failure(self, result: LearnResult) -> ConflictHeld:
        error = ConflictHeld("the text clashes with what is known; nothing was recorded (on-conflict is fail)")
        error.result = result.model_copy(update={"seq": None, "merkle": None})  # type: ignore[attr-defined]
        return error

    def _with_people(self, reads: Reads, found: Deliberation, actor: Author) -> set[str]:
        """Return the conflicts that the author wants to settle by `supersedes`, and that people decide."""
        view = View(reads)
        return {
            cid
            for cid in found.decided(reads)
            if reads.state(cid).open
            and (reads.state(cid) is ConflictState.ESCALATED or view.chosen_by(cid) not in (None, actor))
        }

    def _held_for_people(self, found: Deliberation, outcome: Outcome) -> list[str]:
        if outcome is not Outcome.CONFLICT:
            return []
        return [f"held for a person: {why}" for why in found.kept]

    def _to_be_settled(self, reads: Reads, view: View, conflict: Conflict, author: Author) -> ConflictReport:
        previews = self._resolver.previews(reads, view, conflict)
        pair = view.pair(conflict.id.removeprefix("conflict-"))
        may = [verb for verb, each in previews.items() if each.allowed and self._resolver.may(view, pair, verb, author)]
        return ConflictReport(conflict=conflict, previews=previews, may=tuple(may))

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
        author = found.encoded.draft.author
        reports = tuple(
            self._to_be_settled(reads, view, each, author) if to_settle else ConflictReport(conflict=each)
            for each in conflicts
        )
        rejected = outcome is Outcome.INVARIANT
        draft, known = found.encoded.draft, existing is not None
        heard = [] if rejected else remarks(reads, draft, self._ledger.path, known=known, replaced=found.named)
        return LearnResult(
            outcome=outcome,
            id=None if rejected else f"{kind}-{digest}",
            digest=None if rejected else digest,
            conflicts=reports,
            duplicate_of=f"{kind}-{digest}" if outcome is Outcome.DUPLICATE else None,
            proposal_id=f"proposal-{digest}" if outcome is Outcome.PROPOSED else None,
            invariant=reads.belief(found.invariant) if found.invariant is not None else found.violated_elsewhere,
            invariant_store=str(found.inherited.store) if rejected and found.inherited is not None else None,
            settled_before=found.settled_before,
            warnings=(*found.warnings, *self._held_for_people(found, outcome), *heard),
            doubt=found.doubt,
            seconds=found.seconds,
            content=found.encoded.draft.content,
        )


def unrecorded(reads: Reads, result: LearnResult) -> LearnResult:
    """Return the answer marked with what of it is not in this ledger."""
    return result.unrecorded(
        lambda digest: reads.mid(digest) is not None,
        lambda conflict: reads.has_conflict(conflict.removeprefix("conflict-")),
    )
