"""What a verb would change, told before it is given: the same plan that carries it out, and nothing written."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.effects import Effect as RawEffect
from ..records import Conflict, Effect, Preview, Scope, Verb
from .decision import Decision
from .describe import describe
from .letting_in import LettingIn
from .plan import case_of, decided_by, plan
from .view import PairState, View

PREVIEWED = tuple(Verb)


class Previewing(LettingIn):
    """Decisions as they would turn out."""

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
                guard=lambda _, digest, scope: view.once(
                    ("bars", digest, scope), lambda: self.guard(reads, digest, scope)
                ),
            )
        except NotAllowed as e:
            return Preview(verb=verb, allowed=False, reason=str(e))
        if own := bars.get(conflict.challenger.memory.digest):
            return Preview(verb=verb, allowed=False, reason=own[0].sentence)
        extra = {conflict.challenger.memory.digest: conflict.challenger.memory}
        names: dict[str, tuple[str, str]] = view.once("names", dict)
        decided = decided_by(view, cid, decision)

        def told(effects: Sequence[RawEffect]) -> tuple[Effect, ...]:
            somewhere = str(decision.scope) if decision.scope else None
            return describe(reads, effects, extra, decided=decided, somewhere=somewhere, names=names)

        if not made.waiting:
            return Preview(verb=verb, effects=told(made.effects))
        return Preview(
            verb=verb,
            effects=told(made.effects),
            later=told(_of_this_pair(view, cid, decision)),
            reason=f"waits for {len(made.waiting)} more of the same candidate's conflicts",
        )


def _of_this_pair(view: View, cid: str, decision: Decision) -> list[RawEffect]:
    """Return what settling its whole case by this verb would change, what concerns its other conflicts left out.

    Nothing where another one of the case cannot have the verb.
    """
    pair = view.pair(cid)
    # The same for each conflict of the case, of which there may be dozens.
    effects = view.once(("whole case", pair.challenger, decision), lambda: _of_the_case(view, pair, decision))
    return [effect for effect, concerned in effects if concerned <= {pair.incumbent}]


def _of_the_case(view: View, pair: PairState, decision: Decision) -> list[tuple[RawEffect, frozenset[str]]]:
    """Return the effects, each with those incumbents of the case that it concerns."""
    incumbents = {p.incumbent for p in case_of(view, pair)}
    try:
        effects = plan(view, pair.cid, decision, merged="?", whole_case=True).effects
    except NotAllowed:
        return []
    return [(effect, frozenset(_named(view, effect)) & incumbents) for effect in effects]


def _named(view: View, effect: RawEffect) -> list[str]:
    """Return the digests of what an effect is about."""
    if effect["op"] == "state":
        pair = view.pair(effect["conflict"])
        return [pair.incumbent, pair.challenger]
    return [str(effect.get(key)) for key in ("digest", "source", "target", "cause")]


def _somewhere_in(scope: Scope) -> Scope:
    """A narrower scope that is not known yet, for a preview."""
    return scope.model_copy(update={"path": f"{scope.path}/…" if scope.path else "…"})
