"""What agents run never loads what can sign (CONTRACTS 5): shown by what a fresh interpreter has loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SIGNING = {
    *("tur_engine.governor", "tur_engine.governing.signing"),
    *("tur_engine.govern.keys", "tur_engine.govern.signer", "tur_engine.govern.sealing"),
}


def loaded_after(code: str, repo_root: Path) -> set[str]:
    """Modules in a fresh interpreter after the code."""
    probe = f"import sys, io\n{code}\nimport json\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    path = os.pathsep.join([str(repo_root), str(repo_root / "engine")])
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path, "TUR_NO_JUDGE": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def ran(program: str, *calls: tuple[str, ...]) -> str:
    lines = [f"from tur_engine.cli.{program} import main"]
    lines += [f"assert main({list(call)!r}) in (0, 4), {call!r}" for call in calls]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "code", ["import tur_engine.engine", "import tur_engine.cli.app", "import tur_engine.mcp.server"]
)
def test_the_agents_surfaces_load_nothing_that_signs(code: str, repo_root: Path) -> None:
    assert sorted(loaded_after(code, repo_root) & SIGNING) == []


def test_filing_and_verifying_load_nothing_that_signs(repo_root: Path) -> None:
    loaded = loaded_after(
        ran(
            "__main__", ("init",), ("propose", "Secrets never enter git"), ("learn", "x y z", "-t", "core"), ("verify",)
        )
        + "\n"
        + ran("adm", ("proposal", "submit", "Every change is reviewed"), ("proposal", "list")),
        repo_root,
    )
    assert sorted(loaded & SIGNING) == []
    assert "tur_engine.govern.verify" in loaded


def test_the_probe_sees_what_signs(repo_root: Path) -> None:
    assert loaded_after("import tur_engine.governor", repo_root) >= SIGNING
