"""From a verb to the effects of one event (CONTRACTS 3).

A *case* is one held candidate with all its open pairs: nothing changes until every pair has its verb, except that
refute and abort end the whole case at once. Pairs of memories that are both live are settled one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import NotAllowed
from ..ledger.effects import Effect, edge, move, rescope, settle, suspect
from ..ontology import EdgeType
from ..records import ConflictState, Scope, Status, Verb
from .cascade import suspects_of
from .decision import Decision
from .view import PairState, View

_ENDS_CASE = (Verb.REFUTE, Verb.ABORT)
_FALLEN = (Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)


@dataclass
class Plan:
    """What will be appended. With `waiting`, only the choice is recorded and nothing else changes."""

    effects: list[Effect] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    merged: str = ""
    """Digest of the merged memory; its arrival is the caller's effect."""


def plan(view: View, cid: str, decision: Decision, *, merged: str = "", whole_case: bool = False) -> Plan:
    """Return the effects of a decision on conflict `cid`. Raises NotAllowed where the verb cannot be had.

    `merged` is the digest that a merge result will have.
    """
    pair = view.pair(cid)
    forbid(view, pair, decision)
    held = view.status(pair.challenger) is Status.HELD
    case = [p for p in view.open_pairs(pair.challenger) if p.challenger == pair.challenger] if held else [pair]
    decisions: dict[str, Decision] = {p.cid: d for p in case if (d := view.chosen(p.cid))}
    decisions[cid] = decision
    if whole_case or decision.verb in _ENDS_CASE:
        for other in case:
            if other.cid != cid:
                if decision.verb is not Verb.ABORT and whole_case:
                    forbid(view, other, decision)
                decisions[other.cid] = decision
    waiting = [p.cid for p in case if p.cid not in decisions]
    if waiting:
        effects = (
            []
            if pair.state is ConflictState.RESOLVING
            else [settle(cid, pair.state, ConflictState.RESOLVING, decision.verb)]
        )
        return Plan(effects, waiting)
    return _Maker(view, merged).run(case, decisions)


def forbid(view: View, pair: PairState, decision: Decision) -> None:
    """Raise NotAllowed where an invariant stands against the verb, or the conflict is settled."""
    if pair.state is ConflictState.RESOLVED:
        raise NotAllowed("this conflict is settled already; undo the decision first to change it")
    verb = decision.verb
    touches_incumbent = verb in (Verb.SUPERSEDE, Verb.MERGE) or (verb is Verb.BRANCH and decision.side == "incumbent")
    if touches_incumbent and view.approved(pair.incumbent):
        raise NotAllowed(f"{verb} would change an invariant; only an approved proposal may (`tur-adm proposal submit`)")
    touches_challenger = verb in (Verb.REFUTE, Verb.ABORT, Verb.MERGE) or (
        verb is Verb.BRANCH and decision.side == "challenger"
    )
    if touches_challenger and view.approved(pair.challenger):
        raise NotAllowed(f"{verb} would change an invariant; only an approved proposal may (`tur-adm proposal submit`)")
    if verb is Verb.BRANCH and decision.scope is not None:
        side = pair.incumbent if decision.side == "incumbent" else pair.challenger
        current = view.scope(side)
        if current is not None and (current == decision.scope or not decision.scope.within(current)):
            raise NotAllowed(
                f"{decision.scope} is not inside {current}, where that memory holds; give a narrower scope"
            )


