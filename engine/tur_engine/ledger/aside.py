"""A small file beside the store and outside of its chain, opened for each use: losing it loses what it notes only.

It has the store's mode, and never holds up what it notes of: where it cannot be written, nothing is noted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw

_WAIT = 50
"""Milliseconds that a writer waits for another one; then it goes on without its note."""
_DAMAGED = (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)


class Aside:
    """A file of notes. It belongs to one store: another one in its place begins anew."""

    def __init__(self, store: Path, store_id: str, word: str, tables: str) -> None:
        self.path = store.with_name(f"{store.stem}-{word}.db")
        self._store = store
        self._mark = int(store_id[:7], 16) or 1
        """As application id: whose notes these are."""
        self._tables = tables

    def put(self, note: Callable[[apsw.Connection], None]) -> None:
        """Note something in one transaction, where that can be done."""
        with suppress(apsw.Error, OSError):
            try:
                self._put(note)
            except _DAMAGED:
                self._remove()
                self._put(note)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return what is noted; nothing where there is no file, or one that cannot be read."""
        with suppress(apsw.Error, OSError):
            if not self._is_file():
                return []
            with closing(apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
                db.set_busy_timeout(_WAIT)
                db.execute("PRAGMA trusted_schema=OFF").fetchall()
                if db.execute("PRAGMA application_id").get == self._mark:
                    return db.execute(query, values).fetchall()
        return []

    def state(self) -> tuple[int, int, int] | None:
        """Return what differs once something was noted; None where there is no file."""
        with suppress(OSError):
            found = self.path.lstat()
            return found.st_ino, found.st_size, found.st_mtime_ns
        return None

    @staticmethod
    def plain(text: str, most: int) -> str:
        """Return a text as it can be kept: cut, and without halves of characters."""
        return text[:most].encode("utf-8", "replace").decode("utf-8")

    def _put(self, note: Callable[[apsw.Connection], None]) -> None:
        if not os.path.lexists(self.path):
            mode = stat.S_IMODE(self._store.stat().st_mode)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                os.chmod(self.path, mode)
        if not self._is_file():
            return
        with closing(apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.set_busy_timeout(_WAIT)
            db.execute("PRAGMA trusted_schema=OFF; PRAGMA synchronous=OFF").fetchall()
            db.transaction_mode = "IMMEDIATE"  # one that begins by reading is not let wait for its turn to write
            with db:
                mark = db.execute("PRAGMA application_id").get
                if not mark:
                    db.execute(f"{self._tables}; PRAGMA application_id={self._mark}")
                elif mark != self._mark:
                    raise apsw.FormatError
                note(db)

    def _is_file(self) -> bool:
        """False too for a link: what somebody put there is not followed."""
        return self.path.exists() and stat.S_ISREG(self.path.lstat().st_mode)

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
