"""docs/setup.md says what setup writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tur_engine.wiring import harnesses
from tur_engine.wiring.harnesses import HARNESSES, Reach, Role


@pytest.fixture(scope="module")
def page(repo_root: Path) -> str:
    return (repo_root / "docs" / "setup.md").read_text("utf-8")


def rows(text: str) -> dict[str, list[str]]:
    """The tables' rows by their first cell."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells}


def test_the_table_of_files_is_the_one_in_the_source(page: str) -> None:
    told, source = rows(page), rows(harnesses.__doc__ or "")
    for harness in HARNESSES:
        assert told[harness.name] == source[harness.name]
        root = Path("/r")
        for path in harness.files(Reach.PROJECT, root):
            assert f"`{path.relative_to(root).as_posix()}`" in told[harness.name][0]


def test_the_table_of_events_is_what_is_written(page: str) -> None:
    told = rows(page)
    words = ("MCP server", "at the start of a session", "before a command or an edit", "after the edit of a rule file")
    named = dict(zip(Role, words, strict=True))
    for at, harness in enumerate(HARNESSES):
        for pieces in harness.pieces(Reach.PROJECT).values():
            for piece in pieces:
                row = told[named[piece.role]]
                name = piece.path[-1] if piece.is_item else piece.path[0]
                assert f"`{name}`" in row[1 + at]
                command = re.sub(rf"--as {harness.agent}", "--as NAME", str(piece.value))
                assert row[0].strip("`").split(" --as")[0] in command


def test_the_diff_it_shows_is_shown(page: str, tur: Programs, workdir: Path) -> None:
    (workdir / ".git").mkdir()
    (workdir / ".mcp.json").write_text(
        '{\n  "mcpServers": {\n    "db": {"command": "db-mcp"} // reads only\n  }\n}\n', "utf-8"
    )
    block = page.partition("$ tur setup claude\n")[2].partition("...\n")[0]
    assert block in tur("setup", "claude", "--dry-run").out
