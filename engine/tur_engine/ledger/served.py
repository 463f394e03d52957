"""Which memories were handed to whom: by digest, in a file beside the store and outside of its chain.

What was served while the ledger stood at one event is one row with a count, so that agents who ask again and again
take no room. `head` is that event: before or after a decision is told by it, whatever the clock does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from .aside import Aside

KEPT_ROWS = 50_000
KEPT_SECONDS = 180 * 86400
_AT_ONCE = 5_000
"""Rows beyond those that are kept from which on the oldest are taken out."""
_LONGEST = 128
"""Characters of a session's name that are kept."""
_TABLES = """
CREATE TABLE voices(id INTEGER PRIMARY KEY, actor TEXT NOT NULL, session TEXT NOT NULL, UNIQUE(actor, session));
CREATE TABLE servings(
    id INTEGER PRIMARY KEY, memory BLOB NOT NULL, head INTEGER NOT NULL, voice INTEGER NOT NULL, live INTEGER NOT NULL,
    times INTEGER NOT NULL, at INTEGER NOT NULL, UNIQUE(memory, head, voice, live)
)
"""


class Row(NamedTuple):
    """One memory, served to one session of an actor while the ledger stood at one event."""

    actor: str
    session: str
    head: int
    live: bool
    """False where it was handed out as what no longer holds."""
    times: int
    at: int
    """The last time, in seconds since 1970."""


class Served:
    """The notes on one store."""

    def __init__(self, store: Path, store_id: str) -> None:
        self._file = Aside(store, store_id, "served", _TABLES)

    @property
    def path(self) -> Path:
        return self._file.path

    def note(self, memories: Iterable[tuple[str, bool]], actor: str, session: str, head: int) -> None:
        """Note that memories (digest, and whether each was live) were handed to an actor."""
        wanted = dict(memories)
        if not wanted:
            return
        now = int(time.time())

        def put(db: apsw.Connection) -> None:
            who = (Aside.plain(actor, 2 * _LONGEST), Aside.plain(session, _LONGEST))
            db.execute("INSERT OR IGNORE INTO voices(actor, session) VALUES(?,?)", who)
            voice = db.execute("SELECT id FROM voices WHERE actor=? AND session=?", who).get
            db.executemany(
                "INSERT INTO servings(memory, head, voice, live, times, at) VALUES(?,?,?,?,1,?) "
                "ON CONFLICT DO UPDATE SET times=times+1, at=excluded.at",
                [(_short(digest), head, voice, live, now) for digest, live in wanted.items()],
            )
            _trim(db, now)

        self._file.put(put)

    def of(self, digest: str, since: int, until: int) -> list[Row]:
        """Return who was served a memory while the ledger stood at these events, the latest first."""
        rows = self._file.rows(
            "SELECT v.actor, v.session, s.head, s.live, s.times, s.at FROM servings s JOIN voices v ON v.id=s.voice "
            "WHERE s.memory=? AND s.head BETWEEN ? AND ? ORDER BY s.at DESC, s.id DESC",
            _short(digest),
            since,
            until,
        )
        return [Row(actor, session, head, bool(live), times, at) for actor, session, head, live, times, at in rows]


def _short(digest: str) -> bytes:
    return bytes.fromhex(digest)[:16]


def _trim(db: apsw.Connection, now: int) -> None:
    """Take the oldest out, many at once and therefore seldom."""
    query = "SELECT at, id, (SELECT max(id) FROM servings) FROM servings ORDER BY id LIMIT 1"
    rows: list[Any] = db.execute(query).fetchall()
    for oldest, first, last in rows:
        if last - first >= KEPT_ROWS + _AT_ONCE or oldest < now - KEPT_SECONDS - 86400:
            db.execute("DELETE FROM servings WHERE id <= ? OR at < ?", (last - KEPT_ROWS, now - KEPT_SECONDS))
            db.execute("DELETE FROM voices WHERE id NOT IN (SELECT voice FROM servings)")
