"""Finding rule files: imports, loops, links, and whatever else lies about. Nothing stops a scan."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.sources.conftest import Writer
from tur_engine.sources.agents import AGENTS, agent_named, in_order, readers
from tur_engine.sources.discovery import discover


def test_everything_strange_is_one_sentence_and_the_rest_is_read(repository: Writer, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("- Leave me alone please.\n")
    root = repository(
        {
            "CLAUDE.md": "Rules: @docs/a.md, @docs/missing.md, @../outside.md, @~/mine.md, `@docs/code.md` "
            "and mail me@example.com.\n",
            "docs/a.md": "- Rule of a stands.\n\n@b.md\n",
            "docs/b.md": "- Rule of b stands. @../CLAUDE.md\n",
            "docs/code.md": "- Not imported at all.\n",
            "big/AGENTS.md": "",
            "bin/CLAUDE.md": "\0\0",
            "sub/AGENTS.md": "- Rule of sub stands.\n",
            "odd/CLAUDE.md/inner.txt": "a folder by that name",
        }
    )
    os.truncate(root / "big/AGENTS.md", 50 * 1024 * 1024)
    (root / "AGENTS.md").symlink_to("CLAUDE.md")
    (root / "GEMINI.md").symlink_to(tmp_path / "outside.md")
    (root / "sub/CLAUDE.md").symlink_to("nowhere.md")
    found = discover(root)
    assert sorted(found.rules) == ["CLAUDE.md", "docs/a.md", "docs/b.md", "sub/AGENTS.md"]
    assert found.imports["CLAUDE.md"] == ("docs/a.md",)
    assert found.aliases == {"AGENTS.md": "CLAUDE.md"}
    told = "\n".join(found.problems)
    for piece in (
        "CLAUDE.md imports @../outside.md, outside the repository",
        "CLAUDE.md imports @~/mine.md, outside the repository",
        "CLAUDE.md imports @docs/missing.md, which is not there; nothing was imported",
        "AGENTS.md is a link to CLAUDE.md, which is read once",
        "GEMINI.md leads out of the repository",
        "sub/CLAUDE.md is a link that leads nowhere",
        "big/AGENTS.md is too large for a rule file (50.0 MB",
        "bin/CLAUDE.md is not text",
    ):
        assert told.count(piece) == 1, told


def test_who_reads_what_through_names_links_and_imports(repository: Writer) -> None:
    root = repository(
        {
            "CLAUDE.md": "@docs/style.md\n- Claude rule here.\n",
            "docs/style.md": "- Style rule here.\n",
            "AGENTS.md": "- Agents rule here.\n",
            "api/AGENTS.md": "- Api rule here.\n",
            "api/AGENTS.override.md": "- Override rule here.\n",
            ".cursor/rules/x.mdc": "- Cursor rule here.\n",
        }
    )
    found = discover(root)
    by_agent: dict[str, list[str]] = {agent.key: [] for agent in AGENTS}
    for reader in readers(found.rules, found.imports, found.aliases):
        by_agent[reader.agent.key].append(reader.file)
    assert sorted(by_agent["claude"]) == ["CLAUDE.md", "docs/style.md"]
    assert sorted(by_agent["codex"]) == ["AGENTS.md", "api/AGENTS.override.md"]
    assert sorted(by_agent["cursor"]) == [".cursor/rules/x.mdc", "AGENTS.md", "api/AGENTS.md"]
    assert by_agent["gemini"] == []
    assert in_order(agent_named("Cursor"), by_agent["cursor"]) == ["AGENTS.md", ".cursor/rules/x.mdc", "api/AGENTS.md"]


def test_what_git_ignores_is_left_out_and_its_watchers_are_not_started(repository: Writer, tmp_path: Path) -> None:
    root = repository(
        {"AGENTS.md": "- One rule here.\n", "built/AGENTS.md": "- Ignored rule.\n", ".gitignore": "built/\n"}
    )
    started = tmp_path / "started"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    hook = tmp_path / "watch"
    hook.write_text(f"#!/bin/sh\ntouch {started}\n")
    hook.chmod(0o755)
    subprocess.run(["git", "-C", str(root), "config", "core.fsmonitor", str(hook)], check=True)
    assert list(discover(root).rules) == ["AGENTS.md"]
    assert not started.exists()


def test_named_files_only_and_none_outside(repository: Writer, tmp_path: Path) -> None:
    root = repository(
        {"AGENTS.md": "- One rule here.\n", "notes.md": "- Another rule here.\n", "a/CLAUDE.md": "- Rule a.\n"}
    )
    (tmp_path / "other.md").write_text("- Other rule.\n")
    found = discover(root, [root / "notes.md", root / "a", tmp_path / "other.md"])
    assert list(found.rules) == ["notes.md", "a/CLAUDE.md"]
    assert [p for p in found.problems if "other.md" in p and "outside" in p]
