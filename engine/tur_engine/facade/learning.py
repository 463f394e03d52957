"""What comes in: learning, checking, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from .. import records
from ..errors import BadInput, ConflictHeld, NotAllowed
from ..ledger import NewEvent, pace
from ..ledger.bodies import body
from ..records import AuthorKind, Draft, EventKind, LearnResult, OnConflict
from ..text import accept, excerpt
from .store import Store

if TYPE_CHECKING:
    from ..minds import Over


class Learning(Store):
    """What comes in: learning, checking, notes."""

    def learn(
        self,
        draft: Draft,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> LearnResult:
        """Take a draft in, or stop it; outcomes are results. Raises ConflictHeld under `fail`, BadInput, SecretFound.

        A person may let a text through that looks like a secret; NotAllowed for an agent. A `dry_run` answers as the
        learn would, without ids that will be; a clash under `fail` is a result then.
        """
        if allow_secret and self.actor.kind is not AuthorKind.HUMAN:
            raise NotAllowed("only a person may store what looks like a secret")
        _ = self._minds.suspicion  # loads what weighs; an embedder may load on another thread meanwhile
        if dry_run:
            self._of_the_present()
            return self._gate.check(draft, on_conflict=on_conflict, supersedes=supersedes, allow_secret=allow_secret)
        self._writable()
        began = perf_counter()
        result = self._gate.learn(
            draft, self.actor, on_conflict=on_conflict, supersedes=supersedes, allow_secret=allow_secret
        )
        if result.seq is not None:
            took = pace.Took(result.seconds, perf_counter() - began)
            pace.note(self._ledger.store_id, result.seq, took)
        return result

    def check(self, draft: Draft) -> LearnResult:
        """Return the verdict a learn would get; nothing is written. Raises NotAllowed in a view of the past."""
        self._of_the_present()
        return self._gate.check(draft)

    def weigh_through(self, over: Over) -> None:
        """Let `over` go over every verdict from now on: it knows more of some pairs than their texts say."""
        self._minds.over = over

    def learn_many(
        self,
        drafts: Iterable[Draft | records.Refusal],
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        progress: Callable[[int], None] | None = None,
        told: Callable[[int, LearnResult], None] | None = None,
    ) -> records.BatchReport:
        """Learn in order, each checked against all before it; a line that cannot be taken does not stop the rest.

        Under `fail` a clash refuses its line; its result stands in `results`, nothing of it was recorded. A Replacing
        says what it supersedes. `told` hears of each answer before the next line is asked for.
        """
        from .tally import Tally

        self._writable()
        tally = Tally()
        for line, draft in enumerate(drafts, 1):
            if isinstance(draft, records.Refusal):
                tally.refuse(draft)
            else:
                try:
                    result = self.learn(draft, on_conflict=on_conflict, supersedes=records.Replacing.named_by(draft))
                except (BadInput, NotAllowed) as e:
                    tally.refuse(records.Refusal(line=line, reason=str(e)))
                except ConflictHeld as e:
                    tally.refuse(records.Refusal(line=line, reason=str(e)), e.result)  # type: ignore[attr-defined]
                else:
                    tally.took(line, result)
                    if told:
                        told(line, result)
            if progress:
                progress(line)
        return tally.report()

    def note(self, text: str, *, session: str | None = None) -> records.NoteResult:
        """Keep a note: an event, never recalled as fact, never blocked; clashes come back as warnings."""
        self._writable()
        text = accept(text, "note")
        verdict = self._gate.check(Draft(content=text, author=self.actor, session=session))
        clashing = [report.conflict.incumbent for report in verdict.conflicts]
        if verdict.invariant is not None:
            clashing.insert(0, verdict.invariant)
        clashing = [belief for belief in clashing if belief.status.live]
        bodies = [body(text)]
        data: dict[str, object] = {
            "text_ref": bodies[0].ref,
            "effects": [],
            "about": [b.memory.digest for b in clashing if not (b.approved and verdict.invariant_store)],
        }
        if session:
            bodies.append(body(accept(session, "session", limit=512)))
            data["session_ref"] = bodies[1].ref
        with self._ledger.writing() as tx:
            done = tx.append([NewEvent(EventKind.NOTED, self.actor, data, bodies)])
        return records.NoteResult(
            seq=done.seqs[0],
            warnings=tuple(
                f'this note clashes with {self.short(b.id)} ("{excerpt(b.memory.content, 80)}")' for b in clashing
            ),
            clashes=tuple(b.id for b in clashing),
        )
