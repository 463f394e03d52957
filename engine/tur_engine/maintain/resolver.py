"""Carries decisions out: one verb, one event, one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..errors import InvariantViolation, NotAllowed, StaleRevision
from ..ledger import NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect, settle
from ..records import (
    Author,
    AuthorKind,
    Conflict,
    ConflictState,
    EventKind,
    ResolutionResult,
    Verb,
)
from .decision import Decision
from .describe import describe
from .guard import Bar, Guard
from .labels import with_marks
from .letting_in import opened
from .plan import ENDS_CASE, Plan, case_of, decided_by, plan
from .policy import AgentMayResolve, must_escalate, withdraws_own
from .previewing import Previewing
from .taking_back import TakingBack
from .view import PairState, View


class MergedMemory(NamedTuple):
    """What a merge brings in: the digest that takes both places, its record and effects (none for a duplicate)."""

    digest: str
    memory: dict[str, Any] | None = None
    effects: Sequence[Effect] = ()
    bodies: Sequence[Body] = ()
    id: str = ""


AdmitMerge = Callable[[str, Conflict, Sequence[str]], MergedMemory]
"""Passes a merged text through the gate, given the digests that fall with the merge; raises where it may not enter."""


class Resolver(Previewing, TakingBack):
    """Decisions on one ledger, under one policy."""

    def __init__(self, guard: Guard, policy: AgentMayResolve = AgentMayResolve.AGENTS) -> None:
        super().__init__(guard)
        self._policy = policy

    def under(self, guard: Guard) -> Resolver:
        """Return another one of the same policy that asks this guard."""
        return Resolver(guard, self._policy)

    def resolve(
        self,
        reads: Reads,
        tx: Writing,
        cid: str,
        decision: Decision | Verb,
        actor: Author,
        *,
        reason: str = "",
        revision: int | None = None,
        whole_case: bool = False,
        admit_merge: AdmitMerge | None = None,
        with_learn: bool = False,
    ) -> ResolutionResult:
        """Settle a conflict inside the caller's transaction.

        Raises StaleRevision, NotAllowed, BadInput. `with_learn` marks a decision that came with the learn itself.
        """
        if isinstance(decision, Verb):
            decision = Decision(decision, reason)
        decision.check()
        view = View(reads)
        pair = view.pair(cid)
        before = reads.conflict(cid)
        if revision is not None and revision != before.revision:
            raise StaleRevision(
                f"conflict-{cid[:8]} is at revision {before.revision}, you decided on {revision}; "
                f"it is {before.state} now, look again",
                current=before.revision,
            )
        if pair.state is ConflictState.RESOLVED:
            _settled_already(reads, before)
        case = case_of(view, pair, whole_case=True)
        for one in case if whole_case else [pair]:
            if why := must_escalate(view, one, decision.verb, actor, self._policy):
                return self._escalate(reads, tx, before, decision, actor, why)
        for one in case if whole_case or decision.verb in ENDS_CASE else [pair]:
            if by := _left_to_people(view, one, decision.verb, actor):
                raise NotAllowed(
                    f"conflict-{one.cid[:8]} has its verb from {by} already; wait until the rest of the case is decided"
                )
        draft = plan(view, cid, decision, merged="?", whole_case=whole_case)
        if draft.waiting:
            return self._choose(reads, tx, cid, decision, actor, draft)
        merged = self._merge(reads, view, pair, decision, draft, admit_merge)
        made, bars = self.let_in(
            reads,
            lambda barred: plan(
                view,
                cid,
                decision,
                merged=merged.digest if merged else "",
                whole_case=whole_case,
                barred=barred,
            ),
            decided_by_people=pair.challenger if actor.kind is AuthorKind.HUMAN else "",
        )
        if own := bars.pop(pair.challenger, None):
            return self._stop(reads, tx, before, own, actor)
        decided = decided_by(view, cid, decision, whole_case=whole_case)
        packed, bodies = decision.pack()
        data: dict[str, Any] = {"conflict": cid, "decision": packed, "effects": [*made.effects, *opened(bars)]}
        bodies += [each for found in bars.values() for bar in found for each in bar.bodies]
        if "reason_ref" in packed:
            data["reason_ref"] = packed["reason_ref"]
        if merged and merged.memory is not None:
            data["memory"] = merged.memory
            data["effects"] = with_marks(view, [*merged.effects, *data["effects"]])
            bodies += merged.bodies
        if with_learn:
            data["with_learn"] = True
        done = tx.append([NewEvent(EventKind.RESOLVED, actor, data, bodies)])
        return ResolutionResult(
            verb=decision.verb,
            conflict=reads.conflict(cid),
            seq=done.seqs[0],
            effects=describe(reads, data["effects"], decided=decided),
            memory_id=merged.id if merged else None,
        )

    def _stop(self, reads: Reads, tx: Writing, before: Conflict, bars: list[Bar], actor: Author) -> ResolutionResult:
        """The candidate stays held. Raises InvariantViolation for a certain clash; a suspicion goes to people."""
        for bar in bars:
            if bar.violates:
                raise InvariantViolation.of(bar.violates, f"{bar.sentence}; nothing was changed")
        effects = opened({"": bars})
        if not effects:
            raise NotAllowed(f"{before.challenger.memory.short_id} stays held: {bars[0].sentence}")
        about = before.id.removeprefix("conflict-")
        data: dict[str, Any] = {"conflict": bars[0].conflict, "about": [about], "effects": effects}
        event = NewEvent(EventKind.ESCALATED, actor, data, [each for bar in bars for each in bar.bodies])
        done = tx.append([event.because("; ".join(bar.sentence for bar in bars))])
        return ResolutionResult(verb="escalate", conflict=reads.conflict(bars[0].conflict), seq=done.seqs[0])

    def _merge(
        self,
        reads: Reads,
        view: View,
        pair: PairState,
        decision: Decision,
        draft: Plan,
        admit: AdmitMerge | None,
    ) -> MergedMemory | None:
        """Admit the merged text: of this decision, else of the one in the case that waited."""
        if not draft.merged:
            return None
        given = {pair.cid: decision} if decision.verb is Verb.MERGE else {}
        for other in case_of(view, pair):
            chosen = view.chosen(other.cid)
            if not given and chosen is not None and chosen.verb is Verb.MERGE:
                given = {other.cid: chosen}
        cid, merge = next(iter(given.items()))
        if admit is None or merge.text is None:
            raise NotAllowed("a merge passes the gate; it cannot be carried out here")
        return admit(merge.text, reads.conflict(cid), draft.falling)

    def may(self, view: View, pair: PairState, verb: Verb, actor: Author) -> bool:
        """True where the actor may settle this pair with this verb, as far as policy goes."""
        return not must_escalate(view, pair, verb, actor, self._policy) and not _left_to_people(view, pair, verb, actor)

    def _choose(
        self, reads: Reads, tx: Writing, cid: str, decision: Decision, actor: Author, draft: Plan
    ) -> ResolutionResult:
        packed, bodies = decision.pack()
        data: dict[str, Any] = {"conflict": cid, "decision": packed, "effects": draft.effects, "about": [cid]}
        if "reason_ref" in packed:
            data["reason_ref"] = packed["reason_ref"]
        done = tx.append([NewEvent(EventKind.CHOSEN, actor, data, bodies)])
        return ResolutionResult(
            verb=decision.verb,
            conflict=reads.conflict(cid),
            seq=done.seqs[0],
            waiting=tuple(f"conflict-{other}" for other in draft.waiting),
        )

    def _escalate(
        self, reads: Reads, tx: Writing, before: Conflict, decision: Decision, actor: Author, why: str
    ) -> ResolutionResult:
        cid = before.id.removeprefix("conflict-")
        if before.state is ConflictState.ESCALATED:
            raise NotAllowed(f"{before.id[:17]} waits for people: {why}")
        packed, bodies = decision.pack()
        asked = f"{why}; {actor} asked for {decision.verb}{f': {decision.reason}' if decision.reason else ''}"
        effects = [settle(cid, before.state, ConflictState.ESCALATED)]
        data: dict[str, Any] = {"conflict": cid, "decision": packed, "effects": effects}
        done = tx.append([NewEvent(EventKind.ESCALATED, actor, data, bodies).because(asked)])
        return ResolutionResult(verb="escalate", conflict=reads.conflict(cid), seq=done.seqs[0])


def _settled_already(reads: Reads, conflict: Conflict) -> None:
    if (sentence := came_back_as(reads, conflict.id.removeprefix("conflict-"))) is not None:
        raise NotAllowed(sentence)
    done = conflict.settlement
    how = f": {done.verb} by {done.by} on {done.at:%Y-%m-%d %H:%M}" if done else ""
    raise NotAllowed(f"{conflict.id[:17]} is settled already{how}; `tur undo` takes a decision back")


def came_back_as(reads: Reads, cid: str) -> str | None:
    """Say under which id a conflict whose settlement was undone came back; None where it did not."""
    successor = reads.lives_on_as(cid)
    if successor is None:
        return None
    shown = f"conflict-{reads.shortest(successor, 'conflicts', 'cid')}"
    now = "it is open again as" if reads.state(successor).open else "it came back, and is settled by now, as"
    return f"the decision on conflict-{cid[:8]} was undone; {now} {shown}"


def _left_to_people(view: View, pair: PairState, verb: Verb, actor: Author) -> Author | None:
    """Return the person whose choice for this pair waits for its case: an agent does not replace it."""
    if actor.kind is AuthorKind.HUMAN or withdraws_own(view, pair, verb, actor):
        return None
    by = view.chosen_by(pair.cid)
    return by if by is not None and by.kind is AuthorKind.HUMAN else None
