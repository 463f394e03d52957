"""Which memories are suspect, and because of what: the labels that follow from where everything stands (CONTRACTS 7).

A JTMS in small (Doyle 1979), with the causes kept as in an ATMS label (de Kleer 1986). A ground is *broken* where it
fell, or is suspect itself. A justification is whole while none of its grounds is broken (AND); a memory is suspect when
no justification is left whole (OR), and always where what it refines is broken. The label is the set of fallen memories
that this goes back to, without those in spite of which a person reaffirmed it. A memory said without grounds is a
premise.

Labels depend on what stands, never on the order in which it came about: the least fixed point is computed anew where a
change can reach, so a cycle in old data neither hangs nor holds itself up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence

from ..ledger.effects import Effect, edge, move, suspect
from ..ontology import EdgeType
from ..records import Status
from .cascade import FALLEN
from .view import View

OWN = 0
"""The justification that came with the memory itself; others have the number of the event that added them."""
_NEW = -1


def with_marks(
    view: View, effects: Sequence[Effect], *, undoing: int = 0, justifies: bool = False, virtual: Sequence[Effect] = ()
) -> list[Effect]:
    """Return the effects of one event with the suspect marks that are right once they have happened.

    `undoing` is the event that they take back; `justifies` says that the edges they draw are one more justification of
    a memory that is there; `virtual` effects count too, though they are written elsewhere.
    """
    others = [effect for effect in effects if effect["op"] != "suspect"]
    after = _After(view, undoing)
    for effect in [*others, *virtual]:
        after.take(effect, _NEW if justifies else OWN)
    return [*others, *after.marks()]


def let_stand(view: View, digest: str) -> list[Effect]:
    """Return the marks that a reaffirmation clears: the memory's own first, then of those that rest on it."""
    after = _After(view)
    after.waive(digest, view.causes(digest))
    return after.marks()


def over_again(view: View, seeds: Iterable[str]) -> list[Effect]:
    """Return the marks to set and to clear where what passes doubt has changed for some memories."""
    after = _After(view)
    after.reconsider(seeds)
    return after.marks()


def suspects_of(view: View, falling: Collection[str], replacing: Collection[str] = ()) -> list[str]:
    """Return the digests that become suspect where some memories fall, nearest first. Nothing is written.

    `replacing` take the place of what falls.
    """
    effects = [move(digest, view.status(digest), Status.SUPERSEDED) for digest in falling]
    effects += [edge(digest, winner, EdgeType.SUPERSEDED_BY) for digest in falling for winner in replacing]
    marks = with_marks(view, effects)[len(effects) :]
    return list(dict.fromkeys(mark["digest"] for mark in marks if mark["on"]))


def broken_grounds(view: View, digest: str) -> set[str]:
    """Return the grounds of a memory that fell or are suspect, as far as it was not reaffirmed in spite of them."""
    return _After(view).broken_grounds(digest)


