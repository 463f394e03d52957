"""The tool `commit_graph`: whole, or refused with every fault for the model to mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import standins
from tests.mcp.test_server import harness, store
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
