"""Makes every projection and index anew from the events: the way back from whatever `verify` found in them."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from ..errors import IntegrityFailure
from ..text import excerpt
from . import chain, heads, schema
from .canonical import GENESIS
from .ledger import Ledger
from .merkle import Peaks
from .projector import QUIET, Projector
from .replay import Bad
from .verify import STEP, Progress
from .writing import set_meta


def rebuild(ledger: Ledger, progress: Progress | None = None) -> int:
    """Drop and make the projections, and what `meta` keeps, in one transaction. Returns how many events were read.

    Events and bodies stay as they are. Raises IntegrityFailure where an event cannot be applied: nothing is changed.
    """
    with ledger.transaction() as db:
        return remake(db, ledger.path, progress)


def remake(db: apsw.Connection, path: Path, progress: Progress | None = None) -> int:
    """Do so inside the caller's transaction; `path` is for the sentence where it cannot be done."""
    total = int(db.execute("SELECT count(*) FROM events").get)
    kept = _kept(db)
    try:
        db.execute(f"DROP TABLE IF EXISTS meta; {schema.META}")
        for table in (*schema.SEARCH_TABLES, *schema.PROJECTION_TABLES):
            db.execute(f"DROP TABLE IF EXISTS {table}")
    except apsw.SQLError as e:
        raise IntegrityFailure(
            f"the indexes of {path} cannot even be taken away ({excerpt(str(e))}); restore it from a backup"
        ) from e
    db.execute("DELETE FROM sqlite_sequence")  # what is left counts for nothing
    db.execute(schema.PROJECTIONS + schema.SEARCH)
    projector, clock, peaks, previous = Projector(db), 0, Peaks(), GENESIS
    query = "SELECT seq, at, actor, kind, json, hash FROM events ORDER BY seq"
    for seq, row in enumerate(db.execute(query), 1):  # no name for the cursor: an error would keep it open
        try:
            kind, data = chain.opened(seq, previous, row)
            projector.apply(seq, kind, data)
        except Bad as e:
            raise IntegrityFailure(f"{e}; nothing was changed, restore {path} from a backup") from e
        except (KeyError, ValueError, TypeError, AttributeError) as e:
            problem = f"event {seq} is damaged and cannot be applied; nothing was changed"
            raise IntegrityFailure(f"{problem}, restore {path} from a backup") from e
        clock = clock if kind in QUIET else seq
        peaks, previous = peaks.append(row[4]), row[5].hex()
        if progress and seq % STEP == 0:
            progress(seq, total)
    if (store := heads.founded(db)) is None:
        raise IntegrityFailure(f"no event names the store; nothing was changed, restore {path} from a backup")
    due = {"store_id": store, "peaks": peaks.dump(), "head_hash": previous, "memory_clock": str(clock)}
    if others := heads.speaks_of_others(kept, due):
        raise IntegrityFailure(f"{others}; nothing was changed, restore {path} from a backup")
    for name, value in due.items():
        set_meta(db, name, value)
    return total


def _kept(db: apsw.Connection) -> dict[str, Any]:
    """Return what `meta` keeps, as far as it can be read."""
    with suppress(apsw.SQLError):
        return {str(key): value for key, value in db.execute("SELECT key, value FROM meta").fetchall()}
    return {}
