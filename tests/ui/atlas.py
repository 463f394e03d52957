"""A store that stands still and holds a graph: what the graph screen asks of an engine. Same ids, same clock."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import cast

from tests.ui.making import AGENT, MOMENT
from tests.ui.stage import belief
from tur_engine.engine import Engine
from tur_engine.errors import UnknownId
from tur_engine.records import (
    Belief,
    Component,
    Edge,
    FeedFilter,
    HistoryEntry,
    MemoryType,
    Merkle,
    Neighbourhood,
    Status,
    StoreStatus,
)
from tur_engine.records import (
    Path as Way,
)

TEXTS = (
    "Database migrations run via Prisma Migrate",
    "Database migrations run via Alembic",
    "The deploy job upgrades the schema before it starts the backend",
    "Flood warnings go out by SMS and by e-mail, never by one of them alone",
    "The staging database listens on port 5432",
    "A migration is like moving house while the guests are at dinner",
    "Every migration is reviewed by two people",
    "On-call duty changes every Monday at nine",
)
TYPES = (
    "contradicts",
    "depends_on",
    "refines",
    "precedes",
    "analogy_of",
    "superseded_by",
    "metaphor_for",
    "refuted_by",
)
KINDS = (MemoryType.FACT, MemoryType.PREFERENCE, MemoryType.INSIGHT, MemoryType.EVENT, MemoryType.CONCEPT)
CYCLE = (2, 6, 4, 2)
"""Memories that rest on each other, where there are as many."""


class Atlas:
    """`size` memories: each joined to an earlier one, by every type of edge in turn; a cycle at the end."""

    path = Path("/srv/tidewatch/.tur/ledger.db")
    root = Path("/srv/tidewatch")
    read_only = False
    as_of: int | None = None

    def __init__(self, size: int, *, texts: Sequence[str] = TEXTS) -> None:
        self.beliefs: list[Belief] = []
        self.links: list[Edge] = []
        for number in range(size):
            text = texts[number] if number < len(texts) else f"{texts[number % len(texts)]}, said {number}"
            status = {5: Status.SUPERSEDED, 6: Status.SUSPECT, 11: Status.REFUTED}.get(number, Status.ACTIVE)
            made = belief(text, type=KINDS[number % 5 if number > 1 else 0], status=status, days=number + 1)
            self.beliefs.append(made)
            if number:
                self._link(number, (number - 1) // 3, TYPES[(number - 1) % 8])
        if size > 6:
            for source, target in pairwise(CYCLE):
                self._link(source, target, "depends_on")
        if size > 1:
            a, b = self.beliefs[:2]
            self.beliefs[0] = a.model_copy(update={"contested_by": (b.memory.digest,)})
            self.beliefs[1] = b.model_copy(update={"contested_by": (a.memory.digest,)})

    def _link(self, source: int, target: int, type: str) -> None:
        ends = (self.beliefs[each].memory.digest for each in (source, target))
        at = MOMENT - timedelta(minutes=len(self.links))
        seq = len(self.links) + 2
        edge = Edge(
            source=next(ends), target=next(ends), type=type, seq=seq, actor=AGENT, at=at, reason="so it was said"
        )
        self.links.append(edge)

    @property
    def engine(self) -> Engine:
        return cast(Engine, self)

    # what every screen asks

    def conflicts(self, **_: object) -> list[object]:
        return []

    def status(self) -> StoreStatus:
        return StoreStatus(
            path=str(self.path),
            store_id="still",
            memories={Status.ACTIVE: len(self.beliefs)},
            open_conflicts=0,
            invariants=0,
            proposals_pending=0,
            head=Merkle(size=5, root=""),
            judge=True,
        )

    def head(self) -> int:
        return len(self.links) + 1

    def feed_index(self, filter: FeedFilter) -> list[int]:
        return []

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        return []

    def displaced(self) -> str:
        return ""

    def watch(self, since: int, stop: Event, **_: object) -> Iterator[list[HistoryEntry]]:
        stop.wait(30)
        yield from ()

    # the graph

    def guard_state(self) -> object:
        return ()

    def memory(self, ref: str) -> Belief:
        found = [each for each in self.beliefs if each.memory.digest.startswith(ref.rpartition("-")[2])]
        if len(found) != 1:
            raise UnknownId(f"no memory {ref}")
        return found[0]

    def memories(self, *, status: Collection[Status] | None = None, limit: int = 100) -> list[Belief]:
        return self.beliefs[:limit]

    def edges(self, ref: str) -> list[Edge]:
        digest = self.memory(ref).memory.digest
        return [each for each in self.links if digest in (each.source, each.target)]

    def neighbourhood(self, refs: Sequence[str], *, radius: int = 1, limit: int = 40) -> Neighbourhood:
        order = [self.memory(ref).memory.digest for ref in refs]
        focus = tuple(order)
        for _ in range(radius):
            for digest in tuple(order):
                for edge in self.edges(digest):
                    order += [each for each in (edge.source, edge.target) if each not in order]
        order = order[:limit]
        edges = tuple(each for each in self.links if each.source in order and each.target in order)
        hidden = {d: n for d in order if (n := sum(not {e.source, e.target} <= set(order) for e in self.edges(d)))}
        return Neighbourhood(focus=focus, nodes=tuple(self.memory(each) for each in order), edges=edges, hidden=hidden)

    def path_between(self, start: str, end: str) -> Way | None:
        came = {self.memory(start).memory.digest: ""}
        frontier = list(came)
        while frontier and self.memory(end).memory.digest not in came:
            found = [(here, *({e.source, e.target} - {here})) for here in frontier for e in self.edges(here)]
            fresh = {there: here for here, there in found if there not in came}
            came.update(fresh)
            frontier = list(fresh)
        digest, order = self.memory(end).memory.digest, []
        while digest in came and digest:
            order.append(digest)
            digest = came[digest]
        return self._way(order[::-1]) if order else None

    def _way(self, order: Sequence[str]) -> Way:
        edges = [next(e for e in self.links if {e.source, e.target} == {a, b}) for a, b in pairwise(order)]
        return Way(nodes=tuple(self.memory(each) for each in dict.fromkeys(order)), edges=tuple(edges))

    def cycles(self, *, limit: int) -> list[Way]:
        known = len(self.beliefs) > max(CYCLE)
        return [self._way([self.beliefs[each].memory.digest for each in CYCLE])] if known else []

    def components(self, *, limit: int) -> list[Component]:
        members = tuple(each.memory.digest for each in self.beliefs)
        return [Component(size=len(members), centre=self.beliefs[0], members=members)] if members else []

    def contradictions(self, *, limit: int) -> list[Way]:
        return [self._way((e.source, e.target)) for e in self.links if e.type == "contradicts"]
