"""One connection, read as of one moment."""

from __future__ import annotations

from typing import Any, Self

import apsw

from ..schema import OPEN

AT = "from_seq <= :now AND to_seq > :now"
"""What holds at the moment: every projection row carries its interval."""


class Moment:
    """Reading one connection as of `now`: a sequence number, the present where none is given."""

    def __init__(self, db: apsw.Connection, now: int = OPEN - 1) -> None:
        self._db = db
        self.now = now
        self.past = now < OPEN - 1

    def as_of(self, seq: int) -> Self:
        """Return the same reads as of another event."""
        return type(self)(self._db, seq)

    def _rows(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, {"now": self.now, **values}).fetchall()

    def _one(self, sql: str, **values: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(sql, **values)), None)