class _After:
    """The beliefs as they stand once the effects have happened, and their labels."""

    def __init__(self, view: View, undoing: int = 0) -> None:
        self._view = view
        self._undoing = undoing
        self._status: dict[str, Status] = {}
        self._drawn: dict[str, list[tuple[int, str, str]]] = {}
        self._cut: set[tuple[str, str, str]] = set()
        self._above: dict[str, list[str]] = {}
        self._replaced: dict[tuple[str, str], bool] = {}
        self._seeds: dict[str, None] = {}
        self._labels: dict[str, dict[str, None]] = {}
        self._known: dict[str, dict[str, None]] = {}
        self._stood: dict[str, Status] = {}
        self._standing_on: dict[str, dict[str, Status]] = {}
        self._waived: dict[str, Collection[str]] = {}
        if undoing:
            self._seeds.update(dict.fromkeys(view.reaffirmed_by(undoing)))

    def waive(self, digest: str, causes: Collection[str]) -> None:
        """Let a memory stand in spite of these causes."""
        self._waived[digest] = causes
        self._seeds[digest] = None

    def reconsider(self, digests: Iterable[str]) -> None:
        """Work these labels out anew, though nothing moves."""
        self._seeds.update(dict.fromkeys(digests))

    def take(self, effect: Effect, justification: int = OWN) -> None:
        """Count one effect in."""
        match effect["op"]:
            case "memory":
                self._status[effect["digest"]] = Status(effect["status"])
                self._seeds[effect["digest"]] = None
            case "status":
                self._status[effect["digest"]] = Status(effect["to"])
                self._seeds[effect["digest"]] = None
            case "edge":
                self._edge(effect["source"], effect["target"], effect["type"], effect["on"], justification)

    def _edge(self, source: str, target: str, kind: str, on: bool, justification: int) -> None:
        if kind == EdgeType.SUPERSEDED_BY:
            self._replaced[(source, target)] = on
            self._seeds[target] = None
        elif self._view.passes(kind):
            self._seeds[source] = None
            if on:
                self._drawn.setdefault(source, []).append((justification, kind, target))
                self._above.setdefault(target, []).append(source)
            else:
                self._cut.add((source, target, kind))

    def marks(self) -> list[Effect]:
        """Return the marks to set and to clear, nearest first. Cost grows with what changes its label."""
        self._forget()
        self._settle()
        made: list[Effect] = []
        for digest, label in self._labels.items():
            if self._at(digest) is not Status.ACTIVE:
                continue
            before = self._before(digest)
            made += [suspect(digest, cause) for cause in label if cause not in before]
            made += [suspect(digest, cause, on=False) for cause in before if cause not in label]
        return made

    def _forget(self) -> None:
        """Empty the labels that may rest on what changes; what no change reaches keeps its own."""
        queue = deque(self._seeds)
        self._labels = {digest: {} for digest in self._seeds}
        while queue:
            for above in self._resting_on(queue.popleft()):
                if above not in self._labels and self._before(above):
                    self._labels[above] = {}
                    queue.append(above)

    def _settle(self) -> None:
        """Let the labels grow until nothing changes any more."""
        start = dict.fromkeys(self._labels)
        for seed in self._seeds:
            start.update(dict.fromkeys(self._resting_on(seed)))
        queue, waiting = deque(start), set(start)
        while queue:
            digest = queue.popleft()
            waiting.discard(digest)
            label = self._label(digest)
            if label.keys() == self._now(digest).keys():
                continue
            self._labels[digest] = label
            for above in self._resting_on(digest):
                if above not in waiting:
                    waiting.add(above)
                    queue.append(above)

    def broken_grounds(self, digest: str) -> set[str]:
        """Return the grounds of a memory that are broken for it."""
        waived = self._view.waived(digest)
        return {g for _, _, g in self._grounds(digest) if not waived.issuperset(self._broken(g, digest))}

    def _label(self, digest: str) -> dict[str, None]:
        if self._at(digest) is not Status.ACTIVE:
            return {}
        waived = self._view.waived(digest, self._undoing).union(self._waived.get(digest, ()))
        justifications: dict[int, dict[str, None]] = {OWN: {}}
        found: dict[str, None] = {}
        for number, kind, ground in self._grounds(digest):
            causes = [cause for cause in self._broken(ground, digest) if cause not in waived]
            if kind == EdgeType.REFINES:
                found.update(dict.fromkeys(causes))
            else:
                justifications.setdefault(number, {}).update(dict.fromkeys(causes))
        if all(justifications.values()):
            for causes_of_one in justifications.values():
                found.update(causes_of_one)
        return found

    def _grounds(self, digest: str) -> Iterable[tuple[int, str, str]]:
        stored = self._view.grounds(digest)
        if self._cut:
            stored = [ground for ground in stored if (digest, ground[2], ground[1]) not in self._cut]
        return [*stored, *self._drawn.get(digest, ())]

    def _broken(self, ground: str, of: str) -> Iterable[str]:
        status = self._at(ground)
        if status in FALLEN:
            return () if self._is_replaced(ground, of) else (ground,)
        return self._now(ground) if status is Status.ACTIVE else ()

    def _is_replaced(self, ground: str, by: str) -> bool:
        """True for a ground that the memory itself took the place of: it does not rest on it any more."""
        known = self._replaced.get((ground, by))
        return self._view.replaced(ground, by) if known is None else known

    def _at(self, digest: str) -> Status:
        moved = self._status.get(digest)
        if moved is not None:
            return moved
        if digest not in self._stood:
            self._stood[digest] = self._view.status(digest)
        return self._stood[digest]

    def _now(self, digest: str) -> dict[str, None]:
        label = self._labels.get(digest)
        return self._before(digest) if label is None else label

    def _before(self, digest: str) -> dict[str, None]:
        if digest not in self._known:
            self._known[digest] = dict.fromkeys(self._view.causes(digest))
        return self._known[digest]

    def _resting_on(self, digest: str) -> list[str]:
        """Memories that rest directly on it and will be believed."""
        found = dict.fromkeys(self._above.get(digest, ()))
        if digest not in self._standing_on:
            self._standing_on[digest] = self._view.resting_on(digest)
            self._stood.update(self._standing_on[digest])
        found.update(dict.fromkeys(self._standing_on[digest]))
        return [above for above in found if self._at(above) is Status.ACTIVE]
