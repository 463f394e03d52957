"""What the graph screen asks the engine, in the words of its desk. Slow: for thread workers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Belief, Component, Edge, Memory, Neighbourhood, Path, Status
from tur_engine.text import excerpt, visible

from ..drawing.belief_graph import clashing, marked
from ..drawing.wording import counted, standing, when
from .exploring import Page, Route, Spot, Step, Told

MOST_DRAWN: Final = 80
"""Memories read around a centre."""
MOST_SEARCHED: Final = 2000
"""Newest memories that the fuzzy search compares; older ones are found by recall and by id."""
MOST_FOUND: Final = 60
MOST_LISTED: Final = 100
_EDGES_TOLD: Final = 60
_ALIKE: Final = 72.0
"""Percent from which a text is like what was typed."""


def survey(engine: Engine, refs: Sequence[str], radius: int) -> Neighbourhood:
    """The graph around some memories; open conflicts are edges of it."""
    return engine.neighbourhood(refs, radius=radius, limit=MOST_DRAWN)


def newest(engine: Engine, limit: int = MOST_SEARCHED) -> list[Belief]:
    """What the fuzzy search goes through, newest first, whatever its status."""
    return engine.memories(status=tuple(Status), limit=limit)


def find(engine: Engine, typed: str, among: Sequence[Belief]) -> list[Belief]:
    """The memories whose id begins with what was typed or whose text is like it, best first."""
    from rapidfuzz import fuzz, utils  # only who searches pays for it

    wanted = " ".join(typed.split())
    if not wanted:
        return list(among[:MOST_FOUND])
    folded, prefix = utils.default_process(wanted), wanted.lower()
    scored: list[tuple[float, Belief]] = []
    for belief in among:
        memory = belief.memory
        if memory.digest.startswith(prefix) or memory.id.startswith(prefix):
            scored.append((200.0, belief))
            continue
        text = utils.default_process(memory.content)
        if folded and folded in text:
            scored.append((100.0 + len(folded) / max(1, len(text)), belief))
        elif folded and (like := fuzz.partial_ratio(folded, text, score_cutoff=_ALIKE)):
            scored.append((like - 1.0, belief))
        elif folded and (like := fuzz.token_set_ratio(folded, text, score_cutoff=_ALIKE)):
            scored.append((like - 2.0, belief))
    scored.sort(key=lambda hit: -hit[0])
    found = {belief.memory.digest: belief for _, belief in scored[:MOST_FOUND]}
    if len(among) >= MOST_SEARCHED and len(found) < MOST_FOUND:
        for each in _older(engine, wanted):
            found.setdefault(each.memory.digest, each)
    return list(found.values())


def _older(engine: Engine, wanted: str) -> list[Belief]:
    """Memories that the newest ones do not hold: by id, then by what they are about."""
    found: list[Belief] = []
    with suppress(TurError):  # no id, or one of several
        found.append(engine.memory(wanted))
    with suppress(TurError):  # nothing that can be searched for
        found += [each.belief for each in engine.recall(wanted, limit=20, include_superseded=True)]
    return found


def spot(belief: Belief) -> Spot:
    """A memory as a row of a list."""
    memory = belief.memory
    if belief.contested:
        mark, tone = "!", "conflict"
    elif belief.status is Status.SUSPECT:
        mark, tone = "?", "suspect"
    elif belief.status.live:
        mark, tone = "", "plain"
    else:
        mark, tone = "" if belief.status in (Status.HELD, Status.PENDING) else "✗", "dim"
    head = memory.short_id if belief.status is Status.ACTIVE else f"{memory.short_id} {standing(belief)}"
    return Spot((memory.digest,), head, excerpt(memory.content, 400), mark, tone, memory.digest[:6])


def told(engine: Engine, digest: str) -> list[Told]:
    """The edges of a memory as people read them, contradictions first."""
    edges = sorted(engine.edges(digest), key=lambda each: not clashing(each.type))[:_EDGES_TOLD]
    ends = {end for each in edges for end in (each.source, each.target)}
    memories = {end: engine.memory(end).memory for end in ends}
    return [_told(edge, digest, memories) for edge in edges]


def rows(engine: Engine, page: Page) -> list[Spot]:
    """The rows of a page that is read from the ledger."""
    if page is Page.CONTRADICTIONS:
        return [_clash(each) for each in engine.contradictions(limit=MOST_LISTED)]
    if page is Page.CYCLES:
        return [_cycle(each) for each in engine.cycles(limit=MOST_LISTED)]
    return [_island(each) for each in engine.components(limit=MOST_LISTED)]


def route(engine: Engine, start: str, end: str) -> Route | None:
    """How two memories are joined; None where they are not."""
    path = engine.path_between(start, end)
    if path is None or len(path.nodes) < 2:
        return None
    digests = [each.memory.digest for each in path.nodes]
    steps = [Step(edge.type, edge.source == here) for here, edge in zip(digests, path.edges, strict=False)]
    return Route(path.nodes, tuple(steps))


def _told(edge: Edge, digest: str, memories: Mapping[str, Memory]) -> Told:
    outgoing = edge.source == digest
    other = memories[edge.target if outgoing else edge.source]
    by = visible(str(edge.actor), newlines=False) if edge.actor else ""
    at = when(edge.at) if edge.at else ""
    reason = visible(f"{edge.reason} {edge.scope}".strip(), newlines=False)
    return Told(edge.type, outgoing, other.short_id, excerpt(other.content, 200), by, at, reason)


def _clash(path: Path) -> Spot:
    one, other = (each.memory for each in path.nodes[:2])
    head = f"{one.short_id} {marked(path.edges[0].type)} {other.short_id}:"
    texts = (excerpt(one.content, 120), excerpt(other.content, 120))
    brief = f"{one.digest[:4]} {other.digest[:4]}"
    return _of_several((one.digest, other.digest), head, texts, " | ", "!", "conflict", brief)


def _cycle(path: Path) -> Spot:
    """A way that ends where it begins."""
    names = [each.memory for each in path.nodes]
    head = counted(len(names), "memory", "memories")
    texts = (*(excerpt(each.content, 60) for each in names), "back")
    return _of_several(tuple(each.digest for each in names), f"{head}:", texts, " > ", "", "suspect", str(len(names)))


def _of_several(
    refs: tuple[str, ...], head: str, texts: tuple[str, ...], joint: str, mark: str, tone: str, brief: str
) -> Spot:
    return Spot(refs, head, joint.join(texts), mark, tone, brief, texts, joint)


def _island(component: Component) -> Spot:
    memory = component.centre.memory
    head = counted(component.size, "memory", "memories")
    return Spot((memory.digest,), f"{head} around {memory.short_id}", excerpt(memory.content, 400), "", "plain", head)
