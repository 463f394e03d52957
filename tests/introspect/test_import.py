"""Old node-link graphs load whole: JSON or YAML, `edges` or `links`, types of old, what had fallen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.engine.scripted import Store
from tur_engine.errors import GraphRefused
from tur_engine.records import Outcome

UPSTREAM = Path("/work/shared/fixtures/upstream-tur-store/global_tur/personas")
PREVIOUS = (
    *("refines", "precedes", "depends_on", "contradicts", "competes_with", "superseded_by", "refuted_by"),
    "analogy_of",
)
"""The eight edge types before metaphor_for."""


def old_graph() -> nx.MultiDiGraph:
    """One edge of each of the previous types, between nodes whose text is their name."""
    made = nx.MultiDiGraph()
    for number, kind in enumerate(PREVIOUS):
        lost = kind in ("superseded_by", "refuted_by")
        made.add_node(
            f"s{number}", type="Decision", content=f"source {number}", status="archived" if lost else "active"
        )
        made.add_node(f"t{number}", type="Fact", content=f"target {number}", status="active")
        made.add_edge(f"s{number}", f"t{number}", type=kind, confidence=0.9)
    return made


@pytest.mark.parametrize("key", ["edges", "links"])
def test_the_previous_eight_types_load_unchanged(store: Store, key: str) -> None:
    data = nx.node_link_data(old_graph(), edges=key)
    report = store.engine.import_graph(json.dumps(data))
    assert report.count(Outcome.COMMITTED) + report.count(Outcome.CONFLICT) == 16
    assert not report.warnings
    assert store.edges() == {
        (f"source {n}", kind, f"target {n}") if kind != "contradicts" else ("target 3", kind, "source 3")
        for n, kind in enumerate(PREVIOUS)
    }
    assert {b.memory.content: str(b.status) for b in store.every() if not b.status.live} == {
        "source 5": "superseded",
        "source 6": "refuted",
        "target 3": "held",
    }
    again = store.engine.import_graph(json.dumps(data))
    assert (again.edges_drawn, again.edges_known) == (0, 7)
    store.verified()
    store.script.clash("source 5", "target 5")
    told = store.learn("source 5")  # what lost there is not learned anew without a word
    assert told.outcome is Outcome.CONFLICT
    assert told.settled_before is not None


def test_odd_old_graphs_load_whole(store: Store) -> None:
    report = store.engine.import_graph(
        """
nodes:
- {id: a, type: Banana, content: A thing, sources: &s [abc]}
- {id: 7, content: null, sources: *s}
- {id: gone, type: Fact, content: Put away, status: archived}
- {id: a, type: Banana, content: A thing said last}
links:
- {source: a, target: 7, type: constrained by}
- {source: a, target: 7, type: refines}
- {source: a, target: 7, type: precedes}
- {source: 7, target: a, type: precedes}
- {source: a, target: 7, type: "¡¡"}
- {source: a, target: nowhere, type: refines}
- {source: a, target: a, type: refines}
"""
    )
    assert store.edges() == {
        ("A thing said last", "constrained_by", "7"),
        ("A thing said last", "refines", "7"),
        ("A thing said last", "precedes", "7"),
        ("7", "precedes", "A thing said last"),
        ("A thing said last", "legacy", "7"),
    }
    types = {b.memory.content: (b.memory.node_type, str(b.status)) for b in store.every()}
    assert types == {
        "A thing said last": ("legacy", "active"),
        "7": ("legacy", "active"),
        "Put away": ("Fact", "retracted"),
    }
    for words in ("given twice", "kept as legacy", "ends in nothing", "to itself"):
        assert any(words in warning for warning in report.warnings)
    store.verified()


def test_a_text_that_cannot_be_kept_refuses_the_whole(store: Store) -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "a", "content": "x" * 9000},
        {"content": "no name"},
        {"id": "b", "content": "\x1b]0;"},
        {"id": "c", "content": "Use AKIA" + "IOSFODNN7ABCDEFG for the bucket"},
    ]
    with pytest.raises(GraphRefused) as caught:
        store.engine.import_graph(json.dumps({"nodes": nodes, "edges": [{"source": "a"}]}))
    assert len(caught.value.faults) == 5
    assert "looks like" in caught.value.faults[3]
    assert store.engine.head() == 1


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the fixture is not on this machine")
def test_a_store_of_upstream_comes_in_whole(store: Store) -> None:
    (file,) = UPSTREAM.glob("*/knowledge_graph.yaml")
    report = store.engine.import_graph(file)
    assert report.count(Outcome.COMMITTED) == 4
    assert store.edges() == {
        ("Payment service in Go", "constrained_by", "All state in local files"),
        ("Checkout needs payment", "depends_on", "Payment service in Go"),
        ("Payment service in Java", "superseded_by", "Payment service in Go"),
    }
    java = next(b for b in store.every() if b.memory.content == "Payment service in Java")
    assert (str(java.status), java.memory.node_type) == ("superseded", "Decision")
    store.verified()
