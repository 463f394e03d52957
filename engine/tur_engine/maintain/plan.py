"""From a verb to the effects of one event (CONTRACTS 3).

A *case* is one held candidate with all its open pairs: nothing changes until every pair has its verb, except that
refute and abort end the whole case at once. Pairs of memories that are both live are settled one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..errors import NotAllowed
from ..ledger.effects import Effect, edge, move, rescope, settle
from ..ontology import EdgeType
from ..records import ConflictState, Scope, Status, Verb
from .cascade import FALLEN
from .decision import Decision
from .labels import with_marks
from .view import PairState, View

ENDS_CASE = (Verb.REFUTE, Verb.ABORT)
_INVARIANT = "{verb} would change an invariant; only an approved proposal may (`tur-adm proposal submit`)"


@dataclass
class Plan:
    """What will be appended. With `waiting`, only the choice is recorded and nothing else changes."""

    effects: list[Effect] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    merged: str = ""
    """Digest of the merged memory; its arrival is the caller's effect."""

    @property
    def admitted(self) -> dict[str, Scope | None]:
        """Held memories that this lets in, with the scope that the decision gives them."""
        narrowed = {e["digest"]: Scope.parse(e["to"]) for e in self.effects if e["op"] == "scope"}
        moved = [e for e in self.effects if e["op"] == "status"]
        came = [e["digest"] for e in moved if e["from"] == Status.HELD and e["to"] == Status.ACTIVE]
        return {digest: narrowed.get(digest) for digest in came}

    @property
    def falling(self) -> list[str]:
        """Digests that no longer hold afterwards."""
        moves = {e["digest"]: Status(e["to"]) for e in self.effects if e["op"] == "status"}
        return [digest for digest, after in moves.items() if after in FALLEN]


def case_of(view: View, pair: PairState, *, whole_case: bool = False) -> list[PairState]:
    """Return the pairs that are settled together with this one: of a held candidate all, else the one, unless asked."""
    if not whole_case and view.status(pair.challenger) is not Status.HELD:
        return [pair]
    return [p for p in view.open_pairs(pair.challenger) if p.challenger == pair.challenger]


def decided_by(view: View, cid: str, decision: Decision, *, whole_case: bool = False) -> set[str]:
    """Return the conflicts that have their verb when this one gets its own; what else is settled then is so along."""
    if whole_case or decision.verb in ENDS_CASE:
        return {cid}
    return {cid, *(p.cid for p in case_of(view, view.pair(cid)) if view.chosen(p.cid))}


def plan(
    view: View,
    cid: str,
    decision: Decision,
    *,
    merged: str = "",
    whole_case: bool = False,
    barred: Collection[str] = (),
) -> Plan:
    """Return the effects of a decision on conflict `cid`. Raises NotAllowed where the verb cannot be had.

    `merged` is the digest that a merge result will have. A candidate in `barred` that would be let in because what it
    clashed with falls stays held.
    """
    pair = view.pair(cid)
    forbid(view, pair, decision)
    case = case_of(view, pair, whole_case=whole_case)
    decisions: dict[str, Decision] = {p.cid: d for p in case if (d := view.chosen(p.cid))}
    if whole_case or decision.verb in ENDS_CASE:
        decisions.update({p.cid: decision for p in case})
    decisions[cid] = decision
    waiting = [p.cid for p in case if p.cid not in decisions]
    if waiting:
        detected = pair.state is ConflictState.DETECTED
        effects = [settle(cid, pair.state, ConflictState.RESOLVING, decision.verb)] if detected else []
        return Plan(effects, waiting)
    for other in case:
        forbid(view, other, decisions[other.cid])
    return _Maker(view, merged, barred).run(case, decisions)


def fall(
    view: View,
    falling: Mapping[str, Status],
    verb: Verb,
    *,
    spared: Collection[str] = (),
    barred: Collection[str] = (),
) -> Plan:
    """Return what follows where people take memories out: suspects, and conflicts that are moot without them.

    `verb` is what those conflicts are settled with; `spared` take the place of what falls, so they are no suspects;
    `barred` as in `plan`.
    """
    maker = _Maker(view, "", barred)
    for digest, after in falling.items():
        maker.fall(digest, after, verb)
    return maker.finish([edge(digest, winner, EdgeType.SUPERSEDED_BY) for digest in falling for winner in spared])


def forbid(view: View, pair: PairState, decision: Decision) -> None:
    """Raise NotAllowed where an invariant stands against the verb, or the conflict is settled."""
    if pair.state is ConflictState.RESOLVED:
        raise NotAllowed("this conflict is settled already; undo the decision first to change it")
    verb = decision.verb
    # A narrowed side would shadow the invariant inside its scope, or be the invariant: both change it.
    against_incumbent = verb in (Verb.SUPERSEDE, Verb.MERGE, Verb.BRANCH)
    against_challenger = verb in (Verb.REFUTE, Verb.ABORT, Verb.MERGE, Verb.BRANCH)
    if (against_incumbent and view.approved(pair.incumbent)) or (against_challenger and view.approved(pair.challenger)):
        raise NotAllowed(_INVARIANT.format(verb=verb))
    if view.approved(pair.incumbent) or view.approved(pair.challenger):
        _keep_apart(view, pair, verb)
    if verb is Verb.BRANCH and decision.scope is not None:
        side = pair.incumbent if decision.side == "incumbent" else pair.challenger
        current = view.scope(side)
        if current is not None and (not decision.scope.within(current) or current.within(decision.scope)):
            raise NotAllowed(
                f"{decision.scope} is not a narrower part of {current}, where that memory holds; "
                "give a path or a branch inside it"
            )


