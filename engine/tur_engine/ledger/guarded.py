"""What the guardrail warned of: in a file beside the store and outside of its chain.

The action's words are kept, cut; of the invariant its id only, so that a redacted text stands nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import apsw

from .aside import Aside

KEPT_ROWS = 1_000
KEPT_SECONDS = 90 * 86400
LONGEST = 500
"""Characters of an action that are kept."""
_NAME = 256
_TABLES = """
CREATE TABLE warnings(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, head INTEGER NOT NULL, actor TEXT NOT NULL,
    session TEXT NOT NULL, memory TEXT NOT NULL, store TEXT NOT NULL, binding INTEGER NOT NULL,
    probability REAL NOT NULL, action TEXT NOT NULL, read_as TEXT NOT NULL
)
"""


class Warned(NamedTuple):
    """One action against one invariant or constraint."""

    memory: str
    store: str
    """The other store it is an invariant of; empty for this one."""
    binding: bool
    probability: float
    action: str
    read_as: str


class Row(NamedTuple):
    """A warning, when it was given and to whom."""

    id: int
    at: float
    head: int
    """The last event of the ledger then."""
    actor: str
    session: str
    warned: Warned


def _cut(*texts: str, most: int = LONGEST) -> list[str]:
    return [Aside.plain(text, most) for text in texts]


class Guarded:
    """The warnings of one store."""

    def __init__(self, store: Path, store_id: str) -> None:
        self._file = Aside(store, store_id, "guarded", _TABLES)

    @property
    def path(self) -> Path:
        return self._file.path

    def note(self, warnings: Sequence[Warned], actor: str, session: str, head: int) -> None:
        """Keep warnings that were just given."""
        now = time.time()

        def put(db: apsw.Connection) -> None:
            db.executemany(
                "INSERT INTO warnings(at, head, actor, session, memory, store, binding, probability, action, read_as) "
                "VALUES(?,?,?,?,?,?,?,?,?,?)",
                [
                    (now, head, *_cut(actor, session, most=_NAME), *each[:4], *_cut(each.action, each.read_as))
                    for each in warnings
                ],
            )
            last = db.last_insert_rowid()
            db.execute("DELETE FROM warnings WHERE id <= ? OR at < ?", (last - KEPT_ROWS, now - KEPT_SECONDS))

        if warnings:
            self._file.put(put)

    def last(self, limit: int, until: int) -> list[Row]:
        """Return the latest warnings given while the ledger stood at `until` or before, the newest first."""
        rows = self._file.rows(
            "SELECT id, at, head, actor, session, memory, store, binding, probability, action, read_as "
            "FROM warnings WHERE head <= ? ORDER BY id DESC LIMIT ?",
            until,
            limit,
        )
        return [
            Row(id, at, head, actor, session, Warned(memory, store, bool(binding), probability, action, read_as))
            for id, at, head, actor, session, memory, store, binding, probability, action, read_as in rows
        ]

    def state(self) -> tuple[int, int, int] | None:
        """Return what differs once another warning was kept."""
        return self._file.state()
