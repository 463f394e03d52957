"""The commands that the README shows, run as they stand there."""

from __future__ import annotations

import io
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tur_engine.cli.__main__ import main

HEADING = "## A clash, from the command line"
MORE = "## More than learning"
HELD = 3


def commands(repo_root: Path, heading: str = HEADING) -> list[str]:
    """Return the lines of the block under a heading, without their remarks."""
    section = (repo_root / "README.md").read_text("utf-8").partition(f"\n{heading}\n")[2]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block, f"the README has no commands under {heading!r}"
    return [line.partition("  #")[0].strip() for line in block[1].splitlines() if line.strip()]


@dataclass(frozen=True)
class Ran:
    """What one line gave."""

    returncode: int
    stdout: str
    stderr: str


def run(line: str) -> Ran:
    """Run one line of it here; tests/meta/test_packaging.py runs the installed program."""
    program, *arguments = shlex.split(line)
    assert program == "tur", line
    with pytest.MonkeyPatch.context() as patch:
        out, err = io.StringIO(), io.StringIO()
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        code = main(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.mark.slow
def test_the_story_goes_as_the_readme_tells_it(repo_root: Path) -> None:
    conflict = ""
    told: dict[str, str] = {}
    for line in commands(repo_root):
        ran = run(line.replace("CONFLICT", conflict))
        assert ran.returncode == (HELD if "--on-conflict hold" in line else 0), (line, ran.stderr)
        found = re.search(r"\bconflict-[0-9a-f]{8,}", ran.stdout + ran.stderr)
        conflict = conflict or (found[0] if found else "")
        told[line.split(" ")[1]] = ran.stdout
    assert "Prisma Migrate" in told["recall"]
    assert "Alembic" not in told["recall"]
    assert "moved to Prisma" in told["history"]
    assert {"init", "learn", "conflicts", "resolve", "recall", "history", "undo", "verify"} <= told.keys()
    back = run("tur recall migrations")
    assert "Alembic" in back.stdout
    memory = re.search(r"fact-[0-9a-f]{8,}", back.stdout)
    assert memory
    for line in commands(repo_root, MORE):
        ran = run(line.replace("MEMORY", memory[0]))
        assert ran.returncode == 0, (line, ran.stderr)
        told[line.split(" ")[1]] = ran.stdout
    assert "Alembic" in told["why"]
    assert "Nothing was written" in told["what-if"]
    assert "Prisma Migrate" in told["diff"]
