"""Signals while the person's editor has the terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from pathlib import Path
from tur_tui.ending import edit

print(edit(["sh", "-c", sys.argv[1]], Path.cwd()))
"""


@pytest.mark.parametrize(
    ("editor", "ends"),
    [
        ("kill -TERM $PPID; exec sleep 60", "(-15, 15)"),
        ("trap 'exit 3' TERM; kill -TERM $PPID; sleep 1", "(3, 15)"),
    ],
)
def test_a_signal_that_comes_while_the_editor_starts_is_passed_on(editor: str, ends: str) -> None:
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", PROGRAM, editor], capture_output=True, text=True, timeout=20)
        assert (done.stdout.strip(), done.returncode, done.stderr) == (ends, 0, "")


def test_an_editor_ends_by_itself() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, "exit 4"], capture_output=True, text=True, timeout=20)
    assert (done.stdout.strip(), done.returncode) == ("(4, 0)", 0)
