"""How the open store file begins, read past SQLite: it goes on from what it has read, whatever stands there now.

To close a file lets go of all locks that this process has on it, SQLite's too. So one descriptor a file is shared, and
closed with the last store that looks at it.
"""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path

from . import schema

_LENGTH = 72
_shared: dict[tuple[int, int], tuple[int, int]] = {}
"""Descriptor and number of stores that look, by device and inode."""
_lock = threading.Lock()


class Beginning:
    """The first bytes of one file, as they are now."""

    def __init__(self, path: Path, file: tuple[int, int]) -> None:
        """`file` is the device and inode that the path names. Raises OSError."""
        self._key = file
        with _lock:
            handle, users = _shared.get(file) or (os.open(path, os.O_RDONLY | os.O_CLOEXEC), 0)
            _shared[file] = handle, users + 1
        self._handle = handle

    def overwritten(self) -> bool:
        """Whether other bytes stand there than a store begins with."""
        with contextlib.suppress(OSError):
            begin = os.pread(self._handle, _LENGTH, 0)
            return begin[:16] != b"SQLite format 3\0" or begin[68:] != schema.APPLICATION_ID.to_bytes(4, "big")
        return False

    def close(self) -> None:
        """Look no more."""
        with _lock:
            handle, users = _shared.pop(self._key)
            if users > 1:
                _shared[self._key] = handle, users - 1
            else:
                os.close(handle)
