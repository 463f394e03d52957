"""The belief graph in the forms in which it leaves the program."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Relation


@pytest.fixture
def engine(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    return Engine.init(workdir, actor=Author.parse("human:mara"))


@pytest.fixture
def chain(engine: Engine) -> list[str]:
    """Three memories, each resting on the one before."""
    ids: list[str] = []
    for text in ("The store is SQLite", 'Backups copy "one" file <nightly>', "Restores are tested on Mondays"):
        rests = (Relation(type="depends_on", target=ids[-1]),) if ids else ()
        result = engine.learn(Draft(content=text, author=engine.actor, relations=rests))
        assert result.id
        ids.append(result.id)
    return ids


def test_node_link_reads_back_as_the_same_graph(engine: Engine, chain: list[str]) -> None:
    told = engine.graph(chain[1])
    graph = nx.node_link_graph(json.loads(json.dumps(told)), edges="edges")
    assert {data["memory_id"] for _, data in graph.nodes(data=True)} == set(chain)
    assert sorted(data["type"] for *_, data in graph.edges(data=True)) == ["depends_on", "depends_on"]
    first, last = (each.rpartition("-")[2] for each in (chain[0], chain[2]))
    assert nx.has_path(graph, last, first)
    assert not nx.has_path(graph, first, last)


def test_graphml_reads_back(engine: Engine, chain: list[str]) -> None:
    text = engine.graph_text(chain[1], form="graphml")
    graph = nx.parse_graphml(text)
    assert graph.number_of_nodes() == 3
    assert {data["content"] for _, data in graph.nodes(data=True)} >= {'Backups copy "one" file <nightly>'}


def test_the_radius_bounds_it_and_says_what_is_left_out(engine: Engine, chain: list[str]) -> None:
    outline = engine.graph_text(chain[0], radius=1)
    assert "Backups" in outline
    assert "Restores" not in outline
    assert "1 more" in outline
    assert "Restores" in engine.graph_text(chain[0], radius=2)


def test_mermaid_quotes_what_it_shows(engine: Engine, chain: list[str]) -> None:
    text = engine.graph_text(chain[1], form="mermaid")
    assert text.startswith("graph LR")
    assert "#quot;one#quot;" in text
    assert "<nightly>" not in text
    assert text.count("-->|depends_on|") == 2
