"""Puts a backup in a store's place. The store that was there is kept beside it, and the witness begins anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import apsw

from ..errors import BadInput, NotAllowed, StoreError, TurError
from ..records import Merkle
from . import connection, witness
from .ledger import Ledger
from .migrations import spare_name

_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done. `kept` is what stood there before; None where nothing did."""

    head: Merkle
    kept: Path | None


def restore(backup: Path, path: Path, finish: Callable[[Path], None] | None = None) -> Restored:
    """Put a copy of `backup`, which the caller has verified, at `path`.

    `finish` is given the copy before it takes its place: what it appends (the signed event) is part of it.
    Raises BadInput where the backup is of another store, NotAllowed where it lacks its first reviewer, StoreError; then
    nothing was changed.
    """
    with closing(Ledger(backup, read_only=True)) as source:
        store = source.store_id
        if path.exists() and backup.samefile(path):
            raise BadInput(f"{backup} is the store itself; name a backup of it")
        present, key = _who(path)
        if present not in (None, store):
            raise BadInput(f"{backup} is a backup of another store ({store[:8]}, here is {str(present)[:8]})")
        with source.reading() as db, suppress(ValueError, OSError):
            known = witness.read(store)
            key = key or (known.key if known else "")
            if key and witness.first_key(db) != key:
                raise NotAllowed(
                    f"{backup} does not have the reviewer who was enrolled first in this store, so nobody could sign "
                    "for it; take a later backup"
                )
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{uuid4().hex}.restored")
        try:
            source.backup(fresh)
            if finish:
                finish(fresh)
            with closing(Ledger(fresh)) as made:
                head = made.tree_head()
                made.fold_in()
            kept = _put(fresh, path)
        except OSError as e:
            raise StoreError(f"{path} cannot be replaced: {e.strerror or e}") from e
        finally:
            for ending in ("", *_BESIDE):
                fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
    with closing(Ledger(path)) as ledger:
        ledger.reset_witness()
    return Restored(head, kept)


def _who(path: Path) -> tuple[str | None, str]:
    """Return which store stands there and the key of its first reviewer; nothing where none does that can be read."""
    try:
        with closing(Ledger(path, read_only=True)) as present, present.reading() as db:
            return present.store_id, witness.first_key(db)
    except TurError:  # missing, damaged, older, newer: what is there is kept beside all the same
        return None, ""


def _put(fresh: Path, path: Path) -> Path | None:
    """Give the copy the store's name. Its log goes first: SQLite would play it into the copy."""
    if not path.exists():
        for ending in _BESIDE:
            path.with_name(path.name + ending).unlink(missing_ok=True)
        fresh.rename(path)
        return None
    with suppress(apsw.Error), closing(apsw.Connection(str(path))) as db:
        db.set_busy_timeout(connection.BUSY_MS)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = spare_name(path, "before-restore")
    try:
        kept.hardlink_to(path)
    except OSError:  # a file system without hard links: for a moment there is no store
        path.rename(kept)
    for ending in _BESIDE:
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(kept.with_name(kept.name + ending))
    os.replace(fresh, path)
    return kept
