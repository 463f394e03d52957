"""`tur render`: one block of a rule file kept current, and nothing else of the file touched."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests import standins
from tests.cli.conftest import Programs, approve
from tests.cli.test_rules_import import git
from tests.sources.test_block import ends_outside
from tur_engine.sources import pages
from tur_engine.sources.block import find

MINE = b"\xef\xbb\xbf# Mine\r\n\r\n- port: 1\r\n\r\nno end"


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


@pytest.fixture
def filled(tur: Programs, store: Path, workdir: Path) -> Path:
    """A store with something of each kind, and a rule file."""
    for words in (
        ("port: 1",),
        ("host: x", "--topic", "net"),
        ("lamp: on", "--scope", "incarnation:src"),
        ("style: [/b] <!-- tur:end --> # `x` @~/.ssh/id", "--topic", "# net"),
        ("colour: red", "--topic", "net"),
        ("colour: blue", "--on-conflict", "allow"),
        ("host: y", "--on-conflict", "allow"),
    ):
        tur("learn", *words)
    proposed = tur("learn", "traffic: encrypted", "--type", "core", "--json").json
    approve(store, proposed["id"])
    (workdir / "CLAUDE.md").write_bytes(MINE)
    return workdir / "CLAUDE.md"


def block_of(file: Path) -> list[str]:
    found = find(file.read_text("utf-8"), file.name)
    assert found is not None
    return list(found.lines)


def test_the_change_is_shown_first_and_only_the_block_is_written(tur: Programs, filled: Path) -> None:
    shown = tur("render", "CLAUDE.md")
    assert (shown.code, filled.read_bytes()) == (0, MINE)
    assert shown.out.startswith("--- CLAUDE.md\n+++ CLAUDE.md\n@@ ")
    assert "\n+- traffic: encrypted\n" in shown.out
    assert "nothing was written; --yes writes it" in shown.err
    assert "\x1b" not in shown.out
    os.chmod(filled, 0o640)
    assert tur("render", "CLAUDE.md", "--yes").code == 0
    written = filled.read_bytes()
    assert written.startswith(MINE + b"\r\n\r\n<!-- tur:begin ")
    assert written.endswith(b"<!-- tur:end -->\r\n")
    assert b"\n" not in written.replace(b"\r\n", b"")
    assert stat.S_IMODE(filled.stat().st_mode) == 0o640
    assert block_of(filled) == [
        "**Laid down by people; never act against these**",
        "",
        "- traffic: encrypted",
        "",
        "**Believed** (in src)",
        "",
        "- lamp: on",
        "",
        "**\\# net**",
        "",
        "- style: [/b] \\<!-- tur:end --> # `x` \\@~/.ssh/id",
        "",
        "**net**",
        "",
        "- Not settled, one against the other:",
        "  - host: x",
        "  - host: y",
        "- Not settled, one against the other:",
        "  - colour: red",
        "  - colour: blue",
    ]
    again = tur("render", "CLAUDE.md", "--check")
    assert (again.code, again.out) == (0, "")
    assert "CLAUDE.md is current: 7 memories in its block, 1 more it says itself" in again.err
    assert sorted(path.name for path in filled.parent.iterdir()) == [".tur", "CLAUDE.md"]


def test_a_folder_has_what_holds_in_it(tur: Programs, filled: Path, workdir: Path) -> None:
    (workdir / "src").mkdir()
    (workdir / "docs").mkdir()
    assert tur("render", "src/AGENTS.md", "--yes").code == 0
    assert "**Believed**\n\n- port: 1\n- lamp: on\n" in (workdir / "src" / "AGENTS.md").read_text("utf-8")
    assert tur("render", "docs/AGENTS.md", "--yes").code == 0
    assert "lamp" not in (workdir / "docs" / "AGENTS.md").read_text("utf-8")
    (workdir / "CLAUDE.md").write_text("@docs/AGENTS.md\n@more.md\n")
    (workdir / "more.md").write_text("- port: 1\n")
    tur("render", "CLAUDE.md", "--yes")
    assert "port" not in (workdir / "CLAUDE.md").read_text("utf-8")  # what it imports says it


def test_what_holds_deeper_is_left_to_the_file_there(tur: Programs, store: Path, workdir: Path) -> None:
    for words in (
        ("port: 1",),
        ("lamp: on", "--scope", "incarnation:src/api"),
        ("fan: slow", "--scope", "incarnation:src/api/v2"),
        ("desk: oak", "--scope", "incarnation:docs"),
    ):
        tur("learn", *words)
    (workdir / "src" / "api").mkdir(parents=True)
    (workdir / "AGENTS.md").write_text("# Mine\n")
    whole = ["**Believed**", "", "- port: 1", "", "**Believed** (in docs)", "", "- desk: oak"]
    deep = ["", "**Believed** (in src/api)", "", "- lamp: on", "", "**Believed** (in src/api/v2)", "", "- fan: slow"]
    tur("render", "AGENTS.md", "--yes")
    assert block_of(workdir / "AGENTS.md") == whole + deep, "nobody else says it"

    (workdir / "src" / "api" / "AGENTS.md").write_text("# Of the api\n\n- lamp: on\n")
    ran = tur("render", "AGENTS.md", "--yes")
    assert block_of(workdir / "AGENTS.md") == whole
    assert "AGENTS.md was written: 2 memories in its block, 2 more left to deeper folders" in ran.err
    assert "src/api/AGENTS.md lacks 1 memory that holds only there; tur render src/api/AGENTS.md writes" in ran.err
    assert tur("render", "AGENTS.md", "--json").json["left"] == [
        {"file": "src/api/AGENTS.md", "memories": 2, "missing": 1}
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(workdir / "src")
        assert "tur render api/AGENTS.md" in tur("render", "../AGENTS.md").err, "as it is written from here"

    tur("render", "src/api/AGENTS.md", "--yes")
    said = block_of(workdir / "src" / "api" / "AGENTS.md")
    assert said == ["**Believed**", "", "- port: 1", "", "**Believed** (in src/api/v2)", "", "- fan: slow"]
    again = tur("render", "AGENTS.md", "--check")
    assert (again.code, "lacks" in again.err) == (0, False)


def test_what_people_laid_down_and_what_is_contested_out_here_is_not_left(
    tur: Programs, store: Path, workdir: Path
) -> None:
    (workdir / "src").mkdir()
    (workdir / "src" / "AGENTS.md").write_text("# Mine\n")
    tur("learn", "host: x")
    tur("learn", "host: y", "--scope", "incarnation:src", "--on-conflict", "allow")
    proposed = tur("learn", "traffic: encrypted", "--type", "core", "--scope", "incarnation:src", "--json").json
    approve(store, proposed["id"])
    tur("render", "AGENTS.md", "--yes")
    lines = block_of(workdir / "AGENTS.md")
    assert {"- traffic: encrypted", "  - host: x", "  - host: y"} <= set(lines)


@pytest.mark.parametrize(
    ("file", "leads_to", "left_to"),
    [
        ("src/CLAUDE.md", None, ""),
        ("AGENTS.md", None, ""),
        ("src/AGENTS.md", "RULES.md", "src/RULES.md"),
        ("src/AGENTS.md", "../../outside.md", ""),
        ("src/AGENTS.md", "nowhere.md", ""),
    ],
    ids=["another name", "its own folder", "a link", "a link out of the repository", "a broken link"],
)
def test_only_a_file_that_the_same_agents_find_there_is_left_something(
    file: str, leads_to: str | None, left_to: str, tur: Programs, store: Path, workdir: Path
) -> None:
    (workdir / "src").mkdir()
    (workdir / "src" / "RULES.md").write_text("# Ours\n")
    (workdir.parent / "outside.md").write_text("# Theirs\n")
    if leads_to is None:
        (workdir / file).write_text("# Mine\n")
    else:
        (workdir / file).symlink_to(leads_to)
    tur("learn", "lamp: on", "--scope", "incarnation:src")
    answer = tur("render", "AGENTS.md", "--yes", "--json").json
    assert [each["file"] for each in answer["left"]] == ([left_to] if left_to else [])
    assert ("lamp" in (workdir / "AGENTS.md").read_text()) is not bool(left_to)


def test_what_falls_leaves_the_block(tur: Programs, filled: Path) -> None:
    tur("render", "CLAUDE.md", "--yes")
    [old] = [each for each in tur("list", "--json").json["memories"] if each["content"] == "lamp: on"]
    tur("learn", "lamp: off", "--scope", "incarnation:src", "--supersedes", old["id"])
    stale = tur("render", "CLAUDE.md", "--check")
    assert (stale.code, "\n-- lamp: on\n+- lamp: off\n" in stale.out) == (1, True)
    assert "- lamp: on" in block_of(filled)
    answer = tur("render", "CLAUDE.md", "--yes", "--json").json
    assert (answer["file"], answer["status"], answer["memories"]) == ("CLAUDE.md", "written", 7)
    assert tur("render", "CLAUDE.md", "--json").json["status"] == "current"


def test_a_scan_leaves_the_block_out_of_clashes_with_itself(tur: Programs, filled: Path, workdir: Path) -> None:
    filled.write_text("# Mine\n\n- port: 2\n", "utf-8")
    tur("render", "CLAUDE.md", "--yes")
    tur("render", "AGENTS.md", "--yes")
    before = filled.read_bytes()
    found = tur("scan", "--json").json
    assert [(each["a"]["text"], each["b"]["file"], each["b"]["line"]) for each in found["clashes"]] == [
        ("port: 1", "CLAUDE.md", 3)
    ]
    assert found["duplicates"] == []
    assert tur("render", "CLAUDE.md", "--yes").code == 0
    assert filled.read_bytes() == before
    os.rename(workdir / ".tur", workdir / "away")
    alone = tur("scan", "--json").json  # as in CI, where the ledger is not
    sides = {tuple(sorted(each[side]["text"] for side in "ab")) for each in alone["clashes"]}
    assert sides == {("port: 1", "port: 2")}
    assert alone["duplicates"] == []


def test_an_edit_by_hand_is_learned_or_dropped_never_lost(tur: Programs, filled: Path) -> None:
    tur("render", "CLAUDE.md", "--yes")
    good = filled.read_bytes()
    edited = good.replace(b"- lamp: on", b"- lamp: off\r\n- fan: \\*slow\\*")
    filled.write_bytes(edited)
    refused = tur("render", "CLAUDE.md", "--yes")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        "tur: CLAUDE.md: its block was edited by hand; --learn passes the edit through the gate, "
        "--drop-edits writes over it\n"
    )
    assert filled.read_bytes() == edited
    tried = tur("render", "CLAUDE.md", "--learn", "--on-conflict", "hold")
    assert (tried.code, tried.out) == (3, "would be: 1 learned, 1 held\n")
    assert "fan" not in tur("list").out
    line = 1 + edited[: edited.index(b"- lamp")].count(b"\n")
    learned = tur("render", "CLAUDE.md", "--learn", "--yes", "--json", "--on-conflict", "hold")
    assert learned.code == 3
    assert learned.json["learned"]["committed"] == 1
    assert learned.json["learned"]["held"] == 1
    known = {row["content"]: row for row in tur("export", "--json").json["memories"]}
    fan = known["fan: *slow*"]
    assert (fan["scope"], fan["provenance"]["imported_from"]) == ("incarnation:src", f"CLAUDE.md:{line + 1}")
    assert "- lamp: on (contested: what contradicts it waits for people)" in block_of(filled)
    assert "- fan: *slow*" in block_of(filled)
    assert tur("render", "CLAUDE.md", "--check").code == 0

    current = filled.read_bytes()
    filled.write_bytes(current.replace(b"- fan: *slow*", b"- fan: fast"))
    assert tur("render", "CLAUDE.md", "--drop-edits", "--yes").code == 0
    assert filled.read_bytes() == current


def test_lines_of_an_older_rendering_are_no_edit(tur: Programs, filled: Path) -> None:
    tur("render", "CLAUDE.md", "--yes")
    [old] = [each for each in tur("list", "--json").json["memories"] if each["content"] == "lamp: on"]
    tur("learn", "lamp: off", "--scope", "incarnation:src", "--supersedes", old["id"])
    filled.write_bytes(filled.read_bytes().replace(b"- traffic: encrypted", b"- traffic: encrypted\r\n- new: line"))
    assert tur("render", "CLAUDE.md", "--learn", "--yes").out.startswith("1 learned\n")
    assert "- lamp: off" in block_of(filled)


def test_an_edit_against_an_invariant_stays_where_it_is(tur: Programs, filled: Path) -> None:
    tur("render", "CLAUDE.md", "--yes")
    edited = filled.read_bytes().replace(b"traffic: encrypted", b"traffic: plain")
    filled.write_bytes(edited)
    ran = tur("render", "CLAUDE.md", "--learn", "--yes")
    assert (ran.code, filled.read_bytes()) == (4, edited)
    assert "contradicts the invariant" in ran.err
    assert "--drop-edits" in ran.err


def test_a_person_is_asked(tur: Programs, filled: Path) -> None:
    assert tur.at_terminal("render", "CLAUDE.md", keys="n\n").code == 0
    assert filled.read_bytes() == MINE
    assert "was written" in tur.at_terminal("render", "CLAUDE.md", keys="y\n").err
    filled.write_bytes(filled.read_bytes().replace(b"- lamp: on", b"- lamp: on\r\n- fan: slow"))
    assert tur.at_terminal("render", "CLAUDE.md", "--learn", keys="y\nn\n").code == 0
    assert "fan: slow" in tur("list").out


def test_memories_of_another_branch_stay_out(tur: Programs, filled: Path, workdir: Path) -> None:
    git(workdir, "init", "-q")
    tur("learn", "fan: slow", "--scope", "incarnation@main")
    tur("learn", "fan: fast", "--scope", "incarnation@other")
    tur("render", "CLAUDE.md", "--yes")
    lines = block_of(filled)
    assert lines[lines.index("**Believed** (on branch main)") + 2] == "- fan: slow"
    assert "- fan: fast" not in lines


BAD: list[tuple[str, bytes | None, str]] = [
    ("../CLAUDE.md", None, "lies outside of"),
    (".", None, ". is a folder; name a file"),
    ("", None, "FILE is empty; say which"),
    ("CLAUDE.md", b"# x\n\n```sh\nmake\n", "CLAUDE.md:3: the code fence that opens here is not closed"),
    ("nowhere/CLAUDE.md", None, "make it first"),
    ("main.py", None, "main.py is neither a rule file nor Markdown"),
    (".tur/CLAUDE.md", None, ".tur/CLAUDE.md is no place for rules"),
    (".git/x.md", None, ".git/x.md is no place for rules"),
    ("CLAUDE.md", b"\xff", "is not UTF-8 at byte 1"),
    ("CLAUDE.md", b"a\x00", "is not text"),
    ("CLAUDE.md", b"x" * ((1 << 20) + 1), "is larger than 1 MB"),
    ("CLAUDE.md", b"<!-- tur:begin -->\na\n", "CLAUDE.md:1: the block that begins here does not end"),
    ("CLAUDE.md", b"<!-- tur:begin -->\n<!-- tur:end -->\n" * 2, "CLAUDE.md has two blocks (lines 1 and 3)"),
    ("CLAUDE.md", b"a\n<!-- tur:end -->\n", "CLAUDE.md:2: a block ends here and none begins"),
]


def test_bad_input_is_one_sentence(tur: Programs, store: Path, workdir: Path) -> None:
    file = workdir / "CLAUDE.md"
    for name, data, why in BAD:
        file.write_bytes(MINE if data is None else data)
        before = file.read_bytes()
        ran = tur("render", name, "--yes")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), why
        assert why in ran.err
        assert file.read_bytes() == before
        assert sorted(path.name for path in workdir.iterdir()) == [".tur", "CLAUDE.md"]


def test_links_are_refused(tur: Programs, store: Path, workdir: Path, tmp_path: Path) -> None:
    (workdir / "CLAUDE.md").write_bytes(MINE)
    (tmp_path / "AGENTS.md").write_text("theirs\n")
    os.symlink("CLAUDE.md", "AGENTS.md")
    os.symlink(tmp_path / "AGENTS.md", "GEMINI.md")
    os.symlink(tmp_path, "far")
    os.symlink("LOOP.md", "LOOP.md")
    os.symlink("nowhere.md", "GONE.md")
    for name, why in {
        "AGENTS.md": "AGENTS.md is a link to CLAUDE.md; name that file",
        "GEMINI.md": "GEMINI.md leads out of the repository",
        "far/AGENTS.md": "far/AGENTS.md leads out of the repository",
        "LOOP.md": "LOOP.md is a link that leads in a circle",
        "GONE.md": "GONE.md is a link to nowhere.md",
    }.items():
        ran = tur("render", name, "--yes")
        assert (ran.code, why in ran.err) == (2, True), ran.err
    assert (tmp_path / "AGENTS.md").read_text() == "theirs\n"
    assert (workdir / "CLAUDE.md").read_bytes() == MINE


def test_what_cannot_be_written_is_as_it_was(
    tur: Programs, filled: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.chmod(filled, 0o444)
    ran = tur("render", "CLAUDE.md", "--yes")
    assert (ran.code, "CLAUDE.md is read-only" in ran.err) == (1, True)
    os.chmod(filled, 0o644)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("tur_engine.sources.pages.os.fsync", full)
        ran = tur("render", "CLAUDE.md", "--yes")
    assert (ran.code, "CLAUDE.md cannot be written (No space left on device); it is as it was" in ran.err) == (1, True)

    def meanwhile(path: Path) -> bytes:
        return b"somebody else"

    with monkeypatch.context() as patch:
        patch.setattr(pages, "_now", meanwhile)
        ran = tur("render", "CLAUDE.md", "--yes")
    assert (ran.code, "changed by somebody else meanwhile" in ran.err) == (1, True)
    assert filled.read_bytes() == MINE
    assert sorted(path.name for path in workdir.iterdir()) == [".tur", "CLAUDE.md"]


FLAGS = {
    ("--learn", "--drop-edits"): "contradict each other",
    ("--check", "--yes"): "--check writes nothing",
    ("--check", "--learn"): "--check writes nothing",
    ("--on-conflict", "hold"): "give --learn with it",
}


def test_flags_that_do_not_fit(tur: Programs, store: Path) -> None:
    for options, why in FLAGS.items():
        ran = tur("render", "CLAUDE.md", *options)
        assert (ran.code, why in ran.err) == (2, True)


outside = st.text(st.sampled_from("ab#-` \n\r\t\ufeff\u202eé"), max_size=40)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(above=outside, below=outside)
def test_not_a_byte_outside_of_the_block_changes(above: str, below: str, tur: Programs, filled: Path) -> None:
    assume(ends_outside(above))
    filled.write_bytes(above.encode())
    assert tur("render", "CLAUDE.md", "--yes").code == 0
    assert filled.read_bytes().startswith(above.encode())
    before, behind = around(filled)
    behind += below
    filled.write_bytes(f"{before}<!-- tur:begin -->\n<!-- tur:end -->{behind}".encode())
    assert tur("render", "CLAUDE.md", "--yes", "--drop-edits").code == 0
    assert around(filled) == (before, behind)
    after = filled.read_bytes()
    assert tur("render", "CLAUDE.md", "--yes").code == 0
    assert filled.read_bytes() == after


def around(file: Path) -> tuple[str, str]:
    text = file.read_bytes().decode()
    block = find(text, file.name)
    assert block is not None
    return text[: block.start], text[block.end :]


def test_the_block_that_the_docs_show(tur: Programs, store: Path, workdir: Path, repo_root: Path) -> None:
    page = (repo_root / "docs" / "files.md").read_text("utf-8")
    shown = page.partition("<!-- block: a test makes it -->\n\n```markdown\n")[2].partition("```\n")[0]
    proposed = tur("learn", "Traffic: encrypted between all services.", "--type", "core", "--json").json
    approve(store, proposed["id"])
    tur("learn", "Enums: stored as strings.", "--topic", "Data model")
    tur("learn", "Enums: stored as integers.", "--on-conflict", "allow")
    tur("learn", "Tests: run with `pytest`.", "--topic", "Testing")
    tur("learn", "Fixtures: one database a test.", "--topic", "Testing", "--scope", "incarnation:src/api")
    tur("render", "AGENTS.md", "--yes")
    written = (workdir / "AGENTS.md").read_text("utf-8")
    assert written == shown.replace("HASH", written.split()[2].rstrip(":"))


def test_an_import_passes_the_block_over(tur: Programs, filled: Path) -> None:
    tur("render", "CLAUDE.md", "--yes")
    ran = tur("import", "CLAUDE.md", "--yes")
    assert ran.out == "1 learned, 1 already known\n"
    assert "passed over as known: 7 lines of the block that tur render keeps" in ran.err


def test_a_block_of_another_ledger_can_be_taken_in(tur: Programs, filled: Path, workdir: Path) -> None:
    tur("learn", "fan: slow", "--scope", "incarnation:src@main")
    git(workdir, "init", "-q")
    tur("render", "CLAUDE.md", "--yes")
    os.rename(workdir / ".tur", workdir / "away")
    tur("init")
    assert tur("import", "CLAUDE.md", "--yes", "--on-conflict", "allow").out == "10 learned\n"
    rows = tur("export", "--json").json["memories"]
    found = {row["content"]: (row["scope"], row.get("topic")) for row in rows}
    assert found["lamp: on"] == ("incarnation:src", None)
    assert found["host: x"] == ("incarnation", "net")
    assert found["fan: slow"] == ("incarnation:src@main", None)
    assert tur("render", "CLAUDE.md", "--check").code == 1  # what people laid down is a plain fact here
    assert "- traffic: encrypted" in block_of(filled)


def test_places_are_told_as_the_repository_has_them(tur: Programs, workdir: Path) -> None:
    tur("init")
    shop = workdir / "shop"
    shop.mkdir()
    git(shop, "init", "-q")
    tur("learn", "port: 1", "--scope", "incarnation:shop/api")
    tur("learn", "lamp: on", "--scope", "incarnation:elsewhere")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(shop)
        assert tur("render", "AGENTS.md", "--yes").code == 0
        file = shop / "AGENTS.md"
        assert block_of(file) == ["**Believed** (in api)", "", "- port: 1"]
        file.write_text(file.read_text().replace("- port: 1", "- port: 1\n- fan: slow"))
        assert tur("render", "AGENTS.md", "--learn", "--yes").code == 0
        assert block_of(file) == ["**Believed** (in api)", "", "- port: 1", "- fan: slow"]
        scopes = {row["content"]: row["scope"] for row in tur("export", "--json").json["memories"]}
    assert scopes["fan: slow"] == "incarnation:shop/api"


def test_a_folder_name_forges_no_line(tur: Programs, store: Path, workdir: Path) -> None:
    folder = workdir / "a\nFORGED: b"
    folder.mkdir()
    (folder / "CLAUDE.md").write_text("- port: 1\n")
    for words in (
        ("render", f"{folder.name}/CLAUDE.md"),
        ("render", folder.name),
        ("render", f"{folder.name}/x.py"),
        ("import", f"{folder.name}/CLAUDE.md"),
        ("import", f"{folder.name}/none.md"),
        ("scan", f"{folder.name}/none.md"),
        ("watch", f"{folder.name}/none"),
    ):
        ran = tur(*words)
        assert not any(line.startswith("FORGED") for line in (ran.out + ran.err).splitlines()), ran
    assert "+++ a‹U+000A›FORGED: b/CLAUDE.md" in tur("render", f"{folder.name}/CLAUDE.md").out
