"""Any graph at all: taken whole or refused whole, and the rules of the ledger hold after it."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.scripted import AGENT, Store
from tur_engine.errors import GraphRefused
from tur_engine.ontology import EdgeType, NodeType
from tur_engine.ontology.signatures import ACYCLIC
from tur_engine.records import Status

NAMES = ["a", "b", "c", "d"]
TEXTS = ["The gateway listens on 443", "Orders are kept for a year", "Deploys run on Friday", "Logs are in Loki"]

nodes = st.builds(
    lambda id, type, content: {"id": id, "type": type, "content": content},
    st.sampled_from(NAMES),
    st.sampled_from([NodeType.FACT, NodeType.DECISION, NodeType.CONCEPT, "Banana"]),
    st.sampled_from(TEXTS),
)
edges = st.builds(
    lambda source, target, type: {"source": source, "target": target, "type": type},
    st.sampled_from([*NAMES, "known"]),
    st.sampled_from([*NAMES, "known"]),
    st.sampled_from([*EdgeType, "routes_to", "supersedes"]),
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(nodes, max_size=4, unique_by=lambda n: n["id"]), st.lists(edges, max_size=5))
def test_any_graph(store: Store, some: list[dict[str, Any]], joined: list[dict[str, Any]]) -> None:
    known = store.engine.memories(limit=-1) or [store.engine.memory(store.known("The first thing that was known"))]
    ids = {"known": known[-1].id}
    joined = [
        {**e, "source": ids.get(e["source"], e["source"]), "target": ids.get(e["target"], e["target"])} for e in joined
    ]
    head, live = store.engine.head(), store.live()
    try:
        report = store.seen_by(AGENT).commit_graph({"nodes": some, "edges": joined})
    except GraphRefused:
        assert store.engine.head() == head
        return
    assert [each.node for each in report.nodes] == [node["id"] for node in some]
    assert live <= store.live()  # nothing is removed
    beliefs = store.every()
    assert {b.status for b in beliefs} <= {Status.ACTIVE, Status.SUSPECT, Status.HELD}
    drawn = {(e.source, e.type, e.target) for b in beliefs for e in store.engine.edges(b.memory.digest)}
    for kind in ACYCLIC:
        assert nx.is_directed_acyclic_graph(nx.DiGraph((s, t) for s, type, t in drawn if type == kind))
    assert not any(type in ("superseded_by", "refuted_by", "competes_with") for _, type, _ in drawn)
    assert store.engine.verify(witnessed=False).ok
