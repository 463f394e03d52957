"""`tur import`, a graph's commit and its prompt, `--node-type`, and `tur-adm persona`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import standins
from tests.cli.conftest import Programs, Ran
from tests.cli.test_governance import reviewer, with_passphrase
from tur_engine.cli import committing
from tur_engine.cli.call import Call
from tur_engine.cli.output import Output
from tur_engine.records import OnConflict

__all__ = ["reviewer", "with_passphrase"]

BAD = {"nodes": [{"id": "a", "type": "Banana", "content": "port: 1"}], "edges": []}
GOOD = {
    "nodes": [
        {"id": "a", "type": "Fact", "content": "port: 1"},
        {"id": "b", "type": "Fact", "content": "port: 2"},
        {"id": "c", "type": "Insight", "content": "[/b] \u202ehost: x"},
    ],
    "edges": [{"source": "c", "target": "a", "type": "routes_to"}],
}


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


def test_an_old_graph_is_imported(tur: Programs, store: Path) -> None:
    Path("old.json").write_text(json.dumps({"nodes": GOOD["nodes"], "links": GOOD["edges"]}))
    tried = tur("import", "old.json", "--dry-run", "--on-conflict", "hold")
    assert tried.code == 3
    assert "would be taken" in tried.out
    done = tur("import", "old.json", "--on-conflict", "hold", "--json")
    assert done.code == 3
    assert {key: done.json[key] for key in ("status", "committed", "held", "edges_drawn")} == {
        "status": "committed",
        "committed": 2,
        "held": 1,
        "edges_drawn": 1,
    }
    assert done.json["conflicts"][0]["existing_content"] == "port: 1"
    assert tur("import", "nowhere.json").code == 2


def test_commit_and_delegate(tur: Programs, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.json").write_text(json.dumps(BAD))
    Path("good.json").write_text(json.dumps(GOOD))
    call = Call(Output("tur"), json=False, store=None, speaker="agent:otter", people_only=False)
    assert committing.commit(call, "good.json", named=OnConflict.ALLOW) == 0
    said = capsys.readouterr()
    assert "3 nodes taken: 3 committed; 1 edge drawn" in said.out
    assert '"port: 2" against "port: 1"' in said.out
    assert "routes_to is emergent" in said.err
    assert "\u202e" not in said.out + said.err
    assert committing.delegate(call) == 0
    prompt = capsys.readouterr().out
    assert "- metaphor_for: figurative framing" in prompt
    assert "\u202e" not in prompt
    assert tur("list", "--type", "concept", "--json").json["memories"]


def test_each_fault_of_a_graph_is_a_line_and_a_name_forges_none(tur: Programs, store: Path) -> None:
    bad = {"nodes": [{"id": "a\n- forged", "type": "Banana", "content": "port: 1"}], "edges": [{"source": "a"}]}
    Path("bad\n- forged.json").write_text(json.dumps(bad))
    refused = tur("introspect", "--commit", "bad\n- forged.json")
    assert refused.code == 2
    head, *faults = refused.err.splitlines()
    assert head.endswith("was refused whole, nothing was written; 4 faults:")
    assert [fault[:10] for fault in faults] == ["- nodes[0]", "- edges[0]", "- edges[0]", "- edges[0]"]


@pytest.mark.parametrize(
    "command",
    [("introspect", "--commit", "-"), ("import", "-", "--format", "graph"), ("learn", "--from", "-"), ("detect",)],
)
def test_standard_input_is_data_whatever_it_looks_like(tur: Programs, store: Path, command: tuple[str, ...]) -> None:
    Path("good.json").write_text(json.dumps(GOOD))
    for sent in (b"good.json", b"./good.json\n", bytes(Path("good.json").absolute())):
        ran = tur(*command, stdin=sent)
        assert ran.code != 0
        assert any(told in ran.out + ran.err for told in ("JSON", "standard input is no object"))
        assert "3 nodes" not in ran.out
    if command[0] == "introspect":
        assert "standard input is not valid JSON in line 1" in tur(*command, stdin=b"good.json").err
    if command[0] in ("introspect", "import"):
        assert "standard input is not UTF-8 at byte 2" in tur(*command, stdin=b"{\xff}").err
    assert tur("list", "--json").json["memories"] == []


def test_a_dry_run_says_would(tur: Programs, store: Path) -> None:
    old = tur("learn", "The kettle is red", "--json").json["id"]
    given = {
        "nodes": [{"id": "a", "type": "Fact", "content": "host: x"}],
        "edges": [{"source": "a", "target": old, "type": kind} for kind in ("contradicts", "likes")],
    }
    Path("graph.json").write_text(json.dumps(given))
    for command in (("import",), ("introspect", "--commit")):
        tried = tur(*command, "graph.json", "--dry-run")
        assert "1 node would be taken: 1 committed; 1 edge would be drawn\nconflict-" in tried.out
        assert tried.out.rstrip().endswith(" would be opened by an edge")
    assert tur("list", "--json").json["memories"][0]["id"] == old
    assert tur("introspect", "--dry-run").out.endswith("Nothing was written.\n")
    assert "Nothing was written" not in tur("introspect").out


def test_a_node_type_is_kept_and_an_unknown_one_refused(tur: Programs, store: Path) -> None:
    refused = tur("learn", "host: a", "--node-type", "banana")
    assert (refused.code, "use one of Concept" in refused.err) == (2, True)
    known = tur("learn", "host: a", "--node-type", "open question", "--json").json["id"]
    assert tur("show", known, "--json").json["node_type"] == "OpenQuestion"
    assert "OpenQuestion" in tur("show", known).out
    plain = tur("learn", "colour: red", "--node-type", "Fact", "--json").json["id"]
    assert tur("show", plain, "--json").json["node_type"] == "Fact"
    misfit = tur("learn", "size: 2", "--type", "insight", "--relate", f"precedes={plain}")
    assert (misfit.code, "precedes joins a Decision or a Fact" in misfit.err) == (2, True)
    line = json.dumps({"content": "shape: round", "node_type": "Hypothesis"}).encode()
    assert tur("learn", "--from", "-", "--json", stdin=line).json["committed"] == 1


def test_the_persona_file_is_shown_and_approved(
    tur: Programs, store: Path, reviewer: str, with_passphrase: Callable[..., Ran]
) -> None:
    assert with_passphrase("persona", "approve").code == 2  # there is none
    file = store.with_name("persona.yaml") if store.suffix else store / ".tur" / "persona.yaml"
    file.write_text("compaction: {ontology: {custom_edge_types: [cites: {transitive: true}]}}\n")
    shown = tur.adm("persona", "approve", "--show")
    assert (shown.code, "cites: transitive" in shown.out, "not approved" in shown.out) == (0, True, True)
    assert "not approved" in tur("status", "--json").json["persona"]
    assert tur.adm("persona", "approve").code == 1  # nobody can be asked for a passphrase
    done = with_passphrase("persona", "approve", "--reason", "agreed", "--json")
    assert (done.code, done.json["status"]) == (0, "approved")
    assert tur.adm("persona", "show", "--json").json["approved"]
    assert tur("verify", "--json").json["persona"].startswith("approved")
    assert with_passphrase("persona", "approve").code == 1  # approved already
    file.write_text("compaction: {ontology: {custom_edge_types: [cites: {fast: true}]}}\n")
    bad = tur.adm("persona", "show")
    assert (bad.code, "it takes transitive and decay_propagation" in bad.err) == (2, True)
    assert "not readable" in tur("status", "--json").json["persona"]


def test_a_graph_that_came_in_is_taken_back(tur: Programs, store: Path, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_text(json.dumps({"nodes": [{"id": "calls", "type": "Fact", "content": "Checkout calls payments"}]}))
    seq = tur("introspect", "--commit", str(file), "--json").json["seq"]
    told = tur("undo", str(seq))
    assert told.code == 0, told.err
    assert "Undone what was drawn" in told.out
    assert "is retracted" in told.out
    again = tur("undo", str(seq + 1), "--json").json
    assert (again["status"], again["conflict_id"], again["conflict"]) == ("undone", None, None)
