"""`tur export` and `tur import`: out of one store, into another, through the gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests import standins
from tests.cli.conftest import Programs
from tests.strategies import texts
from tur_engine.cli import listed
from tur_engine.cli.listed import ListReader
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Scope
from tur_engine.text import accept, unseen

ME = Author.parse("agent:me")
SHARED = Path("/work/shared/fixtures/upstream-tur-store")
CARRIED = ("content", "type", "scope", "topic", "fields", "tags", "occurred_at", "confidence", "session", "node_type")


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def carried(text: str) -> list[dict[str, Any]]:
    return [{key: row.get(key) for key in CARRIED} for row in rows(text)]


@pytest.fixture
def filled(tur: Programs, store: Path) -> str:
    """What an export of a small store holds."""
    tur("learn", "port: 1", "--topic", "net", "--field", "port=1", "--tag", "b", "--tag", "a", "--confidence", "0.5")
    (first,) = tur("list", "--json").json["memories"]
    tur("learn", "host: x", "--relate", f"depends_on={first['id']}", "--type", "insight", "--scope", "user:src@main")
    tur("learn", "note: [/b] \u202e", "--occurred-at", "2020-02-02T02:02:02Z", "--session", "s1", "--as", "human:anna")
    tur("learn", "port: 2", "--on-conflict", "hold")
    return tur("export").out


def test_an_export_into_a_new_store_gives_the_same_live_memories(
    filled: str, tur: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "out.jsonl"
    file.write_text(filled, "utf-8")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    tur("init")
    shown = tur("import", str(file))
    assert (shown.code, shown.out) == (0, "would be: 3 learned\n")
    assert "--yes takes them in" in shown.err
    assert tur("list", "--json").json["memories"] == []
    assert tur("import", str(file), "--yes", "--as", "agent:mover").out == "3 learned\n"
    again = tur("export").out
    assert carried(again) == carried(filled)
    mapped = {old["id"]: new["id"] for old, new in zip(rows(filled), rows(again), strict=True)}
    edges = [row["relations"] for row in rows(again) if "relations" in row]
    assert [[f"fact-{each['target']}" for each in row] for row in edges] == [[mapped[rows(filled)[0]["id"]]]]
    claimed = rows(again)[2]
    assert claimed["author"] == "agent:mover"
    assert claimed["provenance"]["author"] == "human:anna"
    assert claimed["provenance"]["imported_from"] == f"{file}:3"
    assert tur("import", str(file), "--yes").out == "3 already known\n"
    assert tur("verify").code == 0


def test_a_file_is_written_whole_and_nothing_is_overwritten(filled: str, tur: Programs, workdir: Path) -> None:
    assert tur("export", "a.jsonl", "--json").json == {"file": "a.jsonl", "format": "jsonl", "memories": 3}
    assert (workdir / "a.jsonl").read_text("utf-8") == filled
    assert tur("export", "a.jsonl").code == 2
    assert tur("export", "a.jsonl", "--force").code == 0
    assert tur("export", ".").code == 2
    assert tur("export", "nowhere/a.jsonl").code == 1
    assert tur("export", "--format", "csv").code == 2
    assert [each["content"] for each in tur("export", "--json").json["memories"]] == [
        "port: 1",
        "host: x",
        "note: [/b] \u202e",
    ]
    assert "\u202e" not in tur("export").out
    assert sorted(path.name for path in workdir.iterdir()) == [".tur", "a.jsonl"]


def test_what_clashes_is_shown_with_its_file_and_line(filled: str, tur: Programs, workdir: Path) -> None:
    Path("list.md").write_text(
        "# Notes\n\nProse.\n\n- port: 3\n- lamp: on\n  and bright\n\n```\n- no: item\n```\n", "utf-8"
    )
    Path("more.jsonl").write_text('{"content": "lamp: off\\nand bright"}\nnonsense\n', "utf-8")
    tried = tur("import", "list.md", "more.jsonl", "--dry-run", "--on-conflict", "hold")
    assert (tried.code, tried.out) == (3, "would be: 1 learned, 2 held, 1 refused\n")
    assert "list.md:5" in tried.err
    assert "more.jsonl:2 refused: not JSON" in tried.err
    answer = tur("import", "list.md", "more.jsonl", "--yes", "--json", "--on-conflict", "hold").json
    assert [(each["file"], each["line"]) for each in answer["refused"]] == [("more.jsonl", 2)]
    assert {(each["file"], each["line"]) for each in answer["conflicts"]} == {
        ("list.md", 5),
        ("more.jsonl", 1),
    }
    (found,) = [row for row in rows(tur("export").out) if row["content"].startswith("lamp: on")]
    assert found["content"] == "lamp: on\nand bright"
    assert (found["provenance"]["file"], found["provenance"]["line"]) == ("list.md", "6")


def test_a_person_is_asked_once_it_was_shown(filled: str, tur: Programs) -> None:
    Path("list.md").write_text("- lamp: on\n", "utf-8")
    assert tur.at_terminal("import", "list.md", keys="n\n").out == "would be: 1 learned\n"
    assert "lamp: on" not in tur("list").out
    assert tur.at_terminal("import", "list.md", keys="y\n").out.endswith("1 learned\n")
    assert "lamp: on" in tur("list").out


def test_all_or_nothing(filled: str, tur: Programs) -> None:
    Path("list.md").write_text("- lamp: on\n- port: 3\n", "utf-8")
    ran = tur("import", "list.md", "--yes", "--all-or-nothing", "--on-conflict", "hold")
    assert ran.code == 3
    assert "list.md:2" in ran.err
    assert "lamp" not in tur("list").out


def test_edges_to_what_is_not_there_are_left_out(tur: Programs, store: Path) -> None:
    line = {"content": "lamp: on", "relations": [{"type": "depends_on", "target": "f" * 64}]}
    ran = tur("import", "-", "--yes", stdin=json.dumps(line).encode())
    assert ran.code == 0
    assert "1 edge to memories that are not here" in ran.err


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("x.txt", "just words", "give --format"),
        ("x.jsonl", '{"content": "a", "status": "refuted"}', "only what holds is imported"),
        ("x.jsonl", '{"content": "a", "confidence": "high"}', "confidence is a number"),
        ("x.jsonl", '{"content": "a", "confidence": 7}', "confidence is a number"),
        ("x.jsonl", '{"content": "a", "provenance": {"a": 1}}', "provenance is an object"),
        ("x.md", "- \x1b]0;x\x07\n", "control character"),
    ],
)
def test_bad_input(name: str, text: str, why: str, tur: Programs, store: Path) -> None:
    Path(name).write_text(text, "utf-8")
    ran = tur("import", name, "--yes")
    assert ran.code in (1, 2)
    assert why in ran.err
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("missing.jsonl",),
        (".",),
        ("-", "--format", "csv"),
        ("-", "--format", "upstream"),
        ("-", "--yes", "--dry-run"),
        ("-", "--format", "md", "--scope", "user"),
        ("-", "--format", "graph", "--all-or-nothing"),
        ("-", "-", "--format", "graph"),
        ("-", "--format", "md", "--on-conflict", "maybe"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], tur: Programs, store: Path) -> None:
    assert tur("import", *arguments, stdin=b"- a\n").code == 2


@pytest.mark.skipif(not SHARED.is_dir(), reason="the store of upstream's Tur is not on this machine")
def test_an_upstream_store_comes_in(tur: Programs, store: Path) -> None:
    ran = tur("import", str(SHARED), "--yes", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["committed"] > 3
    assert ran.json["proposed"] > 0
    assert "are not active" in ran.err or "passed over" in ran.err
    (fact,) = [row for row in rows(tur("export").out) if row["content"].startswith("Staging uses port 6543")]
    assert fact["provenance"]["imported_from"].endswith(".md")


@settings(max_examples=150)
@given(st.lists(texts, min_size=1, max_size=3))
@example(["- a\n  - [ ] b\n\n1. c\n```\n# d", "[x] done\n\\- e", "a\n    code()\n  text"])
def test_markdown_reads_what_it_wrote(contents: list[str]) -> None:
    page = [line.encode() + b"\n" for content in contents for line in listed.item(accept(content))]
    drafts = list(ListReader(ME, "x.md").read(page))
    assert [draft.content for draft in drafts if isinstance(draft, Draft)] == [accept(content) for content in contents]


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧 and ❤\ufe0f",
        "می\u200cخواهم",
        "a \u202eb\u2066 and &#x202E; or \\&#x202E; or \\\\\u202e",
        "\n\n  first\t\n \n\tthen \u2028\n",
        "&#x202E;\n\\&#x20;",
        "&#x41; &#xFFFFFF; &amp;",
    ],
)
def test_markdown_gives_back_the_very_text(text: str, tur: Programs, store: Path, workdir: Path) -> None:
    with Engine.open(store, actor=ME) as engine:
        engine.learn(Draft(content=text, author=ME, scope=Scope.parse("user:a\u202e/b")))
    assert tur("export", "a.md").code == 0
    page = (workdir / "a.md").read_text("utf-8")
    assert not {"\u202e", "\u2066", "\u2028"} & set(page)
    assert tur("export", "-", "--format", "md").out == page
    shown = tur.at_terminal("export", "-", "--format", "md").out
    assert not unseen(shown.replace("\n", "").replace("\t", ""))
    assert "\ufe0f" not in shown
    (workdir / "other").mkdir()
    for told in (page, shown):
        (workdir / "b.md").write_text(told, "utf-8")
        (draft,) = ListReader(ME, "b.md").read((workdir / "b.md").read_bytes().splitlines(keepends=True))
        assert isinstance(draft, Draft)
        assert (draft.content, str(draft.scope)) == (accept(text), "user:a\u202e/b")


def test_a_link_that_leads_nowhere_is_not_written_over(tur: Programs, store: Path, workdir: Path) -> None:
    tur("learn", "Pears are green.")
    link = workdir / "l.jsonl"
    link.symlink_to("away/l.jsonl")
    ran = tur("export", "l.jsonl")
    assert ran.code == 2
    assert "l.jsonl is a link that leads nowhere" in ran.err
    assert link.is_symlink()
    ran = tur("export", "l.jsonl", "--force")
    told = f"l.jsonl cannot be written: there is no folder {workdir / 'away'}; make it, or name another place"
    assert (ran.code, ran.err) == (1, f"tur: {told}\n")
    (workdir / "away").mkdir()
    assert tur("export", "l.jsonl", "--force").err == "tur: 1 memory written to l.jsonl\n"
    assert link.is_symlink()
    assert (workdir / "away" / "l.jsonl").read_text("utf-8") == tur("export").out
