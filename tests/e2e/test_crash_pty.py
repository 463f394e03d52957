"""A fault in a real pseudo-terminal: the terminal is as it was, one line says what happened, and no memory is told."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pexpect
import pytest

from tests.e2e.test_workbench_pty import SIZE
from tests.ui.stores import PAIRS, store
from tur_tui.crash import crash_dir

SECRET = PAIRS[0][1]

ON_THE_SCREEN = """
from tur_tui.screens.triage import TriageScreen
def broken(self):
    held = self.desk.current.challenger.memory.content
    raise KeyError(held)
TriageScreen.action_explain = broken
"""
IN_A_WORKER = """
from tur_tui.screens.triage import TriageScreen
from tur_tui.screens import live
def broken(self):
    def work():
        held = self.desk.current.challenger.memory.content
        raise KeyError(held)
    self.run_worker(work, thread=True)
TriageScreen.action_explain = broken
"""


@pytest.mark.parametrize("fault", [ON_THE_SCREEN, IN_A_WORKER], ids=["screen", "worker"])
def test_a_fault_leaves_the_terminal_whole_and_tells_no_memory(tmp_path: Path, fault: str) -> None:
    store(tmp_path, PAIRS[:1]).close()
    program = f"{fault}\nfrom tur_tui.__main__ import main\nmain(['--store', {str(tmp_path)!r}])"
    process = pexpect.spawn(
        sys.executable,
        ["-c", program],
        dimensions=SIZE,
        cwd=str(tmp_path),
        env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=30,
    )
    try:
        process.expect_exact(b"1 of 1")
        process.expect_exact(b"Prisma")
        process.send("e")
        process.expect_exact(b"\x1b[?1049l")  # back from the alternate screen
        after = process.read().decode()
    finally:
        process.close(force=True)
    assert process.exitstatus == 70
    assert "stopped on a fault of its own (KeyError)" in after
    assert SECRET not in after
    assert "Traceback" not in after
    (report,) = crash_dir().iterdir()
    assert str(report) in after.replace("\r\n", "")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    assert SECRET not in text
    assert "KeyError" in text
    assert "broken" in text or "work" in text
