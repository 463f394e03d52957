"""Many memories as one: all of them come in, or none; and what would become of them, with nothing written."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BadInput, ConflictHeld, NotAllowed, UnknownId
from ..gate.fitting import fitted
from ..gate.secrets import refuse_secrets
from ..ledger import Encoded, Ledger, Reads, Writing
from ..maintain.resolver import Resolver
from ..records import BatchReport, Draft, LearnResult, OnConflict, Outcome, Refusal, Replacing
from .store import Store
from .tally import Tally

if TYPE_CHECKING:
    from ..gate import Gate
    from ..introspect.rehearsing import Remembering

Progress = Callable[[int], None]
Told = Callable[[int, LearnResult], None]
_PERSONA = "persona.yaml"
_TRIES = 3


class _Tried(Exception):
    """Ends a rehearsal: its transaction is rolled back."""


class _Moved(Exception):
    """Another writer brought in what one of the memories clashes with."""


class _Ready(NamedTuple):
    """A draft that passed the rehearsal."""

    line: int
    draft: Draft
    vector: bytes | None
    digest: str
    """What it had in the rehearsal; an edge of a later one may name it."""
    supersedes: tuple[str, ...]


class Together(Store):
    """Many memories as one."""

    def rehearse_many(
        self,
        drafts: Iterable[Draft | Refusal],
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        progress: Progress | None = None,
        told: Told | None = None,
    ) -> BatchReport:
        """Return what `learn_many` would report; it is tried on a copy, so nothing is written and nobody waits.

        Ids and event numbers of what would be new are none that will be. `told` hears of each line's answer at once.
        """
        self._of_the_present()
        return self._rehearsed(drafts, on_conflict, progress, told)[0].report(dry_run=True)

    def learn_together(
        self,
        drafts: Iterable[Draft | Refusal],
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        progress: Progress | None = None,
        told: Told | None = None,
    ) -> BatchReport:
        """Learn all of them in one transaction, or nothing where one is refused, clashes or violates an invariant.

        Under `allow` a clash does not stop them: both sides are contested. The report says which lines it was;
        `nothing_kept` is true then. All is weighed on a copy first, so that other writers wait for the writing only.
        """
        self._writable()
        given: Iterable[Draft | Refusal] = drafts
        for _ in range(_TRIES):
            seen: list[Draft | Refusal] = []
            tally, ready, weigher = self._rehearsed(_noting(given, seen), on_conflict, progress, told)
            given = seen
            if tally.stops:
                return tally.report(nothing_kept=True)
            with suppress(_Moved):
                return self._kept(ready, on_conflict, weigher)
        return tally.report(nothing_kept=True)

    def _rehearsed(
        self,
        drafts: Iterable[Draft | Refusal],
        on_conflict: OnConflict,
        progress: Progress | None,
        told: Told | None,
    ) -> tuple[Tally, list[_Ready], Remembering]:
        from ..gate import Gate
        from ..introspect.rehearsing import Remembering

        weigher, tally = Remembering(self._minds), Tally()
        ready: list[_Ready] = []
        with TemporaryDirectory(prefix="tur-") as folder:
            copy = Path(folder) / self.path.name
            self._ledger.backup(copy)
            if (persona := self.path.with_name(_PERSONA)).is_file():
                shutil.copy(persona, copy.with_name(_PERSONA))
            ledger = Ledger(copy)
            resolver = Resolver(lambda *asked: gate.bars(*asked), self.settings.agent_may_resolve)
            gate = Gate(ledger, lambda: resolver, weigher, self._minds.embed, self._gate.above)
            try:
                with suppress(_Tried), ledger.writing() as tx:
                    for line, draft in enumerate(drafts, 1):
                        if isinstance(draft, Refusal):
                            tally.refuse(draft)
                        else:
                            result = self._try(gate, ledger, tx, (line, draft), on_conflict, tally, ready)
                            if told and result is not None:
                                told(line, result)
                        if progress:
                            progress(line)
                    raise _Tried
            finally:
                ledger.close()
        return tally, ready, weigher

    def _try(
        self,
        gate: Gate,
        ledger: Ledger,
        tx: Writing,
        numbered: tuple[int, Draft],
        on_conflict: OnConflict,
        tally: Tally,
        ready: list[_Ready],
    ) -> LearnResult | None:
        line, draft = numbered
        named = Replacing.named_by(draft)
        try:
            refuse_secrets(draft)
            with ledger.reading() as db:
                draft = fitted(Reads(db), draft, ledger.path)
            vector = gate.embed(draft.content)
            encoded = Encoded(draft, datetime.now(UTC))
            _, result = gate.take_in(tx, encoded, vector, self.actor, on_conflict, gate.weigher, named)
            if result is None:  # it violates an invariant: the verdict, without the log
                result = gate.check(draft, supersedes=named)
            result = self._as_it_is(result)
        except (BadInput, NotAllowed) as e:
            tally.refuse(Refusal(line=line, reason=str(e)))
        except ConflictHeld as e:
            tally.refuse(Refusal(line=line, reason=str(e)), self._as_it_is(e.result))  # type: ignore[attr-defined]
        else:
            tally.took(line, result.model_copy(update={"dry_run": True, "seq": None, "merkle": None}))
            ready.append(_Ready(line, draft, vector, encoded.digest, named))
            return result
        return None

    def _as_it_is(self, result: LearnResult) -> LearnResult:
        """Return a rehearsal's answer marked with what of it the store itself does not hold."""
        with self._reads() as (_, reads):
            from ..gate.weighing import unrecorded  # the detector comes with it

            return unrecorded(reads, result)

    def _kept(self, ready: list[_Ready], on_conflict: OnConflict, weigher: Remembering) -> BatchReport:
        """Learn them for good. Raises _Moved where one clashes with what came in since."""
        tally = Tally()
        now_named: dict[str, str] = {}
        with self._ledger.writing() as tx:
            for each in ready:
                draft = _with_targets(each.draft, now_named)
                encoded = Encoded(draft, datetime.now(UTC))
                named = [now_named.get(ref, ref) for ref in each.supersedes]
                try:
                    _, result = self._gate.take_in(tx, encoded, each.vector, self.actor, on_conflict, weigher, named)
                except (UnknownId, NotAllowed):  # what it supersedes fell since
                    raise _Moved from None
                if result is None or result.outcome is Outcome.CONFLICT:
                    raise _Moved
                now_named[each.digest] = result.digest or encoded.digest
                tally.took(each.line, result)
        return tally.report()


def _noting(drafts: Iterable[Draft | Refusal], seen: list[Draft | Refusal]) -> Iterator[Draft | Refusal]:
    """Pass the drafts on one by one, for a reader may wait for the answer to one before it makes the next."""
    for draft in drafts:
        seen.append(draft)
        yield draft


def _with_targets(draft: Draft, named: dict[str, str]) -> Draft:
    """Return the draft with edges to what the rehearsal brought in led to what is kept."""
    if not any(relation.target in named for relation in draft.relations):
        return draft
    relations = tuple(r.model_copy(update={"target": named.get(r.target, r.target)}) for r in draft.relations)
    return draft.model_copy(update={"relations": relations})
