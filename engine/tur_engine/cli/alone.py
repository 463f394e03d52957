"""A process that runs one command and ends: what Python does for longer lives is left out at both of its ends."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable

_SELDOM = 200_000
"""New objects between two searches for circles of them: a cold start makes half as many, and all of them stay."""


def alone(main: Callable[[], int]) -> None:
    """Run the command, then end the process with its exit code."""
    from .unplugged import unplug

    gc.set_threshold(_SELDOM, 10, 10)
    unplug()
    _leave(main())


def _leave(code: int) -> None:
    """End without taking modules and models apart, and without waiting for a model that nobody asks any more.

    What was registered for the end is called all the same.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # the command told of it, where there was somebody to tell
            pass
    os._exit(code)
