"""Imports point down and in no circle: the contracts hold, and each of them breaks when it is broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LINT = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
ROOMS = [
    *("text", "errors", "records", "ledger", "probe", "detect", "maintain", "graph", "gate"),
    *("engine", "governor", "cli", "mcp"),
]


def lint(folder: Path, source_roots: list[Path]) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, source_roots))
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "pyproject.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200"},
        timeout=120,
    )


def test_the_contracts_hold(repo_root: Path) -> None:
    done = lint(repo_root, [repo_root, repo_root / "engine"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


@pytest.fixture
def small_house(tmp_path: Path, repo_root: Path) -> Path:
    """The rooms as empty modules under the project's own contracts."""
    (tmp_path / "pyproject.toml").write_text((repo_root / "pyproject.toml").read_text("utf-8"), "utf-8")
    for package in ("tur_engine", "tur_tui"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    for room in ROOMS:
        (tmp_path / "tur_engine" / f"{room}.py").touch()
    (tmp_path / "tur_tui" / "app.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("tur_engine/records.py", "from tur_engine import ledger"),
        ("tur_engine/ledger.py", "from tur_engine import probe"),
        ("tur_engine/probe.py", "from tur_engine import detect"),
        ("tur_engine/detect.py", "from tur_engine import gate"),
        ("tur_engine/gate.py", "from tur_engine import engine"),
        ("tur_engine/engine.py", "from tur_engine import governor"),
        ("tur_engine/engine.py", "import textual"),
        ("tur_engine/cli.py", "import textual"),
        ("tur_engine/ledger.py", "import rich.text"),
        ("tur_engine/cli.py", "from tur_engine import mcp"),
        ("tur_engine/engine.py", "import tur_tui"),
        ("tur_tui/app.py", "from tur_engine import ledger"),
        ("tur_tui/app.py", "from tur_engine.gate import Gate"),
    ],
)
def test_an_import_that_points_up_is_caught(small_house: Path, module: str, line: str) -> None:
    (small_house / module).write_text(line + "\n", "utf-8")
    done = lint(small_house, [small_house])
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "from . import incumbents",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .incumbents import Incumbent",
        "def ask() -> None:\n    from . import incumbents",
    ],
    ids=["plain", "for types", "inside a function"],
)
def test_a_circle_within_a_room_is_caught(small_house: Path, line: str) -> None:
    room = small_house / "tur_engine" / "maintain.py"
    room.unlink()
    room = room.with_suffix("")
    room.mkdir()
    (room / "__init__.py").touch()
    (room / "incumbents.py").write_text("from . import verbs\n", "utf-8")
    (room / "verbs.py").touch()
    assert lint(small_house, [small_house]).returncode == 0
    (room / "verbs.py").write_text(line + "\n", "utf-8")
    done = lint(small_house, [small_house])
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout


def test_a_circle_of_two_rooms_of_one_floor_is_caught(small_house: Path) -> None:
    (small_house / "tur_engine" / "graph.py").write_text("from tur_engine import maintain\n", "utf-8")
    (small_house / "tur_engine" / "maintain.py").write_text("from tur_engine import graph\n", "utf-8")
    done = lint(small_house, [small_house])
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout


def test_a_screen_that_names_the_program_around_it_is_caught(small_house: Path) -> None:
    house = small_house / "tur_tui"
    (house / "screens").mkdir()
    (house / "screens" / "__init__.py").touch()
    (house / "app.py").write_text("from .screens import triage\n", "utf-8")
    (house / "screens" / "triage.py").write_text(
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from ..app import Workbench\n", "utf-8"
    )
    done = lint(small_house, [small_house])
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 broken" in done.stdout


def test_imports_that_point_down_are_not(small_house: Path) -> None:
    house = small_house / "tur_engine"
    (house / "cli.py").write_text("import rich\nfrom tur_engine import engine, governor, records, text\n", "utf-8")
    (house / "engine.py").write_text("from tur_engine import gate, graph, ledger\n", "utf-8")
    (house / "graph.py").write_text("from tur_engine import maintain, records\n", "utf-8")
    (house / "text.py").write_text("from tur_engine import errors\n", "utf-8")
    (small_house / "tur_tui" / "app.py").write_text(
        "import textual\nfrom tur_engine import engine, errors, governor, records, text\n", "utf-8"
    )
    done = lint(small_house, [small_house])
    assert done.returncode == 0, done.stdout + done.stderr