def _keep_apart(view: View, pair: PairState, verb: Verb) -> None:
    """Raise NotAllowed where a verb would let a contradiction of an invariant stand beside it.

    A person may call a mere suspicion no conflict, and a pair that both held before the invariant came into force.
    """
    if verb is Verb.FORCE:
        raise NotAllowed(f"nothing holds beside an invariant in spite of it: {_INVARIANT.format(verb=verb)}")
    held = Status.HELD in (view.status(pair.challenger), view.status(pair.incumbent))
    if verb is Verb.DISMISS and held and view.certain(pair.cid):
        raise NotAllowed(f"it contradicts an invariant for certain: {_INVARIANT.format(verb=verb)}")


class _Maker:
    """Collects the effects of one event, keeping track of what it has moved already."""

    def __init__(self, view: View, merged: str, barred: Collection[str]) -> None:
        self._view = view
        self._merged = merged
        self._barred = barred
        self._status: dict[str, Status] = {}
        self._felled: dict[str, Verb] = {}
        self._settled: set[str] = set()
        self.effects: list[Effect] = []

    def run(self, case: list[PairState], decisions: dict[str, Decision]) -> Plan:
        self._close(case, decisions)
        merged = self._merged if any(d.verb is Verb.MERGE for d in decisions.values()) else ""
        return Plan(with_marks(self._view, self.effects), merged=merged)

    def finish(self, replacing: list[Effect]) -> Plan:
        """Settle what the falls made moot. `replacing`: edges to what comes instead, written beside this plan."""
        for digest, verb in list(self._felled.items()):
            self._moot(digest, verb)
        return Plan(with_marks(self._view, self.effects, virtual=replacing))

    def _close(self, case: list[PairState], decisions: dict[str, Decision]) -> None:
        challenger = case[0].challenger
        for pair in case:
            self._settle(pair, decisions[pair.cid].verb)
        self._defeat_challenger(case, decisions)
        if self._at(challenger) is Status.HELD:
            self._admit(challenger)
        for pair in case:
            self._carry_out(pair, decisions[pair.cid])
        for digest, verb in list(self._felled.items()):
            self._moot(digest, verb)

    def _defeat_challenger(self, case: list[PairState], decisions: dict[str, Decision]) -> None:
        """Refute and abort end the case: one fall, an edge to each incumbent it lost against."""
        ending = [p for p in case if decisions[p.cid].verb in ENDS_CASE]
        if not ending:
            return
        challenger = case[0].challenger
        refuted = [p for p in ending if decisions[p.cid].verb is Verb.REFUTE]
        if refuted:
            self.fall(challenger, Status.REFUTED, Verb.REFUTE)
        else:
            self.fall(challenger, Status.RETRACTED, Verb.ABORT)
        for pair in refuted:
            self.effects.append(edge(challenger, pair.incumbent, EdgeType.REFUTED_BY))

    def _carry_out(self, pair: PairState, decision: Decision) -> None:
        incumbent, challenger = pair.incumbent, pair.challenger
        match decision.verb:
            case Verb.SUPERSEDE:
                self.fall(incumbent, Status.SUPERSEDED, Verb.SUPERSEDE)
                self.effects.append(edge(incumbent, challenger, EdgeType.SUPERSEDED_BY))
            case Verb.MERGE:
                for side in (incumbent, challenger):
                    self._merge(side)
            case Verb.FORCE:
                self.effects.append(edge(challenger, incumbent, EdgeType.COMPETES_WITH))
            case Verb.BRANCH:
                side = incumbent if decision.side == "incumbent" else challenger
                before = self._view.scope(side) or Scope()
                self.effects.append(rescope(side, str(before), str(decision.scope)))
            case Verb.DISMISS | Verb.REFUTE | Verb.ABORT:
                pass

    def _merge(self, side: str) -> None:
        if self._felled.get(side) is Verb.MERGE:
            return  # the candidate is merged with several incumbents at once
        self.fall(side, Status.SUPERSEDED, Verb.MERGE)
        self.effects.append(edge(side, self._merged, EdgeType.SUPERSEDED_BY))

    def _at(self, digest: str) -> Status:
        return self._status.get(digest) or self._view.status(digest)

    def _move(self, digest: str, after: Status) -> None:
        before = self._at(digest)
        if before is not after:
            self.effects.append(move(digest, before, after))
            self._status[digest] = after

    def _admit(self, digest: str) -> None:
        self._move(digest, Status.ACTIVE)

    def fall(self, digest: str, after: Status, verb: Verb) -> None:
        """A memory no longer holds."""
        if self._at(digest) in FALLEN:
            return
        self._move(digest, after)
        self._felled[digest] = verb

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
            if self._at(other) is not Status.HELD or other in self._barred:
                continue
            rest = [p for p in self._view.open_pairs(other) if p.challenger == other and p.cid not in self._settled]
            given = {p.cid: d for p in rest if (d := self._view.chosen(p.cid))}
            if not rest:
                self._admit(other)
            elif len(given) == len(rest) and all(self._may_close(p, given[p.cid]) for p in rest):
                self._close(rest, given)

    def _may_close(self, pair: PairState, decision: Decision) -> bool:
        """False for a merge, which would have to pass the gate, and for what an invariant forbids by now."""
        if decision.verb is Verb.MERGE:
            return False
        try:
            forbid(self._view, pair, decision)
        except NotAllowed:
            return False
        return True
