"""`tur import` of rule files: what a scan cuts, as memories through the gate."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import standins
from tests.cli.conftest import Programs

FILES = {
    "CLAUDE.md": "# Shop\n\n## Build\n\n- Package manager: pnpm\n- Runner: vitest\n\n@docs/git.md\n",
    "docs/git.md": "# Git\n\n- Merge style: squash\n",
    "AGENTS.md": "- Package manager: npm\n- Runner: vitest\n",
    "api/AGENTS.md": "- Port number: 5000\n",
    ".cursor/rules/api.mdc": "---\nglobs: api/**/*.py\n---\n- Quote style: single\n",
    ".cursor/rules/ts.mdc": "---\nglobs: '**/*.ts, **/*.tsx'\n---\n- Tab width: 2 spaces\n",
}


@pytest.fixture(autouse=True)
def minds(monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def git(root: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *identity, "-C", str(root), *words], check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout.strip()


def known(tur: Programs) -> dict[str, dict[str, Any]]:
    return {row["content"]: row for row in tur("export", "--json").json["memories"]}


def test_statements_become_memories_with_their_place(tur: Programs, store: Path, workdir: Path) -> None:
    write(workdir, FILES)
    git(workdir, "init", "-q")
    git(workdir, "add", ".")
    git(workdir, "commit", "-qm", "one")
    commit = git(workdir, "rev-parse", "HEAD")
    files = [name for name in FILES if name not in ("docs/git.md", "AGENTS.md")]
    shown = tur("import", *files)
    assert (shown.code, shown.out) == (0, "would be: 6 learned\n")
    assert known(tur) == {}
    assert tur("import", *files, "--yes").out == "6 learned\n"
    found = known(tur)
    assert {text: row["scope"] for text, row in found.items()} == {
        "Package manager: pnpm": "incarnation",
        "Runner: vitest": "incarnation",
        "Merge style: squash": "incarnation",
        "Port number: 5000": "incarnation:api",
        "Quote style: single": "incarnation:api",
        "Tab width: 2 spaces": "incarnation",
    }
    assert [row.get("topic") for row in found.values()] == ["Build", "Build", "Git", None, None, None]
    assert found["Runner: vitest"]["provenance"] == {
        "repository": workdir.name,
        "branch": "main",
        "commit": commit,
        "file": "CLAUDE.md",
        "line": "6",
        "imported_from": "CLAUDE.md:6",
    }
    assert found["Merge style: squash"]["provenance"]["imported_from"] == "docs/git.md:3"
    assert found["Tab width: 2 spaces"]["provenance"]["globs"] == "**/*.ts, **/*.tsx"
    assert tur("import", *files, "--yes").out == "6 already known\n"
    clashing = tur("import", "AGENTS.md", "--yes", "--on-conflict", "hold", "--json")
    assert clashing.code == 3
    assert [(each["file"], each["line"]) for each in clashing.json["conflicts"]] == [("AGENTS.md", 1)]
    assert clashing.json["duplicates"] == 1
    assert tur("verify").code == 0


def test_a_folder_of_rule_files_and_a_list_that_is_meant_as_one(tur: Programs, store: Path, workdir: Path) -> None:
    write(workdir, FILES)
    assert tur("import", ".", "--format", "rules", "--dry-run", "--on-conflict", "hold").out == (
        "would be: 6 learned, 1 already known, 1 held\n"
    )
    assert tur("import", "CLAUDE.md", "--format", "md", "--dry-run").out == "would be: 2 learned\n"
    assert tur("import", "docs/git.md", "--format", "rules", "--dry-run").out == "would be: 1 learned\n"
    os.symlink("CLAUDE.md", "GEMINI.md")
    twice = tur("import", "GEMINI.md", "CLAUDE.md", "CLAUDE.md", "--dry-run")
    assert twice.out == "would be: 3 learned\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_file_in_another_encoding_is_named_with_what_to_do(
    tur: Programs, store: Path, workdir: Path, encoding: str
) -> None:
    write(workdir, {"CLAUDE.md": "- Ports are numbers.\n"})
    for name in ("GEMINI.md", "list.markdown"):
        (workdir / name).write_text("- Enums are strings.\n", encoding)
    scanned = tur("scan")
    assert scanned.err.count("; save it as UTF-8; it was left out") == scanned.err.count("GEMINI.md is ") == 1
    assert any("save it as UTF-8" in each for each in tur("scan", "--format", "json").json["skipped"])
    for command in (("import", "GEMINI.md"), ("import", "CLAUDE.md", "GEMINI.md"), ("render", "GEMINI.md")):
        ran = tur(*command)
        assert (ran.code, ran.out) == (2, ""), command
        assert re.search(r"GEMINI\.md is (?:UTF-|not text, or UTF-16)", ran.err)
        assert "; save it as UTF-8" in ran.err
    listed = tur("import", "list.markdown")
    assert (listed.code, listed.out) == (2, "")
    assert "save the file as UTF-8" in listed.err


def test_scopes_are_the_stores(tur: Programs, workdir: Path) -> None:
    write(workdir, {f"shop/{name}": text for name, text in FILES.items()})
    (workdir / "shop" / ".git").mkdir()
    tur("init")
    tur("import", "shop/CLAUDE.md", "shop/api/AGENTS.md", "--yes")
    assert [(row["scope"], row["provenance"]["file"]) for row in known(tur).values()] == [
        ("incarnation:shop", "shop/CLAUDE.md"),
        ("incarnation:shop", "shop/CLAUDE.md"),
        ("incarnation:shop", "shop/docs/git.md"),
        ("incarnation:shop/api", "shop/api/AGENTS.md"),
    ]
    tur("init", "shop/api", "--nested")
    inner = tur("import", "shop/CLAUDE.md", "shop/api/AGENTS.md", "--yes", "--store", "shop/api")
    assert (inner.code, inner.out) == (0, "4 learned\n")
    write(workdir, {"shop/web/AGENTS.md": "- Colour: red\n"})
    outside = tur("import", "shop/web/AGENTS.md", "--yes", "--store", "shop/api")
    assert (outside.code, outside.out) == (1, "1 refused\n")
    assert "web/AGENTS.md:1 refused: it holds for web, outside of the store's folder" in outside.err
    rows = tur("export", "--json", "--store", "shop/api").json["memories"]
    assert {row["scope"] for row in rows} == {"incarnation"}


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("CLAUDE.md", b"\x00\x01", "CLAUDE.md is not text"),
        ("CLAUDE.md", b"\xff\xf0a", "CLAUDE.md is not UTF-8 at byte 1; save it as UTF-8"),
        ("CLAUDE.md", b"x" * (1 << 20) + b"x", "too large for a rule file"),
        ("nowhere/CLAUDE.md", b"", "cannot be read"),
        ("-", b"- a rule", "name a file"),
        (".", b"", "holds no rule file"),
    ],
)
def test_bad_input_is_one_sentence(name: str, data: bytes, why: str, tur: Programs, store: Path) -> None:
    if name == "CLAUDE.md":
        Path(name).write_bytes(data)
    ran = tur("import", "--format", "rules", name, "--yes", stdin=data)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_link_out_of_the_repository_is_refused(tur: Programs, store: Path, workdir: Path, tmp_path: Path) -> None:
    (workdir / ".git").mkdir()
    (tmp_path / "CLAUDE.md").write_text("- a: 1\n")
    os.symlink(tmp_path / "CLAUDE.md", "CLAUDE.md")
    ran = tur("import", "CLAUDE.md", "--yes")
    assert (ran.code, ran.err) == (2, "tur: CLAUDE.md leads out of the repository\n")


def test_a_worktree_writes_into_the_ledger_of_its_checkout(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(workdir, FILES)
    git(workdir, "init", "-q")
    git(workdir, "add", "AGENTS.md", "api")
    git(workdir, "commit", "-qm", "one")
    git(workdir, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    monkeypatch.chdir(tmp_path / "side" / "api")
    assert tur("import", "AGENTS.md", "--yes").out == "1 learned\n"
    tur("learn", "lamp: on", "--scope", "incarnation:api")
    assert [each["content"] for each in tur("recall", "lamp", "--json").json["memories"]] == ["lamp: on"]
    monkeypatch.chdir(workdir)
    found = known(tur)
    assert found["Port number: 5000"]["scope"] == "incarnation:api"
    stamped = found["Port number: 5000"]["provenance"]
    assert {name: stamped[name] for name in ("repository", "branch", "file")} == {
        "repository": workdir.name,
        "branch": "side",
        "file": "api/AGENTS.md",
    }
    assert found["lamp: on"]["provenance"]["branch"] == "side"
    (tmp_path / "side" / "web").mkdir()
    (tmp_path / "side" / "web" / "AGENTS.md").write_text("- Port number: 4000\n")
    monkeypatch.chdir(tmp_path / "side")
    assert tur("scan").code == 0  # another folder has another port
    assert tur("render", "web/AGENTS.md", "--yes").code == 0
    assert "5000" not in (tmp_path / "side" / "web" / "AGENTS.md").read_text()
    assert tur("render", "api/CLAUDE.md", "--yes").code == 0
    assert "- Port number: 5000" in (tmp_path / "side" / "api" / "CLAUDE.md").read_text()


def test_a_way_up_and_out_of_the_repository(
    tur: Programs, store: Path, workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path / "beside"
    write(beside, {"e.jsonl": '{"content": "Pears are green."}\n', "x.md": "- Plums are blue.\n"})
    write(beside, {"CLAUDE.md": "- Figs are sweet.\n"})
    write(workdir, {"api/x.md": "- Dates are brown.\n", "api/deep/.keep": ""})
    way = os.path.relpath(beside, workdir)
    assert way.startswith("..")
    for name in ("e.jsonl", "x.md", "CLAUDE.md"):
        answer = tur("import", f"{way}/{name}", "-y")
        assert (answer.code, answer.out) == (0, "1 learned\n"), answer.err
    monkeypatch.chdir(workdir / "api" / "deep")
    assert tur("import", "../x.md", "-y").out == "1 learned\n"
    monkeypatch.chdir(beside)
    write(beside.parent, {"elsewhere/CLAUDE.md": "- Kiwis are furry.\n"})
    assert tur("import", "../elsewhere/CLAUDE.md", "-y", "--store", str(store)).out == "1 learned\n"
    assert tur("scan", "../elsewhere/CLAUDE.md", "--store", str(store)).code in (0, 1)
    assert len(known_at(tur, store)) == 5


def known_at(tur: Programs, store: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tur("export", "--json", "--store", str(store)).json["memories"]
    return rows


def test_headings_keep_imported_rules_apart_as_in_a_scan(tur: Programs, store: Path, workdir: Path) -> None:
    write(workdir, {"AGENTS.md": "## Python\n\n- Indent: 4 spaces\n\n## Go\n\n- Indent: 8 spaces\n"})
    write(workdir, {"CLAUDE.md": "# Style\n\n- Indent: tabs\n"})
    assert tur("import", "AGENTS.md", "--on-conflict", "hold", "--yes").out == "2 learned\n"
    ran = tur("import", "CLAUDE.md", "--on-conflict", "hold", "--yes", "--json")
    assert (ran.code, ran.json["held"]) == (3, 1)
    assert {row["topic"] for row in known(tur).values()} == {"Python", "Go"}


def test_a_folder_of_rule_files_is_told_how_to_take_them_in(tur: Programs, store: Path, workdir: Path) -> None:
    write(workdir / "shop", {"CLAUDE.md": "- Runner: vitest\n"})
    write(workdir / "api", {"deep/AGENTS.md": "- Port number: 5000\n", "CLAUDE.md": "- Runner: vitest\n"})
    (workdir / "empty").mkdir()
    for folder, instead in (
        ("shop", "its rule files (CLAUDE.md) come in with --format rules"),
        ("api", "its rule files (CLAUDE.md and 1 more) come in with --format rules"),
        ("empty", "name the files to take in"),
    ):
        ran = tur("import", folder)
        sentence = f"tur: {folder} holds no memories of upstream's Tur (memories/active/*.md); {instead}\n"
        assert (ran.code, ran.err) == (2, sentence)
    assert tur("import", "api", "--format", "rules", "--yes").out == "2 learned\n"
    git(workdir, "init", "-q")
    assert "(CLAUDE.md and 1 more)" in tur("import", "api").err
