"""`tur why`, `tur what-if`, `tur reaffirm`, `tur graph --path`: one story, told to people and to programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tests.standins import install

HOSTILE = "rota: two \u202e people [/b] \x9d".rstrip("\x9d")


@pytest.fixture
def story(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """top rests on claim, which rests on root and rota; root fell."""
    install(monkeypatch)
    ids: dict[str, str] = {}

    def learn(name: str, text: str, *grounds: str) -> None:
        relations = [word for ground in grounds for word in ("--relate", f"depends_on={ids[ground]}")]
        ids[name] = tur("learn", text, *relations, "--json").json["id"]

    learn("root", "canaries: an hour")
    learn("rota", HOSTILE)
    learn("claim", "fridays: safe", "root", "rota")
    learn("top", "train: weekly", "claim")
    ids["newer"] = tur("learn", "canaries: a minute", "--supersedes", ids["root"], "--json").json["id"]
    return ids


def test_why_and_reaffirm(tur: Programs, story: dict[str, str]) -> None:
    ran = tur("why", story["top"])
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].endswith('(suspect) "train: weekly"')
    assert any("superseded by" in line and "canaries: a minute" in line for line in lines)
    assert "\u202e" not in ran.out
    answer = tur("why", story["top"], "--json").json
    assert (answer["id"], answer["status"], answer["well_founded"]) == (story["top"], "suspect", False)
    nodes = {node["id"]: node for node in answer["nodes"]}
    assert [g["id"] for g in nodes[story["claim"]]["justifications"][0]["grounds"]] == [story["root"], story["rota"]]
    assert nodes[story["root"]]["defeat"]["winner"] == story["newer"]
    assert nodes[story["rota"]]["premise"]
    done = tur("reaffirm", story["claim"], "--reason", "the rota is enough")
    assert (done.code, done.err) == (0, "")
    assert tur("why", story["top"], "--json").json["well_founded"]
    assert "reaffirmed in spite of" in tur("why", story["top"]).out
    (seq,) = [word for word in done.out.split() if word.isdecimal()][-1:]
    undone = tur("undo", seq)
    claim = story["claim"][: len("fact-") + 8]
    assert undone.out.splitlines()[0].startswith(f"Undone the reaffirmation of {claim} (event ")
    back = tur("undo", str(int(seq) + 1)).out.splitlines()[0]
    assert back.startswith(f"Undone the undoing of {claim}'s reaffirmation (event "), back
    again = tur("reaffirm", story["claim"])
    assert again.code == 1
    assert "is not suspect; there is nothing to reaffirm" in again.err
    assert tur("why", "feedbeef").code == 2


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_on_a_terminal_every_line_fits(
    tur: Programs, story: dict[str, str], columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for command in ("why", "what-if"):
        lines = tur.at_terminal(command, story["claim"]).out.splitlines()
        assert all(len(line) <= int(columns) for line in lines)
        assert any("fridays" in line for line in lines)


def test_what_if_writes_nothing(tur: Programs, story: dict[str, str]) -> None:
    head = tur("status", "--json").json["head"]
    ran = tur("what-if", story["rota"], "--verb", "refute")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "Nothing was written."
    assert "suspect for one more cause" in ran.out
    answer = tur("what-if", story["rota"], "--json").json
    assert [each["id"] for each in answer["suspects"]] == [story["claim"], story["top"]]
    assert answer["suspects"][1]["through"] == [story["claim"]]
    assert tur("status", "--json").json["head"] == head
    for words, said in ((("--verb", "merge"), "takes supersede or refute"), (("--verb", "smash"), "unknown verb")):
        refused = tur("what-if", story["rota"], *words)
        assert refused.code == 2
        assert said in refused.err


def test_a_path_between_two_memories(tur: Programs, story: dict[str, str]) -> None:
    ran = tur("graph", "--path", story["top"], story["rota"])
    assert ran.code == 0
    words = [line.split(" (")[0].strip() for line in ran.out.splitlines()]
    names = {name: "-".join((ref.split("-")[0], ref.split("-")[1][:8])) for name, ref in story.items()}
    assert words == [names["top"], "-> depends_on", names["claim"], "-> depends_on", names["rota"]]
    back = tur("graph", "--path", story["rota"], story["claim"])
    assert [line.strip() for line in back.out.splitlines()][1] == "<- depends_on"
    answer = tur("graph", "--path", story["top"], story["rota"], "--format", "json").json
    assert [node["memory_id"] for node in answer["nodes"]] == [story[n] for n in ("top", "claim", "rota")]
    alone = tur("learn", "kettle: new", "--json").json["id"]
    apart = tur("graph", "--path", story["top"], alone)
    assert (apart.code, apart.out) == (1, "")
    assert "no edges join the two" in apart.err
    told = tur("graph", "--path", story["top"], alone, "--json")
    assert (told.code, told.json) == (1, {"joined": False, "nodes": [], "edges": []})
    assert answer["joined"] is True
    assert tur("graph").code == 2
    assert tur("graph", alone, "--path", alone, alone).code == 2
