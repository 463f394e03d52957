"""The tool `commit_graph`: whole, or refused with every fault for the model to mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import standins
from tests.govern.signing import RITA, governed
from tests.mcp.test_server import ANNA, harness, store
from tur_engine.engine import Engine
from tur_engine.mcp import graph_tools
from tur_engine.records import GraphReport

__all__ = ["store"]


async def test_a_graph_is_refused_mended_and_taken(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)
    nodes = [
        {"id": "one", "type": "Fact", "content": "port: 1"},
        {"id": "two", "type": "Decision", "content": "port: 2"},
    ]
    edges = [{"source": "one", "target": "two", "type": "refines"}, {"source": "one", "target": "ten", "type": "x"}]
    async with harness(store) as call:
        refused = await call.refused("commit_graph", nodes=nodes, edges=edges)
        assert refused["code"] == "graph_refused"
        assert len(refused["faults"]) == 2
        edges = [{"source": "one", "target": "two", "type": "precedes"}]
        tried = await call("commit_graph", nodes=nodes, edges=edges, dry_run=True)
        assert (tried["status"], tried["committed"], tried["held"]) == ("tried", 1, 1)
        done = await call("commit_graph", nodes=nodes, edges=edges)
        assert (done["status"], done["edges_drawn"]) == ("committed", 1)
        assert graph_tools._told(GraphReport(edges_drawn=1)).startswith(
            "0 nodes committed, 0 known already, 0 held; 1 edge "
        )
        assert done["conflicts"][0]["conflict_id"] == (await call("list_conflicts"))["conflicts"][0]["conflict_id"]
        odd = await call.refused("commit_graph", nodes=[None], edges=["a -> b", 7])
        assert [fault.partition(":")[0] for fault in odd["faults"]] == ["nodes[0]", "edges[0]", "edges[1]"]
        bad = await call.refused("commit_graph", nodes="none")
        assert "nodes" in str(bad)


async def test_a_held_node_comes_with_the_call_that_settles_it(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)
    nodes = [{"id": "one", "type": "Fact", "content": "port: 2"}]
    async with harness(store) as call:
        await call("learn", content="port: 1")
        result = await call.raw("commit_graph", nodes=nodes)
        answer = call.structured(result)
        assert (answer["status"], answer["committed"], answer["held"]) == ("conflict_detected", 0, 1)
        [clash] = answer["conflicts"]
        named = f"conflict_id={clash['conflict_id']!r}, verb='supersede', revision={clash['revision']}"
        assert named in result.content[0].text  # type: ignore[union-attr]
        given = {"conflict_id": clash["conflict_id"], "revision": clash["revision"], "reason": "moved"}
        assert (await call("resolve_conflict", verb="supersede", **given))["status"] == "resolved"


async def test_nodes_of_a_quarantined_agent_are_said_to_wait(store: Path) -> None:
    with Engine.open(store, actor=ANNA) as engine:
        governed(engine).quarantine("agent:otter", RITA, "nonsense")
    async with harness(store) as call:
        result = await call.raw("commit_graph", nodes=[{"id": "one", "type": "Fact", "content": "port: 2"}])
        told = result.content[0].text  # type: ignore[union-attr]
        assert f"A person has to let in {call.structured(result)['nodes'][0]['id']}:" in told
        assert "its author agent:otter is quarantined" in told
