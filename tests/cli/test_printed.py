"""Version and help: what could not be written is said, and is no success; Ctrl-C is quiet."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tur_engine.cli import __main__ as tur
from tur_engine.cli import adm

FULL = Path("/dev/full")
ASKED = [
    ("tur_engine.cli", "tur", "--version"),
    ("tur_engine.cli.adm", "tur-adm", "--version"),
    ("tur_engine.mcp", "tur-mcp", "--version"),
    ("tur_engine.mcp", "tur-mcp", "--help"),
    ("tur_tui", "tur-tui", "--version"),
    ("tur_tui", "tur-tui", "--help"),
]


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(("module", "program", "flag"), ASKED)
def test_a_full_disk_is_one_sentence_and_1(module: str, program: str, flag: str, repo_root: Path) -> None:
    paths = os.pathsep.join([str(repo_root), str(repo_root / "engine")])
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", module, flag],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": paths},
        )
    assert done.returncode == 1
    assert done.stderr == f"{program}: the answer could not be written: No space left on device\n"


@pytest.mark.parametrize("program", [tur, adm])
def test_ctrl_c_while_the_version_is_looked_up_is_quiet(program: object, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tur_engine.printed", interrupted)
    assert program.main(["--version"]) == 130  # type: ignore[attr-defined]
