"""Signals that end the program from outside, also while the person's editor has the terminal."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Final

GRACE: Final = 3.0
"""Seconds in which an editor can keep what was typed, before the program ends without it."""


class _Ended(Exception):
    """A signal came while the editor was open."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def signals() -> list[int]:
    """The numbers of those that this system has."""
    return [int(getattr(signal, name)) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def edit(command: Sequence[str], folder: Path) -> tuple[int | None, int]:
    """Run an editor to its end; its exit code, and the signal that ended the program meanwhile, 0 for none.

    The signal is passed on to the editor. The exit code is None where it went on regardless. Raises OSError.
    """
    came = 0
    waiting = False

    def pass_on(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if not came:  # once: the editor is at it
            came = number
            if waiting:
                raise _Ended(number)

    # before the editor is there: what comes while it starts is passed on too
    before: dict[int, Any] = {number: signal.signal(number, pass_on) for number in signals()}
    try:
        editor = subprocess.Popen(command, cwd=folder)
        try:
            waiting = True
            if came:
                raise _Ended(came)
            return editor.wait(), 0
        except _Ended as ended:
            editor.send_signal(ended.number)
            try:
                return editor.wait(GRACE), ended.number
            except subprocess.TimeoutExpired:
                return None, ended.number
    finally:
        waiting = False
        for number, handler in before.items():
            signal.signal(number, handler)
