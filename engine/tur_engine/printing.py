"""What a program prints by itself: before anything heavy is imported its version and help, then what is logged."""

from __future__ import annotations

import os
import sys


def printed(program: str, text: str) -> int:
    """Print on standard output and return the exit code: 0, or 1 with a sentence where it could not be written."""
    if sys.stdout is None:
        return _unwritten(program, "standard output is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader left early, with what it wanted
        _silence()
    except OSError as error:
        _silence()
        return _unwritten(program, error.strerror or str(error))
    return 0


def tell_warnings_as(program: str) -> None:
    """Tell on stderr, in this program's name, what is logged as a warning from now on."""
    from .logged import tell_as

    tell_as(program)


def _unwritten(program: str, why: str) -> int:
    if sys.stderr is not None:
        sys.stderr.write(f"{program}: the answer could not be written: {why}\n")
    return 1


def _silence() -> None:
    """Point standard output nowhere, or the interpreter complains as it flushes it at its end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no file below it
        return
