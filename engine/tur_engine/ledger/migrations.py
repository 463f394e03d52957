"""Brings a store of an older format up to date. Opening never does: it says `tur-adm migrate` (OlderStore).

Events and bodies are the same in every format so far; what changes is what follows from them, and that is made anew.
"""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import apsw

from ..errors import NoStore, StoreError
from . import connection, schema
from .rebuild import remake
from .verify import Progress


class Migrated(NamedTuple):
    """What was done. `backup` is the store as it was; None where there was nothing to do."""

    before: int
    after: int
    events: int
    backup: Path | None = None


def migrate(path: Path, progress: Progress | None = None) -> Migrated:
    """Copy the store beside itself, then make its projections anew in one transaction.

    Raises NoStore, StoreError, NewerStore, and IntegrityFailure where an event cannot be applied: nothing is changed.
    """
    if not path.exists():
        raise NoStore(f"there is no store at {path}; make one with `tur init`")
    with (
        connection.translated(path),
        closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db,
    ):
        db.set_busy_timeout(connection.BUSY_MS)
        connection.load_extension(db)
        before = connection.check_identity(db, path, older=True)
        if before == schema.VERSION:
            return Migrated(before, before, int(db.execute("SELECT count(*) FROM events").get))
        connection.prepare(db)
        backup = spare_name(path, f"format-{before}")
        connection.copy(db, backup)
        db.execute("BEGIN IMMEDIATE")
        try:
            events = remake(db, path, progress)
            db.execute(f"PRAGMA user_version={schema.VERSION}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    return Migrated(before, schema.VERSION, events, backup)


def spare_name(path: Path, why: str) -> Path:
    """Return a name beside the store that nothing has yet. Raises StoreError."""
    moment = f"{datetime.now(UTC):%Y%m%dT%H%M%S}"
    for more in ("", *(f"-{n}" for n in range(2, 100))):
        if not (spare := path.with_name(f"{path.name}.{why}-{moment}{more}")).exists():
            return spare
    raise StoreError(f"no free name for a copy beside {path}; clear the old ones away")
