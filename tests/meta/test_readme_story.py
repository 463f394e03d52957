"""The commands that the README shows, run as they stand there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HEADING = "## A clash, from the command line"
HELD = 3


def commands(repo_root: Path) -> list[str]:
    """Return the lines of the story's block, without their remarks."""
    section = (repo_root / "README.md").read_text("utf-8").partition(f"\n{HEADING}\n")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block, f"the README has no commands under {HEADING!r}"
    return [line.partition("  #")[0].strip() for line in block[1].splitlines() if line.strip()]


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one line of it, its program taken from this environment."""
    program, *arguments = shlex.split(line)
    assert program == "tur", line
    return subprocess.run(
        [sys.executable, "-m", "tur_engine.cli", *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.slow
def test_the_story_goes_as_the_readme_tells_it(repo_root: Path, workdir: Path) -> None:
    conflict = ""
    told: dict[str, str] = {}
    for line in commands(repo_root):
        ran = run(line.replace("CONFLICT", conflict), workdir)
        assert ran.returncode == (HELD if "--on-conflict hold" in line else 0), (line, ran.stderr)
        found = re.search(r"\bconflict-[0-9a-f]{8,}", ran.stdout + ran.stderr)
        conflict = conflict or (found[0] if found else "")
        told[line.split(" ")[1]] = ran.stdout
    assert "Prisma Migrate" in told["recall"]
    assert "Alembic" not in told["recall"]
    assert "moved to Prisma" in told["history"]
    assert {"init", "learn", "conflicts", "resolve", "recall", "history", "undo", "verify"} <= told.keys()
    back = run("tur recall migrations", workdir)
    assert "Alembic" in back.stdout
