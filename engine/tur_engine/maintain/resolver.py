"""Carries decisions out: one verb, one event, one transaction; undo appends the inverse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvariantViolation, NotAllowed, StaleRevision
from ..ledger import NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect, settle
from ..ledger.effects import suspect as suspect_effect
from ..records import (
    Author,
    AuthorKind,
    Conflict,
    ConflictState,
    EventKind,
    Preview,
    ResolutionResult,
    Scope,
    Status,
    Verb,
)
from .decision import Decision
from .describe import describe
from .guard import Bar, Guard
from .plan import ENDS_CASE, Plan, case_of, plan
from .policy import AgentMayResolve, must_escalate, withdraws_own
from .undo import UndoPlan, admit_the_free, plan_undo
from .view import PairState, View

PREVIEWED = tuple(Verb)


@dataclass
class MergedMemory:
    """What a merge brings in: the digest that takes both places, its record and effects (none for a duplicate)."""

    digest: str
    memory: dict[str, Any] | None = None
    effects: list[Effect] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    id: str = ""


AdmitMerge = Callable[[str, Conflict, Sequence[str]], MergedMemory]
"""Passes a merged text through the gate, given the digests that fall with the merge; raises where it may not enter."""
LookAgain = Callable[[UndoPlan], tuple[list[Effect], list[Body]]]
"""Weighs what an undo brings back against what came in meanwhile; gives the conflicts to be opened."""


class Resolver:
    """Decisions on one ledger, under one policy."""

    def __init__(self, policy: AgentMayResolve = AgentMayResolve.AGENTS) -> None:
        self._policy = policy
        self.guard: Guard = lambda reads, digest, scope: []
        """The gate's word on every held memory that a decision would let in; the gate sets it."""

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
                f"conflict {cid[:8]} is at revision {before.revision}, you decided on {revision}; "
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
        packed, bodies = decision.pack()
        data: dict[str, Any] = {"conflict": cid, "decision": packed, "effects": [*made.effects, *opened(bars)]}
        bodies += [each for found in bars.values() for bar in found for each in bar.bodies]
        if "reason_ref" in packed:
            data["reason_ref"] = packed["reason_ref"]
        if merged and merged.memory is not None:
            data["memory"] = merged.memory
            data["effects"] = [*merged.effects, *data["effects"]]
            bodies += merged.bodies
        if with_learn:
            data["with_learn"] = True
        done = tx.append([NewEvent(EventKind.RESOLVED, actor, data, bodies)])
        return ResolutionResult(
            verb=decision.verb,
            conflict=reads.conflict(cid),
            seq=done.seqs[0],
            effects=describe(reads, data["effects"]),
            memory_id=merged.id if merged else None,
        )

    def let_in(
        self, reads: Reads, replan: Callable[[Collection[str]], Plan], decided_by_people: str = ""
    ) -> tuple[Plan, dict[str, list[Bar]]]:
        """Plan until nothing is let in that an invariant or a quarantine stands against.

        A person's verb on a candidate is the word that a quarantine, or a suspicion from another store, waits for.
        """
        barred: dict[str, list[Bar]] = {}

        def standing(digest: str, scope: Scope | None) -> list[Bar]:
            found = self.guard(reads, digest, scope)
            return [bar for bar in found if not (bar.waivable and digest == decided_by_people)]

        while True:
            made = replan(barred)
            found = {
                digest: bars
                for digest, scope in made.admitted.items()
                if digest not in barred and (bars := standing(digest, scope))
            }
            barred |= found
            if not found:
                return made, barred

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

    def previews(self, reads: Reads, view: View, conflict: Conflict) -> dict[Verb, Preview]:
        """Return what each verb would change, by the same plan that carries it out."""
        return {verb: self.preview(reads, view, conflict, verb) for verb in PREVIEWED}

    def preview(self, reads: Reads, view: View, conflict: Conflict, verb: Verb) -> Preview:
        """Return what one verb would change; for merge and scope_branch as far as it is known without their text."""
        cid = conflict.id.removeprefix("conflict-")
        decision = Decision(verb, text="the merged text" if verb is Verb.MERGE else None)
        if verb is Verb.BRANCH:
            decision = Decision(verb, side="challenger", scope=_somewhere_in(conflict.challenger.memory.scope))
        try:
            made, bars = self.let_in(
                reads,
                lambda barred: plan(view, cid, decision, merged="?", barred=barred),
                decided_by_people=conflict.challenger.memory.digest,
            )
        except NotAllowed as e:
            return Preview(verb=verb, allowed=False, reason=str(e))
        if own := bars.get(conflict.challenger.memory.digest):
            return Preview(verb=verb, allowed=False, reason=own[0].sentence)
        names = {conflict.challenger.memory.digest: conflict.challenger.memory}
        return Preview(
            verb=verb,
            effects=describe(reads, made.effects, names, somewhere=str(decision.scope) if decision.scope else None),
            reason=f"waits for {len(made.waiting)} more of the same candidate's conflicts" if made.waiting else "",
        )

    # taking back ------------------------------------------------------------------

    def undo(
        self,
        reads: Reads,
        tx: Writing,
        seq: int | None,
        actor: Author,
        reason: str = "",
        look_again: LookAgain | None = None,
    ) -> ResolutionResult:
        """Append the inverse of event `seq`, of the actor's last decision without one.

        Raises NotAllowed; InvariantViolation where what comes back contradicts an invariant approved since.
        """
        if seq is None:
            seq = reads.last_resolution(actor)
            if seq is None:
                back = reads.last_undoing(actor)
                hint = f"to bring back what was undone last: tur undo {back}; else " if back is not None else ""
                raise NotAllowed(
                    f"{actor} has no decision to undo; {hint}name a conflict or an event (`tur history` lists them)"
                )
        refuse_quarantined(reads, actor, "undo")
        undo = plan_undo(reads, seq)
        _, by, target = reads.event(seq)
        if actor.kind is not AuthorKind.HUMAN and by != actor:
            raise NotAllowed(f"event {seq} was decided by {by}; an agent takes back its own decisions only")
        found, bodies = look_again(undo) if look_again else ([], [])
        undo.effects.extend(found)
        bodies += self._guard_undo(reads, undo)
        bodies += admit_the_free(reads, undo, self.guard)
        root = seq
        while reads.kind(root) == EventKind.UNDONE:
            root = int(reads.event(root)[2]["undoes"])
        original = reads.event(root)[2]
        conflict = str(original.get("conflict") or _felled_by(reads, original["effects"][0]["cause"]))
        data: dict[str, Any] = {"undoes": seq, "conflict": conflict, "effects": undo.effects, "verbs": undo.verbs}
        if "decision" in original:
            data["decision"] = original["decision"]
        done = tx.append([NewEvent(EventKind.UNDONE, actor, data, bodies).because(reason)])
        closed_again = next((e["conflict"] for e in target["effects"] if e["op"] == "open"), conflict)
        shown = undo.reopened[0].removeprefix("conflict-") if undo.reopened else str(closed_again)
        return ResolutionResult(
            verb="undo",
            conflict=reads.conflict(shown),
            seq=done.seqs[0],
            effects=describe(reads, undo.effects),
            reopened=(*undo.reopened, *(f"conflict-{e['conflict']}" for e in found)),
        )

    def _guard_undo(self, reads: Reads, undo: UndoPlan) -> list[Body]:
        """Weigh what the undo itself lets in again. Raises InvariantViolation, NotAllowed."""
        bodies: list[Body] = []
        for digest, scope in Plan(undo.effects).admitted.items():
            for bar in self.guard(reads, digest, scope):
                if bar.violates:
                    raise InvariantViolation.of(bar.violates, f"{bar.sentence}; nothing was undone")
                if not bar.waivable and not bar.effects:
                    raise NotAllowed(f"it would let in what stays held: {bar.sentence}")
                undo.effects += bar.effects
                bodies += bar.bodies
        return bodies

    def reaffirm(self, reads: Reads, tx: Writing, mid: int, actor: Author, reason: str = "") -> int:
        """Clear the suspect mark: the memory stands without what fell. Raises NotAllowed where it is not suspect."""
        refuse_quarantined(reads, actor, "reaffirm")
        causes = reads.causes(mid)
        memory = reads.memory(mid)
        if not causes or reads.status(mid) is not Status.ACTIVE:
            raise NotAllowed(f"{memory.short_id} is not suspect; there is nothing to reaffirm")
        effects = [suspect_effect(memory.digest, reads.digest(cause), on=False) for cause in causes]
        return tx.append([NewEvent(EventKind.REAFFIRMED, actor, {"effects": effects}).because(reason)]).seqs[0]


