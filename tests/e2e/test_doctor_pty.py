"""The doctor in a real pseudo-terminal: everything it starts is started."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pexpect
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def programs(repo_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tur` and `tur-mcp` on the PATH, as an installation puts them there."""
    for name, module in (("tur", "tur_engine.cli"), ("tur-mcp", "tur_engine.mcp")):
        script = tmp_path / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(repo_root / "engine"))
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    monkeypatch.setenv("TERM", "xterm")


def ran(*arguments: str, keys: str = "") -> tuple[int, str]:
    """Run `tur` in a terminal; the exit code and all that was shown."""
    child = pexpect.spawn("tur", list(arguments), encoding="utf-8", timeout=240, dimensions=(40, 200))
    if keys:
        child.expect_exact("[y/N] ")
        child.sendline(keys)
    child.expect(pexpect.EOF)
    child.close()
    assert isinstance(child.before, str)
    return child.exitstatus, child.before.replace("\r\n", "\n")


def test_it_passes_after_setup_and_fails_without_the_hook(programs: None, workdir: Path, home: Path) -> None:
    (workdir / ".git").mkdir()
    assert ran("init")[0] == 0
    before = sorted(path for path in workdir.rglob("*"))
    assert ran("setup", "claude", keys="y")[0] == 0
    code, shown = ran("doctor", "claude")
    assert (code, shown.count("missing")) == (0, 0), shown
    assert "holds a test clash (conflict_detected)" in shown
    assert "gives what holds here" in shown
    assert "stops what breaks an invariant, and nothing else" in shown
    assert "holds a line that contradicts" in shown
    settings = workdir / ".claude" / "settings.json"
    data = json.loads(settings.read_text())
    del data["hooks"]["PreToolUse"]
    settings.write_text(json.dumps(data))
    (workdir / ".mcp.json").write_text('{"mcpServers": {"tur": {"command": "/nowhere/tur-mcp"}}}')
    code, shown = ran("doctor", "claude")
    assert code == 1
    assert "no hook before an edit or a command: .claude/settings.json has none under PreToolUse" in shown
    assert "mend it: tur setup claude" in shown
    assert "cannot be started: there is no program /nowhere/tur-mcp" in shown
    settings.unlink()
    (workdir / ".mcp.json").unlink()
    settings.parent.rmdir()
    assert sorted(path for path in workdir.rglob("*") if ".tur" not in path.parts) == [
        path for path in before if ".tur" not in path.parts
    ]
    assert not (home / ".tur").exists()
