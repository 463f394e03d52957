"""The belief graph as a whole: paths, islands, cycles, contradictions, and who drew an edge, when and why."""

from __future__ import annotations

import networkx as nx
import pytest

from tests.engine.scripted import AGENT, MARA, Store
from tur_engine.ledger import NewEvent
from tur_engine.ledger.effects import edge
from tur_engine.records import Edge, EventKind, MemoryType, Path, Relation, Scope, Verb

ROOT, RIVAL = "The mesh is Istio", "The mesh is Linkerd"


@pytest.fixture
def grown(store: Store) -> Store:
    """root <- left, right <- top (over both); lone <-> pair; one contested pair; one memory by itself."""
    root = store.known(ROOT)
    left = store.known("Retries are set in virtual services", rests_on=[root])
    right = store.known("Traffic is encrypted by sidecars", rests_on=[root])
    store.known("Timeouts need no code", rests_on=[left, right], relations=[Relation(type="refines", target=left)])
    lone = store.known("The harbour opens at dawn")
    store.known("A dawn is a harbour", relations=[Relation(type="metaphor_for", target=lone)])
    store.known("The kettle is new")
    store.script.clash(ROOT, RIVAL)
    store.contested(RIVAL, by=AGENT)
    return store


def ref(store: Store, text: str) -> str:
    return next(b.id for b in store.every() if b.memory.content == text)


def told(path: Path | None) -> list[str]:
    assert path is not None
    return [belief.memory.content for belief in path.nodes]


def edge_of(store: Store, kind: str, text: str = ROOT) -> Edge:
    (found,) = [e for e in store.engine.edges(ref(store, text)) if e.type == kind]
    return found


def test_a_path_runs_along_the_edges_where_it_can_and_says_where_none_is(grown: Store) -> None:
    top, right, root = (
        ref(grown, "Timeouts need no code"),
        ref(grown, "Traffic is encrypted by sidecars"),
        ref(grown, ROOT),
    )
    down = grown.engine.path_between(top, root)
    assert told(down) == ["Timeouts need no code", "Retries are set in virtual services", ROOT]
    assert down is not None
    assert [e.type for e in down.edges] == ["depends_on", "depends_on"]
    assert told(grown.engine.path_between(root, top)) == told(down)[::-1]
    across = grown.engine.path_between(ref(grown, RIVAL), right)
    assert told(across) == [RIVAL, ROOT, "Traffic is encrypted by sidecars"]
    assert across is not None
    assert [e.type for e in across.edges] == ["contradicts", "depends_on"]
    assert told(grown.engine.path_between(root, root)) == [ROOT]
    assert grown.engine.path_between(root, ref(grown, "The kettle is new")) is None
    assert ROOT in grown.engine.path_text(across)
    assert len(grown.engine.path_data(across)["edges"]) == 2


def test_islands_are_told_largest_first_with_their_best_connected_member(grown: Store) -> None:
    large, small = grown.engine.components()
    assert (large.size, small.size) == (5, 2)
    assert large.centre.memory.content == ROOT
    assert len(large.members) == 5
    assert [c.size for c in grown.engine.components(least=1)] == [5, 2, 1]
    assert len(grown.engine.components(limit=1)) == 1


def test_a_cycle_is_shown_where_an_old_graph_holds_one(grown: Store) -> None:
    assert grown.engine.cycles() == []
    left, root, top = (
        ref(grown, t).partition("-")[2] for t in ("Retries are set in virtual services", ROOT, "Timeouts need no code")
    )
    drawn = [edge(root, left, "depends_on"), edge(top, top, "precedes"), edge(left, top, "analogy_of")]
    with grown.engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.MAPPED, MARA, {"effects": drawn}, [])])
    loop, knot = grown.engine.cycles()
    assert told(loop) == ["Timeouts need no code"]
    assert set(told(knot)) == {ROOT, "Retries are set in virtual services"}
    assert {(e.source, e.target) for e in knot.edges} == {(left, root), (root, left)}


def test_contradictions_are_open_conflicts_and_what_was_let_stand(grown: Store) -> None:
    (pair,) = grown.engine.contradictions()
    assert told(pair) == [RIVAL, ROOT]
    (found,) = pair.edges
    assert (found.type, found.actor) == ("contradicts", AGENT)
    (conflict,) = grown.engine.conflicts()
    grown.settle(conflict, Verb.FORCE, reason="both for now")
    (pair,) = grown.engine.contradictions()
    assert [e.type for e in pair.edges] == ["competes_with"]
    assert (pair.edges[0].actor, pair.edges[0].reason) == (MARA, "both for now")
    assert pair.edges[0].at is not None


def test_each_resolution_is_an_edge_and_an_undo_that_is_undone_keeps_who_decided(grown: Store) -> None:
    (conflict,) = grown.engine.conflicts()
    done = grown.settle(conflict, Verb.BRANCH, reason="only here", scope=Scope(path="services/api"))
    branch = edge_of(grown, "scope_branch")
    assert (branch.actor, branch.reason, branch.scope) == (MARA, "only here", "incarnation:services/api")
    undone = grown.engine.undo(f"#{done.seq}", reason="too early")
    assert edge_of(grown, "contradicts").actor == MARA
    assert not [e for e in grown.engine.edges(ref(grown, ROOT)) if e.type == "scope_branch"]
    grown.engine.undo(f"#{undone.seq}", reason="not at all")
    again = edge_of(grown, "scope_branch")
    assert (again.actor, again.reason, again.scope) == (MARA, "only here", "incarnation:services/api")
    grown.verified()


def test_an_exported_graph_is_a_multigraph_with_node_types(grown: Store) -> None:
    root = ref(grown, ROOT)
    taste = grown.known("Tabs over spaces", type=MemoryType.PREFERENCE, rests_on=[root])
    grown.known("Meshes are told apart", node_type="Concept", rests_on=[root, taste])
    rule = grown.approve("Secrets stay out of the mesh", rests_on=[root])
    graph = nx.node_link_graph(grown.engine.graph(root, radius=2), edges="edges")
    assert isinstance(graph, nx.MultiDiGraph)
    types = {data["content"]: data["node_type"] for _, data in graph.nodes(data=True)}
    assert types[ROOT] == "Fact"
    assert types["Tabs over spaces"] == "Decision"
    assert types["Meshes are told apart"] == "Concept", "the type that it was given, not the one that a fact has"
    assert types["Secrets stay out of the mesh"] == "Constraint"
    assert [data["memory_id"] for _, data in graph.nodes(data=True) if data["pinned"]] == [rule]
    top, left = (
        ref(grown, t).partition("-")[2] for t in ("Timeouts need no code", "Retries are set in virtual services")
    )
    assert sorted(data["type"] for data in graph.get_edge_data(top, left).values()) == ["depends_on", "refines"]
