"""Makes every projection and index anew from the events: the way back from whatever `verify` found in them."""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from ..errors import IntegrityFailure
from ..text import excerpt
from . import schema
from .ledger import Ledger
from .projector import QUIET, Projector
from .verify import STEP, Progress


def rebuild(ledger: Ledger, progress: Progress | None = None) -> int:
    """Drop and make the projections in one transaction. Returns how many events were read.

    Events and bodies stay as they are. Raises IntegrityFailure where an event cannot be applied: nothing is changed.
    """
    with ledger.transaction() as db:
        return remake(db, ledger.path, progress)


def remake(db: apsw.Connection, path: Path, progress: Progress | None = None) -> int:
    """Do so inside the caller's transaction; `path` is for the sentence where it cannot be done."""
    total = int(db.execute("SELECT count(*) FROM events").get)
    try:
        for table in (*schema.SEARCH_TABLES, *schema.PROJECTION_TABLES):
            db.execute(f"DROP TABLE IF EXISTS {table}")
    except apsw.SQLError as e:
        raise IntegrityFailure(
            f"the indexes of {path} cannot even be taken away ({excerpt(str(e))}); restore it from a backup"
        ) from e
    db.execute(schema.PROJECTIONS + schema.SEARCH)
    projector, clock = Projector(db), 0
    for seq, kind, payload in db.execute("SELECT seq, kind, json FROM events ORDER BY seq"):
        try:
            projector.apply(seq, kind, json.loads(payload)["data"])
        except (KeyError, ValueError, TypeError, AttributeError) as e:
            problem = f"event {seq} is damaged and cannot be applied; nothing was changed"
            raise IntegrityFailure(f"{problem}, restore {path} from a backup") from e
        clock = clock if kind in QUIET else seq
        if progress and seq % STEP == 0:
            progress(seq, total)
    db.execute("UPDATE meta SET value=? WHERE key='memory_clock'", (str(clock),))
    return total
