"""The five minutes of docs/files.md, run as they stand there, with the real models."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, store, tur
from tests.cli.test_watch import played, write
from tur_engine.rulebook import Rulebook

__all__ = ["store", "tur"]

MARK = "<!-- tour: a test runs it -->"
CLASHES = 3
CODES = {"tur scan": [CLASHES, 0]}
"""What a command ends with, each time that it is run; elsewhere 0, and 3 where `--on-conflict hold` held something."""
_ID = re.compile(r"\b(fact|conflict)-[0-9a-f]{8}\b")


def tour(repo_root: Path) -> str:
    page = (repo_root / "docs" / "files.md").read_text("utf-8")
    _, mark, rest = page.partition(MARK)
    assert mark
    return rest.partition("\n## ")[0]


def steps(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands, and the lines that are shown under each."""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            yield command, shown


def plain(text: str) -> str:
    return _ID.sub(r"\1-ID", text)


@pytest.mark.slow
def test_the_five_minutes_go_as_the_page_tells_them(
    tur: Programs, repo_root: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    text = tour(repo_root)
    for name, body in re.findall(r"`([\w.]+)`:\n\n```markdown\n(.*?)```", text, re.DOTALL):
        (workdir / name).write_text(body, "utf-8")
    assert {path.name for path in workdir.iterdir()} == {"CLAUDE.md", "AGENTS.md"}
    subprocess.run(["git", "init", "-q"], cwd=workdir, check=True)
    conflict, codes = "", {command: iter(each) for command, each in CODES.items()}
    for command, shown in steps(text):
        line = command.replace(_found(command), conflict) if "resolve" in command else command
        if line.startswith("tur "):
            ran = tur(*shlex.split(line)[1:])
            told = ran.out + ran.err
            expected = next(codes[line]) if line in codes else CLASHES if "--on-conflict hold" in line else 0
            assert ran.code == expected, f"{line} ended with {ran.code}:\n{told}"
            conflict = conflict or _found(told)
        else:
            done = subprocess.run(["sh", "-c", line], cwd=workdir, capture_output=True, text=True, check=True)
            told = done.stdout
        at = 0
        for each in shown:
            found = plain(told).find(plain(each), at)
            assert found >= 0, f"{line} does not say {each!r}:\n{told}"
            at = found + len(plain(each))
    assert (workdir / ".mcp.json").is_file()
    assert "integers" not in (workdir / "AGENTS.md").read_text("utf-8")


@pytest.mark.slow
def test_the_watch_says_what_the_page_shows(
    tur: Programs, store: Path, repo_root: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (repo_root / "docs" / "files.md").read_text("utf-8").partition("\n## Drift")[2]
    shown = page.partition("```\n$ tur watch\n")[2].partition("```")[0]
    (workdir / "AGENTS.md").write_text("# Rules\n\n- Use pnpm to install packages.\n- Enums are stored as strings.\n")
    assert tur("import", "AGENTS.md", "--yes").code == 0
    after = "# Rules\n\n- Use npm to install all packages.\n- Deploy on Fridays.\n"
    monkeypatch.setattr(Rulebook, "follow", played(write("AGENTS.md", after)))
    assert plain(tur("watch").out) == plain(shown)


def _found(text: str) -> str:
    match = re.search(r"\bconflict-[0-9a-f]{8}", text)
    return match[0] if match else ""
