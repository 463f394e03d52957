"""The edges of one gutter as nets: one rail a hub, its branches, a track each. Pure numbers, no drawing.

Two nets share no cell but where one runs straight across the other; what finds no such way is left out.
Places are (depth, row): depth 0 lies at the column nearer to the focus, the last one at the farther column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Final

Pair = tuple[str, str]
"""A node of the nearer column, one of the farther column."""
Cell = tuple[int, int]

_ACROSS, _DOWN, _JOINT = "across", "down", "joint"
_CROSSING: Final = {_ACROSS, _DOWN}
_ORDERS: Final = 24
"""Orders of nets that are tried until nothing is left out."""


@dataclass(slots=True)
class Net:
    """A hub, the track of its rail, and the branches: each other node with the row where its box is met."""

    hub: str
    inside: bool
    """True where the hub stands in the nearer column."""
    row: int
    branches: dict[str, int]
    track: int = 0
    mixed: bool = False
    """True where only some edges end at the hub: those carry their arrow on the branch, beside the rail."""

    def pair(self, leaf: str) -> Pair:
        return (self.hub, leaf) if self.inside else (leaf, self.hub)

    def stub(self, depth: int) -> Iterator[int]:
        """The depths between the hub and the rail."""
        yield from range(self.track) if self.inside else range(self.track + 1, depth)

    def branch(self, depth: int) -> Iterator[int]:
        """The depths between the rail and a leaf, beginning at the rail."""
        yield from range(self.track + 1, depth) if self.inside else range(self.track - 1, -1, -1)

    def cells(self, depth: int) -> dict[Cell, str]:
        """Every cell of it and how the line runs there."""
        rows = {self.row, *self.branches.values()}
        met = _ACROSS if len(rows) == 1 and len(self.branches) == 1 else _JOINT
        taken = {(self.track, y): _DOWN for y in range(min(rows), max(rows) + 1)}
        taken |= {(self.track, y): met for y in rows}
        taken |= {(x, self.row): _ACROSS for x in self.stub(depth)}
        for y in self.branches.values():
            way = list(self.branch(depth))
            taken |= {(x, y): _ACROSS for x in way}
            if way:
                taken[way[-1], y] = _JOINT  # the arrow stands here
            if self.mixed and way:
                taken[way[0], y] = _JOINT
        return taken


def route(
    pairs: Sequence[Pair], ports: Mapping[str, Sequence[int]], depth: int, towards_hub: Mapping[Pair, frozenset[str]]
) -> list[Net]:
    """Lead each pair through a gutter `depth` cells wide, as far as there is room.

    `ports` are the rows where the box of a node can be met, best first; `towards_hub` the ends that a pair points at.
    """
    nets = _nets(pairs, ports, towards_hub)
    if not nets or depth < 3:
        return []
    best: list[Net] = []
    fewest = sum(len(net.branches) for net in nets) + 1
    least = max(1, min(len(nets), (depth + 1) // 4))
    for tracks in range(least, max(least, min(len(nets), depth - 3)) + 1):
        for order in islice(permutations(nets), _ORDERS if len(nets) < 6 else 2):
            for turned in (order, order[::-1]):
                laid = _laid(turned, depth, tracks)
                missing = sum(len(net.branches) for net in nets) - sum(len(net.branches) for net in laid)
                if missing < fewest:
                    best, fewest = laid, missing
                if not missing:
                    return best
    return best


def _nets(
    pairs: Sequence[Pair], ports: Mapping[str, Sequence[int]], towards: Mapping[Pair, frozenset[str]]
) -> list[Net]:
    """One net a node of the nearer column; where several lead to one farther node and nowhere else, one for that."""
    of_inner: dict[str, list[str]] = {}
    of_outer: dict[str, list[str]] = {}
    for inner, outer in pairs:
        of_inner.setdefault(inner, []).append(outer)
        of_outer.setdefault(outer, []).append(inner)
    shared = [o for o, inners in of_outer.items() if len(inners) > 1 and all(len(of_inner[i]) == 1 for i in inners)]
    met = dict.fromkeys((node for pair in pairs for node in pair), 0)
    nets: list[Net] = []
    for hub, leaves, inside in (
        *((inner, outers, True) for inner, outers in of_inner.items() if outers[0] not in shared),
        *((outer, of_outer[outer], False) for outer in shared),
    ):
        net = Net(hub, inside, ports[hub][0], {})
        for leaf in leaves:
            if met[leaf] < len(ports[leaf]):
                net.branches[leaf] = ports[leaf][met[leaf]]
                met[leaf] += 1
        ends = {hub in towards[net.pair(leaf)] for leaf in net.branches}
        net.mixed = len(ends) > 1
        if net.branches:
            nets.append(net)
    return nets


def _laid(nets: Sequence[Net], depth: int, tracks: int) -> list[Net]:
    """The nets one after the other, each on the track where most of it finds a way."""
    taken: dict[Cell, set[str]] = {}
    laid: list[Net] = []
    for net in nets:
        options = range(1, tracks + 1) if net.inside else range(depth - 2, depth - 2 - tracks, -1)
        found = [_fitted(net, track, depth, taken) for track in options if 0 < track < depth - 1]
        best = max(found, key=lambda each: len(each.branches), default=None)
        if best is None or not best.branches:
            continue
        laid.append(best)
        for cell, kind in best.cells(depth).items():
            taken.setdefault(cell, set()).add(kind)
    return laid


def _fitted(net: Net, track: int, depth: int, taken: Mapping[Cell, set[str]]) -> Net:
    """The net on a track, without the branches that would run into another net."""
    whole = Net(net.hub, net.inside, net.row, dict(net.branches), track, net.mixed)
    if _free(whole, depth, taken):
        return whole
    made = Net(net.hub, net.inside, net.row, {}, track, net.mixed)
    for leaf, row in net.branches.items():
        made.branches[leaf] = row
        if not _free(made, depth, taken):
            del made.branches[leaf]
    return made


def _free(net: Net, depth: int, taken: Mapping[Cell, set[str]]) -> bool:
    return all(
        cell not in taken or (len(taken[cell]) == 1 and {kind} | taken[cell] == _CROSSING)
        for cell, kind in net.cells(depth).items()
    )
