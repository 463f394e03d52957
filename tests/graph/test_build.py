"""The belief graph in the forms in which it leaves the program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Relation
from tur_engine.text import visible


@pytest.fixture
def engine(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    install(monkeypatch)
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
    assert [data["focus"] for _, data in graph.nodes(data=True)].count(True) == 1
    ids = re.findall(r'<edge [^>]*id="([^"]+)"', text)
    assert len(ids) == len(set(ids)) == 2
    assert not re.search(">(True|False)<", text), "a boolean of XML is true or false"


def test_graphml_holds_nothing_that_a_terminal_obeys(engine: Engine) -> None:
    text = "Back\u202eups \u200bnightly, for people\u00a0too\nand \U0001f468\u200d\U0001f469"
    ref = engine.learn(Draft(content=text, author=engine.actor)).id or ""
    written = engine.graph_text(ref, form="graphml")
    assert visible(written) == written
    assert "Back&#8238;ups &#8203;nightly" in written
    ((_, data),) = nx.parse_graphml(written).nodes(data=True)
    assert data["content"] == text


def test_the_radius_bounds_it_and_says_what_is_left_out(engine: Engine, chain: list[str]) -> None:
    outline = engine.graph_text(chain[0], radius=1)
    assert "Backups" in outline
    assert "Restores" not in outline
    assert "… 1 more next to it, not shown" in outline
    assert "Restores" in engine.graph_text(chain[0], radius=2)


def test_mermaid_quotes_what_it_shows(engine: Engine, chain: list[str]) -> None:
    text = engine.graph_text(chain[1], form="mermaid")
    assert text.startswith("graph LR")
    assert "#quot;one#quot;" in text
    assert "<nightly>" not in text
    assert text.count("-->|depends_on|") == 2


def test_networkx_is_loaded_by_who_asks_for_a_graph_alone(repo_root: Path) -> None:
    code = f"""
import os, sys, tempfile
sys.path[:0] = [{str(repo_root)!r}, {str(repo_root / "engine")!r}]
import pytest
from pathlib import Path
from tests.standins import install
install(pytest.MonkeyPatch())
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Relation
from tur_engine.text import visible
engine = Engine.init(Path(tempfile.mkdtemp()), actor=Author.parse("human:mara"))
ground = engine.learn(Draft(content="ground: one", author=engine.actor)).id
above = engine.learn(Draft(
    content="above: two", author=engine.actor, relations=(Relation(type="depends_on", target=ground),))).id
engine.why(above), engine.what_if(ground), engine.path_between(above, ground), engine.contradictions()
engine.neighbourhood([above], radius=2), engine.graph_text(above)
assert "networkx" not in sys.modules
engine.components()
assert "networkx" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