class _Maker:
    """Collects the effects of one event, keeping track of what it has moved already."""

    def __init__(self, view: View, merged: str) -> None:
        self._view = view
        self._merged = merged
        self._status: dict[str, Status] = {}
        self._settled: set[str] = set()
        self.effects: list[Effect] = []

    def run(self, case: list[PairState], decisions: dict[str, Decision]) -> Plan:
        self._close(case, decisions)
        merged = self._merged if any(d.verb is Verb.MERGE for d in decisions.values()) else ""
        return Plan(self.effects, merged=merged)

    def _close(self, case: list[PairState], decisions: dict[str, Decision]) -> None:
        challenger = case[0].challenger
        for pair in case:
            self._settle(pair, decisions[pair.cid].verb)
        self._defeat_challenger(case, decisions)
        if self._at(challenger) is Status.HELD:
            self._move(challenger, Status.ACTIVE)
        for pair in case:
            self._carry_out(pair, decisions[pair.cid])
        for digest in [d for d, status in self._status.items() if status in _FALLEN]:
            self._moot(digest, decisions[case[-1].cid].verb)

    def _defeat_challenger(self, case: list[PairState], decisions: dict[str, Decision]) -> None:
        """Refute and abort end the case: one fall, an edge to each incumbent it lost against."""
        ending = [p for p in case if decisions[p.cid].verb in _ENDS_CASE]
        if not ending:
            return
        challenger = case[0].challenger
        refuted = [p for p in ending if decisions[p.cid].verb is Verb.REFUTE]
        self._fall(challenger, Status.REFUTED if refuted else Status.RETRACTED)
        for pair in refuted:
            self.effects.append(edge(challenger, pair.incumbent, EdgeType.REFUTED_BY))

    def _carry_out(self, pair: PairState, decision: Decision) -> None:
        incumbent, challenger = pair.incumbent, pair.challenger
        match decision.verb:
            case Verb.SUPERSEDE:
                self._fall(incumbent, Status.SUPERSEDED, spared=(challenger,))
                self.effects.append(edge(incumbent, challenger, EdgeType.SUPERSEDED_BY))
            case Verb.MERGE:
                for side in (incumbent, challenger):
                    self._fall(side, Status.SUPERSEDED, spared=(self._merged,))
                    self.effects.append(edge(side, self._merged, EdgeType.SUPERSEDED_BY))
            case Verb.FORCE:
                self.effects.append(edge(challenger, incumbent, EdgeType.COMPETES_WITH))
            case Verb.BRANCH:
                side = incumbent if decision.side == "incumbent" else challenger
                before = self._view.scope(side) or Scope()
                self.effects.append(rescope(side, str(before), str(decision.scope)))
            case Verb.DISMISS | Verb.REFUTE | Verb.ABORT:
                pass

    def _at(self, digest: str) -> Status:
        return self._status.get(digest) or self._view.status(digest)

    def _move(self, digest: str, after: Status) -> None:
        before = self._at(digest)
        if before is not after:
            self.effects.append(move(digest, before, after))
            self._status[digest] = after

    def _fall(self, digest: str, after: Status, spared: tuple[str, ...] = ()) -> None:
        before = self._at(digest)
        if before in _FALLEN:
            return
        self._move(digest, after)
        if before is Status.ACTIVE:
            for dependant in suspects_of(self._view, digest, spared):
                self.effects.append(suspect(dependant, digest))

    def _settle(self, pair: PairState, verb: Verb) -> None:
        if pair.cid in self._settled:
            return
        self._settled.add(pair.cid)
        state = pair.state
        if state is ConflictState.DETECTED:
            self.effects.append(settle(pair.cid, state, ConflictState.RESOLVING, verb))
            state = ConflictState.RESOLVING
        self.effects.append(settle(pair.cid, state, ConflictState.RESOLVED, verb))

    def _moot(self, fallen: str, verb: Verb) -> None:
        """Other open conflicts of a memory that fell are settled with it; a candidate left with none is admitted."""
        for pair in self._view.open_pairs(fallen):
            if pair.cid in self._settled:
                continue
            self._settle(pair, verb)
            other = pair.challenger if pair.incumbent == fallen else pair.incumbent
            if self._at(other) is not Status.HELD:
                continue
            rest = [p for p in self._view.open_pairs(other) if p.challenger == other and p.cid not in self._settled]
            given = {p.cid: d for p in rest if (d := self._view.chosen(p.cid))}
            if not rest:
                self._move(other, Status.ACTIVE)
            elif len(given) == len(rest):
                self._close(rest, given)