def refuse_quarantined(reads: Reads, actor: Author, verb: str) -> None:
    """Raise NotAllowed where the actor is quarantined."""
    if reads.quarantined(actor):
        raise NotAllowed(f"{actor} is quarantined; {verb} is for people until it is released")


def opened(bars: Mapping[str, Sequence[Bar]]) -> list[Effect]:
    """Return the conflicts that keep memories held."""
    return [effect for found in bars.values() for bar in found for effect in bar.effects]


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


def _somewhere_in(scope: Scope) -> Scope:
    """A narrower scope that is not known yet, for a preview."""
    return scope.model_copy(update={"path": f"{scope.path}/…" if scope.path else "…"})


def _felled_by(reads: Reads, digest: str) -> str:
    """Return the conflict whose settlement made a memory fall."""
    for seq in reversed(reads.mentions(digest, changes_only=True)):
        data = reads.event(seq)[2]
        if "conflict" in data and any(e["op"] == "status" and e["digest"] == digest for e in data["effects"]):
            return str(data["conflict"])
    raise NotAllowed("no decision on a conflict stands behind this; it cannot be undone")


def _left_to_people(view: View, pair: PairState, verb: Verb, actor: Author) -> Author | None:
    """Return the person whose choice for this pair waits for its case: an agent does not replace it."""
    if actor.kind is AuthorKind.HUMAN or withdraws_own(view, pair, verb, actor):
        return None
    by = view.chosen_by(pair.cid)
    return by if by is not None and by.kind is AuthorKind.HUMAN else None
