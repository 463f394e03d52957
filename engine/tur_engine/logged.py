"""What the engine's rooms and the libraries log as warnings, told on stderr by the program that runs."""

from __future__ import annotations

import logging
import sys

from .text import visible


class _Told(logging.Handler):
    """One line a record, opened as every other message of the program is; a traceback is for nobody who reads it."""

    def __init__(self, program: str) -> None:
        super().__init__(logging.WARNING)
        self.program = program
        self.told: set[str] = set()
        """What was said: a batch would say the same at every line."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        why = f" ({type(error).__name__}: {error})" if error is not None else ""
        sentence = visible(f"{record.getMessage()}{why}", newlines=False)
        if sentence in self.told:
            return
        self.told.add(sentence)
        try:
            if sys.stderr is not None:
                sys.stderr.write(f"{self.program}: {record.levelname.lower()}: {sentence}\n")
        except (OSError, ValueError):  # nobody to tell
            pass


def tell_as(program: str) -> None:
    """Tell warnings in this program's name from now on."""
    root = logging.getLogger()
    for known in root.handlers:
        if isinstance(known, _Told):
            known.program = program
            known.told.clear()
            return
    root.addHandler(_Told(program))
