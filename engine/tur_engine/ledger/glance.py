"""A few counts at once, for prompts and status bars: no records, no models, one connection opened and closed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple, cast

from . import connection
from .schema import OPEN


class Counts(NamedTuple):
    """What a glance at a store shows."""

    open: int
    """Conflicts that people or agents have to settle."""
    waits: int
    """Held memories and proposals: what came and is not in."""
    live: int
    """Memories that hold."""


def glance(path: Path) -> Counts:
    """Return the counts of the store at `path`. Raises NoStore, NewerStore, IntegrityFailure, StoreError."""
    with connection.translated(path), closing(connection.Connections(path, read_only=True)) as connections:
        db = connections.get()
        (row,) = db.execute(
            "SELECT (SELECT count(*) FROM conflict_states WHERE to_seq=:open AND state <> 'resolved'), "
            "(SELECT count(*) FROM standing WHERE to_seq=:open AND status IN ('held', 'pending_approval')), "
            "(SELECT count(*) FROM standing WHERE to_seq=:open AND status='active')",
            {"open": OPEN},
        ).fetchall()
    return Counts(*cast("tuple[int, int, int]", row))
