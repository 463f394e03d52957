"""Connections and files that fail on purpose, at a chosen moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw
import pytest

from tur_engine.ledger import connection
from tur_engine.ledger.connection import Connections


class FrailConnection:
    """Passes everything on to a real connection; statement number `at` fails unrun. A rollback never does."""

    def __init__(self, real: apsw.Connection, at: int, error: type[BaseException]) -> None:
        self._real = real
        self._error = error
        self.left = at

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise self._error("on purpose")

    def execute(self, *arguments: Any) -> Any:
        if arguments != ("ROLLBACK",):
            self._count()
        return self._real.execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        self._count()
        return self._real.executemany(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@contextmanager
def failing_statement(at: int, error: type[BaseException]) -> Iterator[list[FrailConnection]]:
    """Let this thread's statement number `at` fail; the list holds the connection that was used."""
    used: list[FrailConnection] = []
    real_get = Connections.get

    def get(self: Connections) -> Any:
        if not used:
            used.append(FrailConnection(real_get(self), at, error))
        return used[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connections, "get", get)
        yield used


class FrailDisk(apsw.VFS):
    """A disk whose write number `at` fails, or kills the process where `error` is None. Syncs and truncations count."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.base = apsw.vfs_names()[0]
        self.at = 0
        self.error: type[apsw.Error] | None = apsw.IOError
        self.writes = 0
        super().__init__(name, self.base, makedefault=True)

    def arm(self, at: int, error: type[apsw.Error] | None) -> None:
        """Count from here; 0 never fails."""
        self.at, self.error, self.writes = at, error, 0

    def touch(self) -> None:
        self.writes += 1
        if self.writes == self.at:
            if self.error is None:
                os.kill(os.getpid(), signal.SIGKILL)
            else:
                raise self.error("on purpose")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return FrailFile(self, name, flags)


class FrailFile(apsw.VFSFile):
    """A file of a frail disk."""

    def __init__(self, disk: FrailDisk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(disk.base, name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._disk.touch()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.touch()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.touch()
        super().xTruncate(size)


@contextmanager
def frail_disk(*, alone: bool = True) -> Iterator[FrailDisk]:
    """Make every connection opened inside use such a disk. It has no shared memory: who writes holds the file alone."""
    disk = FrailDisk("frail")
    real_extension = connection.load_extension

    def hold(db: apsw.Connection) -> None:
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        real_extension(db)

    try:
        with pytest.MonkeyPatch.context() as patch:
            if alone:
                patch.setattr(connection, "load_extension", hold)
            yield disk
    finally:
        disk.unregister()
