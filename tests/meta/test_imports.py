"""What is loaded when: asking for the version costs nothing, and the engine never brings a screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = [
    "apsw",
    "mcp",
    "networkx",
    "numpy",
    "onnxruntime",
    "pydantic",
    "rich",
    "textual",
    "tokenizers",
    "typer",
]


def loaded_after(code: str, repo_root: Path) -> set[str]:
    """Top-level modules in a fresh interpreter after the code, which may end in SystemExit."""
    probe = (
        f"import sys\ntry:\n    {code}\nexcept SystemExit as left:\n    assert not left.code, left.code\n"
        "import json\nprint('\\n' + json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    path = os.pathsep.join([str(repo_root), str(repo_root / "engine")])
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "entry", ["tur_engine.cli.__main__", "tur_engine.cli.adm", "tur_engine.mcp.__main__", "tur_tui.__main__"]
)
def test_the_version_loads_nothing_heavy(entry: str, repo_root: Path) -> None:
    loaded = loaded_after(f"sys.argv[1:] = ['--version']; from {entry} import main; sys.exit(main())", repo_root)
    assert sorted(loaded & set(HEAVY)) == []


def test_the_engine_starts_without_models_and_without_a_screen(repo_root: Path) -> None:
    loaded = loaded_after("import tur_engine.engine", repo_root)
    assert "apsw" in loaded
    assert sorted(loaded & {"onnxruntime", "tokenizers", "textual", "rich", "typer", "mcp"}) == []


def test_the_workbench_opens_without_the_detector_and_without_other_screens(repo_root: Path) -> None:
    """What is loaded before the first paint is waited for."""
    late = ["tur_engine.detect.detector", "tur_engine.gate.gate", "tur_engine.introspect"]
    late += [f"tur_tui.screens.{name}" for name in ("admin", "graph", "history", "health", "help", "merge", "palette")]
    rooms = f"sorted(set({late}) & set(sys.modules))"
    code = f"import tur_engine.engine, tur_tui.start, tur_tui.app; assert not {rooms}, {rooms}"
    assert sorted(loaded_after(code, repo_root) & {"numpy", "onnxruntime", "cryptography", "networkx"}) == []


def test_the_probe_sees_what_is_loaded(repo_root: Path) -> None:
    assert "numpy" in loaded_after("import numpy", repo_root)
