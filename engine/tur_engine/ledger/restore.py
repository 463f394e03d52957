"""Puts a backup in a store's place. The store that was there is kept beside it, and the witness begins anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import apsw

from ..errors import BadInput, NotAllowed, StoreError, TurError
from ..records import Merkle
from ..unwritten import reason
from . import connection, witness
from .ledger import Ledger, event_data
from .migrations import spare_name
from .witness import Reviewers

_BESIDE = ("-wal", "-shm", "-journal")


class Restored(NamedTuple):
    """What was done. `kept` is what stood there before; None where nothing did."""

    head: Merkle
    kept: Path | None
    known: bool
    """False where neither what stood there nor a witness said whose store it is: nobody here knows who may sign."""
    barred: frozenset[str]
    """Ids of the keys that may sign in the copy, though they were revoked after it was made."""


def restore(backup: Path, path: Path, finish: Callable[[Path], None] | None = None) -> Restored:
    """Put a copy of `backup`, which the caller has verified, at `path`.

    `finish` is given the copy before it takes its place: what it appends (the signed event) is part of it.
    Raises BadInput where the backup is of another store; NotAllowed where it lacks its first reviewer, or is signed by
    a key that was revoked since, as far as what stands there or the witness tells; StoreError. Then
    nothing was changed.
    """
    with closing(Ledger(backup, read_only=True)) as source:
        store = source.store_id
        if path.exists() and backup.samefile(path):
            raise BadInput(f"{backup} is the store itself; name a backup of it")
        present, here = _who(path)
        if present not in (None, store):
            raise BadInput(f"{backup} is a backup of another store ({store[:8]}, here is {str(present)[:8]})")
        seen = None
        with suppress(ValueError, OSError):
            seen = witness.read(store)
        barred = here.barred(seen.revoked if seen else ())
        with source.reading() as db:
            then, events = witness.reviewers(db), source.head()
            key = here.first or (seen.key if seen else "")
            if key and then.first != key:
                raise NotAllowed(
                    f"{backup} does not have the reviewer who was enrolled first in this store, so nobody could sign "
                    "for it; take a later backup"
                )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise StoreError(f"{path} cannot be made: {reason(e, path.parent)}") from e
        fresh = path.with_name(f".{path.name}.{uuid4().hex}.restored")
        try:
            source.backup(fresh, path)
            if finish:
                finish(fresh)
            with closing(Ledger(fresh)) as made:
                _refuse_barred(made, events, barred)
                head = made.tree_head()
                made.fold_in()
            kept = _put(fresh, path)
        except OSError as e:
            raise StoreError(f"{path} cannot be replaced: {reason(e, path.parent)}") from e
        finally:
            for ending in ("", *_BESIDE):
                fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
    with closing(Ledger(path)) as ledger:
        ledger.reset_witness(barred)
        with ledger.reading() as db:
            revived = barred & witness.reviewers(db).may
    return Restored(head, kept, present is not None or seen is not None, revived)


def _who(path: Path) -> tuple[str | None, Reviewers]:
    """Return which store stands there and what it says of its reviewers; nothing where none can be read."""
    try:
        with closing(Ledger(path, read_only=True, to_mend=True)) as present, present.reading() as db:
            return present.store_id, witness.reviewers(db)
    except TurError:  # missing, damaged, older, newer: what is there is kept beside all the same
        return None, witness.NOBODY


def _refuse_barred(copy: Ledger, events: int, barred: frozenset[str]) -> None:
    """Raise NotAllowed where a key that was revoked after the backup signed what came behind its `events`."""
    with copy.reading() as db:
        for seq in range(events + 1, copy.head() + 1):
            for each in event_data(db, seq)["data"].get("signatures", ()):
                if (key := str(each["key"])) in barred:
                    raise NotAllowed(
                        f"key-{key[:8]} was revoked after this backup was made, so it cannot sign for it; another "
                        "reviewer must sign, or take a later backup"
                    )


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
