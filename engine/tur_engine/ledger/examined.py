"""What passes over a store have read already: a file of its own beside the store, never part of its chain.

It holds no text: memories by digest, the judge's answers by the digests of a pair. Whoever removes it loses time only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

_FORMAT = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS examined(
    digest BLOB PRIMARY KEY, since INTEGER NOT NULL, law BLOB NOT NULL, at INTEGER NOT NULL, signature BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers(pair BLOB PRIMARY KEY, logits BLOB NOT NULL, judge BLOB NOT NULL) WITHOUT ROWID;
"""

Answer = tuple[float, float, float]
"""What the judge said of a pair."""


class Stamp(NamedTuple):
    """How a memory stood when it was read."""

    since: int
    """The event from which it stood so."""
    law: bytes
    """Names the invariants that it was weighed against."""
    at: int
    """The last event of the store as it was read."""


class Examined:
    """The notes of earlier passes. Where the folder cannot be written there are none, and none are kept."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self._db: apsw.Connection | None = None
        if path is None or (read_only and not path.exists()):
            return
        with suppress(apsw.Error, OSError):
            try:
                self._db = self._open(path, read_only)
            except (apsw.NotADBError, apsw.CorruptError):
                if not read_only:  # it costs time only
                    for ending in ("", "-wal", "-shm", "-journal"):
                        path.with_name(path.name + ending).unlink(missing_ok=True)
                    self._db = self._open(path, read_only)

    @staticmethod
    def _open(path: Path, read_only: bool) -> apsw.Connection:
        if read_only:
            db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            db.set_busy_timeout(5000)
            return db
        db = apsw.Connection(str(path))
        db.set_busy_timeout(5000)
        if db.execute("PRAGMA user_version").get not in (0, _FORMAT):
            db.execute("DROP TABLE IF EXISTS examined; DROP TABLE IF EXISTS answers")
        db.execute("PRAGMA journal_mode=WAL").fetchall()
        db.execute(f"PRAGMA synchronous=NORMAL; {_TABLES} PRAGMA user_version={_FORMAT}")
        return db

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def stamps(self, signature: bytes) -> dict[str, Stamp]:
        """Return what was read under this signature, by digest."""
        rows = self._rows("SELECT digest, since, law, at FROM examined WHERE signature=?", signature)
        return {digest.hex(): Stamp(since, law, at) for digest, since, law, at in rows}

    def mark(self, digests: Iterable[str], stamps: Iterable[Stamp], signature: bytes) -> None:
        """Note that these memories were read."""
        rows = [(bytes.fromhex(digest), *stamp, signature) for digest, stamp in zip(digests, stamps, strict=True)]
        self._put("INSERT OR REPLACE INTO examined VALUES(?,?,?,?,?)", rows)

    def answer(self, pair: bytes, judge: bytes) -> Answer | None:
        """Return what this judge said of a pair, None where it was not asked."""
        for (packed,) in self._rows("SELECT logits FROM answers WHERE pair=? AND judge=?", pair, judge):
            same, compatible, contradicts = struct.unpack("<3f", packed)
            return same, compatible, contradicts
        return None

    def keep(self, answers: Mapping[bytes, Answer], judge: bytes) -> None:
        """Keep what the judge said."""
        rows = [(pair, struct.pack("<3f", *logits), judge) for pair, logits in answers.items()]
        self._put("INSERT OR REPLACE INTO answers VALUES(?,?,?)", rows)

    def _rows(self, query: str, *values: bytes) -> list[tuple[Any, ...]]:
        """Return what is noted; nothing where the file is damaged."""
        with suppress(apsw.Error):
            return [] if self._db is None else self._db.execute(query, values).fetchall()
        return []

    def _put(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        """Note something, where that can be done: a pass does not fail for its notes."""
        if self._db is not None and rows:
            with suppress(apsw.Error), self._db:
                self._db.executemany(statement, rows)
