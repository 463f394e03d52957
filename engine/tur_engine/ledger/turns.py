"""Whose turn it is to write, among the threads of one process: first come, first served.

SQLite lets writers try again at random moments, so of many threads at one store some would wait until they give up.
Between processes it stays at that.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakValueDictionary

import apsw

PATIENCE = 60.0
"""Seconds that a thread waits for those before it."""


class Turns:
    """The queue at one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    @contextmanager
    def mine(self, patience: float = PATIENCE) -> Iterator[None]:
        """Wait until those before have written. Raises apsw.BusyError after `patience` seconds."""
        if not self._come(patience):
            raise apsw.BusyError("other threads are writing")
        try:
            yield
        finally:
            self._go()

    def _come(self, patience: float) -> bool:
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            called = threading.Event()
            self._waiting.append(called)
        if called.wait(patience):
            return True
        with self._lock:
            if called.is_set():  # at the last moment
                return True
            self._waiting.remove(called)
            return False

    def _go(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_known: WeakValueDictionary[str, Turns] = WeakValueDictionary()
_guard = threading.Lock()


def of(path: Path) -> Turns:
    """Return the queue at this file; every ledger that the process has open there keeps the same one."""
    file = os.path.realpath(path)
    with _guard:
        turns = _known.get(file)
        if turns is None:
            turns = _known[file] = Turns()
        return turns
