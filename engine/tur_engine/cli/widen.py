"""`tur widen`: what was learned for a branch holds everywhere, once the branch was merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput, ConflictHeld, TurError
from ..records import Outcome
from ..text import counted, visible
from ..working_folder import here as standing_in
from .call import Call, answers
from .output import terminal

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief, LearnResult, Memory, OnConflict
    from ..sources.branches import State

_WORDS = {
    Outcome.COMMITTED: "widened",
    Outcome.DUPLICATE: "known already",
    Outcome.CONFLICT: "held",
    Outcome.INVARIANT: "turned away",
    Outcome.PROPOSED: "proposed",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("widen")(answers(widen))


@dataclass
class Offer:
    """A branch and what was learned for it."""

    branch: str
    state: State
    beliefs: list[Belief] = field(default_factory=list)


def widen(
    call: Call,
    branches: Annotated[
        list[str] | None,
        typer.Argument(metavar="[BRANCH]...", help="These, merged or not. Default: every branch that was merged."),
    ] = None,
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="hold|allow|fail", help="What to do where one contradicts a memory."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Widen them without showing first what would be.")] = False,
) -> int:
    """Let what was learned for a branch hold everywhere, once the branch was merged.

    Each memory is learned again without its branch, through the gate, and supersedes the narrow one; what clashes is
    held. Of an invariant a proposal is filed. What would become of each is shown first. A branch counts as merged where
    git finds its work in the main branch, also by rebase or squash.
    """
    from .on_conflict import choose_policy, flagged

    named = flagged(on_conflict, False)
    with call.open(read_only=not (yes or terminal())) as engine:
        call.out.done = "nothing was changed"
        policy, _ = choose_policy(engine, named)
        trunk, offers = offered(engine)
        chosen = _chosen(offers, branches)
        verdicts = _run(engine, chosen, policy, for_good=yes)
        if not yes and not call.json:
            _tell(call, engine, chosen, verdicts)
            if chosen and terminal() and call.out.agreed("Widen them?"):
                verdicts = _run(engine, chosen, policy, for_good=True)
                yes = True
        if call.json:
            call.out.json(_payload(trunk, offers, chosen, verdicts, done=yes))
        elif yes:
            _tell(call, engine, chosen, verdicts)
        if not call.json:
            _tell_rest(call, trunk, offers, chosen, yes=yes)
    return _gravest(verdicts)


def offered(engine: Engine, *, thorough: bool = True) -> tuple[str, list[Offer]]:
    """Return the main branch of the repository here, and the other branches with what was learned for them.

    `thorough` as `Trunk.state` has it.
    """
    from ..place import Place
    from ..sources.branches import State, trunk_of
    from ..sources.drafting import top_of

    here = Place.of(engine.root)
    beliefs = [b for b in engine.on_branches() if b.memory.provenance.get("repository") in (None, here.repository)]
    if not beliefs:
        return "", []
    trunk = trunk_of(top_of(standing_in(), engine.root))
    commits: dict[str, set[str]] = {}
    for belief in beliefs:
        branch, provenance = belief.memory.scope.branch or "", belief.memory.provenance
        commits.setdefault(branch, set())
        if provenance.get("branch") == branch and "commit" in provenance:
            commits[branch].add(provenance["commit"])
    states = {
        name: State.OPEN if trunk is None else trunk.state(name, told, thorough=thorough)
        for name, told in commits.items()
    }
    offers = {name: Offer(name, state) for name, state in sorted(states.items()) if state is not State.TRUNK}
    for belief in beliefs:
        if (offer := offers.get(belief.memory.scope.branch or "")) is not None:
            offer.beliefs.append(belief)
    return "" if trunk is None else trunk.name, list(offers.values())


def _chosen(offers: Sequence[Offer], branches: Sequence[str] | None) -> list[Offer]:
    from ..sources.branches import State

    if not branches:
        return [offer for offer in offers if offer.state is State.MERGED]
    known = {offer.branch: offer for offer in offers}
    for name in branches:
        if name not in known:
            there = ", ".join(visible(each, newlines=False) for each in known) or "none"
            raise BadInput(f"nothing was learned for a branch {name!r} only; branches with memories: {there}")
    return [known[name] for name in dict.fromkeys(branches)]


Verdicts = dict[str, "LearnResult | TurError"]


def _run(engine: Engine, chosen: Sequence[Offer], policy: OnConflict, *, for_good: bool) -> Verdicts:
    from .on_conflict import at_gate

    how = at_gate(policy)
    found: Verdicts = {}
    for belief in (each for offer in chosen for each in offer.beliefs):
        try:
            found[belief.id] = engine.widen(belief.id, on_conflict=how, dry_run=not for_good)
        except (BadInput, ConflictHeld) as error:
            found[belief.id] = error
    return found


def _word(verdict: LearnResult | TurError, narrow: str) -> str:
    if isinstance(verdict, TurError):
        return "refused"
    if verdict.dry_run:
        return "clashes" if verdict.outcome is Outcome.CONFLICT else f"would be {_WORDS[verdict.outcome]}"
    contested = verdict.outcome is Outcome.COMMITTED and bool(_others(verdict, narrow))
    return _WORDS[verdict.outcome] + (", contested" if contested else "")


def _others(verdict: LearnResult, narrow: str) -> list[Memory]:
    """Return what the wide memory contradicts; the narrow one it takes the place of is none of them."""
    against = [each.conflict.incumbent.memory for each in verdict.conflicts]
    if verdict.invariant is not None:
        against.append(verdict.invariant.memory)
    return [memory for memory in against if memory.id != narrow]


def _tell(call: Call, engine: Engine, chosen: Sequence[Offer], verdicts: Verdicts) -> None:
    for offer in chosen:
        name = call.out.paint(visible(offer.branch, newlines=False), "bold")
        call.out.data(f"{name} ({offer.state.value}):")
        rows, below = [], []
        for belief in offer.beliefs:
            verdict = verdicts[belief.id]
            rows.append((engine.short(belief.id), _word(verdict, belief.id), belief.memory.content))
            below.append(_against(verdict, belief.id))
        call.out.rows(rows, [None, "dim"], indent="  ", below=below)


def _against(verdict: LearnResult | TurError, narrow: str) -> list[str]:
    if isinstance(verdict, TurError):
        return [str(verdict)]
    told = [f"against: {memory.content}" for memory in _others(verdict, narrow)]
    return told if told or verdict.outcome is not Outcome.CONFLICT else list(verdict.warnings)


def _tell_rest(call: Call, trunk: str, offers: Sequence[Offer], chosen: Sequence[Offer], *, yes: bool) -> None:
    from ..sources.branches import State

    if not chosen:
        into = f" into {visible(trunk, newlines=False)}" if trunk else ""
        call.out.say(f"no branch with memories of its own was merged{into}")
    elif not yes:
        call.out.say("nothing was widened; --yes does it")
    for state, why in ((State.OPEN, "not merged yet"), (State.GONE, "gone, and nothing tells that it was merged")):
        rest = [offer for offer in offers if offer.state is state and offer not in chosen]
        for offer in rest:
            name = visible(offer.branch, newlines=False)
            memories = counted(len(offer.beliefs), "memory", "memories")
            call.out.say(f"{name} is {why}: {memories}; `tur widen {name}` widens them all the same")


def _gravest(verdicts: Verdicts) -> int:
    codes = {Outcome.INVARIANT: 4, Outcome.CONFLICT: 3}
    found = [
        verdict.exit_code if isinstance(verdict, TurError) else codes.get(verdict.outcome, 0)
        for verdict in verdicts.values()
    ]
    return max((1 if code == BadInput.exit_code else code for code in found), default=0)


def _payload(
    trunk: str, offers: Sequence[Offer], chosen: Sequence[Offer], verdicts: Verdicts, *, done: bool
) -> dict[str, Any]:
    def told(belief: Belief) -> dict[str, Any]:
        memory, verdict = belief.memory, verdicts.get(belief.id)
        row: dict[str, Any] = {"id": belief.id, "content": memory.content, "scope": str(memory.scope)}
        if isinstance(verdict, TurError):
            row |= {"outcome": "refused", "reason": str(verdict)}
        elif verdict is not None:
            row |= {"outcome": verdict.outcome.value, "reason": "; ".join(verdict.warnings)}
            row["conflicts"] = [each.conflict.id for each in verdict.conflicts if done]
            row["wide_id"] = verdict.id if done else None
        return row

    return {
        "into": trunk or None,
        "dry_run": not done,
        "branches": [
            {"branch": offer.branch, "state": offer.state.value, "memories": [told(each) for each in offer.beliefs]}
            for offer in (*chosen, *(each for each in offers if each not in chosen))
        ],
    }
