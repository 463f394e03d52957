"""The ego neighbourhood: nearest first, bounded, honest about what it leaves out."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store
from tur_engine.errors import UnknownId
from tur_engine.records import Relation, Verb

ROOT = "The mesh is Istio"


@pytest.fixture
def grown(store: Store) -> Store:
    """root <- one <- two <- three, and four more on root; a rival contests root."""
    below = store.known(ROOT)
    for name in ("one", "two", "three"):
        below = store.known(f"Step {name} of the rollout", rests_on=[below])
    root = next(b.id for b in store.engine.memories() if b.memory.content == ROOT)
    for name in ("north", "east", "south", "west"):
        store.known(f"Gateway {name} listens on 443", relations=[Relation(type="refines", target=root)])
    store.script.clash(ROOT, "The mesh is Linkerd")
    store.held("The mesh is Linkerd")
    return store


def ref(store: Store, text: str) -> str:
    return next(b.id for b in store.every() if b.memory.content == text)


def seen(store: Store, *texts: str, **options: int) -> tuple[list[str], set[tuple[str, str, str]], dict[str, int]]:
    """Texts in order, edges by text, hidden neighbours by text."""
    part = store.engine.neighbourhood([ref(store, text) for text in texts], **options)
    names = {b.memory.digest: b.memory.content for b in store.every()}
    edges = {(names[e.source], e.type, names[e.target]) for e in part.edges}
    assert [names[d] for d in part.focus] == list(dict.fromkeys(texts))
    return [b.memory.content for b in part.nodes], edges, {names[d]: n for d, n in part.hidden.items()}


def test_radius_counts_steps_over_edges_either_way(grown: Store) -> None:
    nodes, edges, hidden = seen(grown, "Step two of the rollout", radius=0)
    assert (nodes, edges, hidden) == (["Step two of the rollout"], set(), {"Step two of the rollout": 2})
    nodes, edges, hidden = seen(grown, "Step two of the rollout", radius=1)
    assert nodes == ["Step two of the rollout", "Step one of the rollout", "Step three of the rollout"]
    assert edges == {
        ("Step two of the rollout", "depends_on", "Step one of the rollout"),
        ("Step three of the rollout", "depends_on", "Step two of the rollout"),
    }
    assert hidden == {"Step one of the rollout": 1}
    nodes, _, hidden = seen(grown, "Step two of the rollout", radius=2)
    assert nodes[3:] == [ROOT]
    assert hidden == {ROOT: 5}


def test_an_open_conflict_is_an_edge_and_a_settled_one_leaves_its_own(grown: Store) -> None:
    nodes, edges, _ = seen(grown, "The mesh is Linkerd")
    assert nodes == ["The mesh is Linkerd", ROOT]
    assert edges == {("The mesh is Linkerd", "contradicts", ROOT)}
    grown.settle(grown.engine.conflicts()[0], Verb.SUPERSEDE, reason="lighter")
    _, edges, _ = seen(grown, "The mesh is Linkerd")
    assert edges == {(ROOT, "superseded_by", "The mesh is Linkerd")}
    part = grown.engine.neighbourhood([ref(grown, ROOT)])
    assert {e.reason for e in part.edges if e.type == "superseded_by"} == {"lighter"}


def test_the_limit_keeps_the_nearest_and_counts_the_rest(grown: Store) -> None:
    nodes, edges, hidden = seen(grown, ROOT, limit=3)
    assert nodes[0] == ROOT
    assert len(nodes) == 3
    assert len(edges) == 2
    assert hidden[ROOT] == 4
    nodes, _, hidden = seen(grown, ROOT, radius=9, limit=100)
    assert len(nodes) == len(grown.every())
    assert hidden == {}


def test_a_neighbour_over_two_edges_is_hidden_once_and_both_edges_show(store: Store) -> None:
    root = store.known(ROOT)
    twice = [Relation(type="depends_on", target=root), Relation(type="refines", target=root)]
    store.known("Sidecars speak mTLS", relations=twice)
    assert seen(store, ROOT, radius=0)[2] == {ROOT: 1}
    assert len(seen(store, ROOT)[1]) == 2


def test_several_focus_memories_and_one_named_twice(grown: Store) -> None:
    nodes, _, _ = seen(grown, ROOT, "Step three of the rollout", ROOT, radius=1)
    assert nodes[:2] == [ROOT, "Step three of the rollout"]
    assert len(nodes) == len(set(nodes))


def test_an_unknown_focus_is_refused(grown: Store) -> None:
    with pytest.raises(UnknownId):
        grown.engine.neighbourhood(["fact-00000000"])


def test_the_past_shows_the_graph_of_that_time(grown: Store) -> None:
    seq = grown.engine.head()
    grown.settle(grown.engine.conflicts()[0], Verb.SUPERSEDE)
    past = grown.engine.at(seq).neighbourhood([ref(grown, ROOT)], limit=100)
    assert "superseded_by" not in {e.type for e in past.edges}
    assert "contradicts" in {e.type for e in past.edges}
    early = grown.engine.at(2).neighbourhood([ref(grown, ROOT)])
    assert (len(early.nodes), early.edges, early.hidden) == (1, (), {})
