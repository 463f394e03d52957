"""The tables that the search extensions keep for themselves, as far as SQLite's own check passes over them.

What is left outside, the inside of the index of words above all, and why it cannot change what is believed, stands in
docs/governance.md.
"""

from __future__ import annotations

from typing import Any

import apsw

from ..text import excerpt
from .replay import MENDS, Bad

_COUNTED = ("vectors_chunks", "vectors_rowids")
_VERSION = ("CREATE_VERSION", "CREATE_VERSION_MAJOR", "CREATE_VERSION_MINOR", "CREATE_VERSION_PATCH")


def check(db: apsw.Connection, total: int) -> None:
    """Raise Bad at the first thing that does not fit; `total` is the number of events."""
    try:
        _counters(db, total)
        _vectors_version(db)
    except (apsw.SQLError, IndexError, TypeError, ValueError, OverflowError) as e:
        raise Bad(None, f"a table of the search indexes cannot be read ({excerpt(str(e))}){MENDS}") from e


def _same(what: str, due: object, kept: object) -> None:
    if due != kept:
        raise Bad(None, f"the {what} is not as it was made{MENDS}")


def _counters(db: apsw.Connection, total: int) -> None:
    """A counter that is too high would stop the next memory. What was taken out leaves it above the last row."""
    rows = db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    kept: dict[Any, Any] = {name: seq for name, seq in rows}  # noqa: C416
    for table in _COUNTED:
        last = db.execute(f"SELECT max(rowid) FROM {table}").get
        counted = kept.pop(table, None)
        fits = last is None if counted is None else isinstance(counted, int) and (last or 0) <= counted <= total
        if not fits or len(rows) > len(_COUNTED):
            raise Bad(None, f"a counter of the vectors' tables does not fit them{MENDS}")
    _same("list of counted tables", {}, kept)


def _vectors_version(db: apsw.Connection) -> None:
    """Another version of the extension may have made them, but one and the same."""
    kept: dict[Any, Any] = {key: value for key, value in db.execute("SELECT key, value FROM vectors_info")}  # noqa: C416
    numbers = [kept.get(key) for key in _VERSION[1:]]
    due = dict(zip(_VERSION, (f"v{'.'.join(map(str, numbers))}", *numbers), strict=True))
    _same("version of the vectors' tables", due if all(isinstance(n, int) for n in numbers) else None, kept)
