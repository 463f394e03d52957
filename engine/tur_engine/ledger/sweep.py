"""Reads over all that is live at once, for a pass over the whole store."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, cast

import apsw

from .projector import DIMENSIONS
from .schema import OPEN


class Standing(NamedTuple):
    """A live memory: where it holds, and since which event it stands as it does."""

    mid: int
    digest: str
    scope: str
    since: int
    approved: bool


def live(db: apsw.Connection, upto: int) -> list[Standing]:
    """Return the live memories that came in up to an event, oldest first."""
    rows = db.execute(
        "SELECT s.mid, m.digest, c.scope, max(s.from_seq, coalesce(n.from_seq, 0)), "
        f"EXISTS(SELECT 1 FROM approvals a WHERE a.mid=s.mid AND a.to_seq={OPEN}) "
        f"FROM standing s JOIN memories m ON m.mid=s.mid LEFT JOIN narrowings n ON n.mid=s.mid AND n.to_seq={OPEN} "
        "JOIN scopes c ON c.scope_id=coalesce(n.scope_id, m.scope_id) "
        f"WHERE s.to_seq={OPEN} AND s.status='active' AND s.mid <= ? ORDER BY s.mid",
        (upto,),
    )
    return [Standing(int(mid), str(digest), str(scope), int(since), bool(a)) for mid, digest, scope, since, a in rows]


def count(db: apsw.Connection, upto: int) -> int:
    """Return how many of the memories that came in up to an event are live."""
    found = db.execute(
        f"SELECT count(*) FROM standing WHERE to_seq={OPEN} AND status='active' AND mid <= ?", (upto,)
    ).get
    return int(cast(int, found))


def vectors(db: apsw.Connection, upto: int) -> Iterator[tuple[int, bytes]]:
    """Yield (row, int8 vector) of the live memories that have one, oldest first."""
    rows = db.execute(
        "SELECT s.mid, b.body FROM standing s JOIN memories m ON m.mid=s.mid JOIN bodies b ON b.ref=m.embedding_ref "
        f"WHERE s.to_seq={OPEN} AND s.status='active' AND s.mid <= ? AND b.body IS NOT NULL ORDER BY s.mid",
        (upto,),
    )
    for mid, packed in rows:
        yield cast(int, mid), cast(bytes, packed)[-DIMENSIONS:]


def by_words_between(db: apsw.Connection, words: Sequence[str], limit: int, low: int, high: int) -> list[int]:
    """Return live rows from `low` to before `high` that hold any of the words, the best by BM25 first."""
    if not words:
        return []
    query = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
    rows = db.execute(
        "SELECT w.rowid FROM words w JOIN standing s ON s.mid = w.rowid "
        f"WHERE words MATCH ? AND w.rowid >= ? AND w.rowid < ? AND s.to_seq={OPEN} AND s.status='active' "
        "ORDER BY bm25(words), w.rowid LIMIT ?",
        (query, low, high, limit),
    ).fetchall()
    return [cast(int, mid) for (mid,) in rows]


def edges(db: apsw.Connection, types: Collection[str] = ()) -> list[tuple[int, int, str]]:
    """Return (source, target, type) of the edges that hold between live memories; all types where none is named."""
    rows = db.execute(
        "SELECT e.source, e.target, e.type FROM edges e JOIN standing a ON a.mid=e.source "
        f"JOIN standing b ON b.mid=e.target WHERE e.to_seq={OPEN} AND a.to_seq={OPEN} AND b.to_seq={OPEN} "
        "AND a.status='active' AND b.status='active' AND (? OR e.type IN (SELECT value FROM json_each(?))) "
        "ORDER BY e.source, e.target, e.type",
        (not types, json.dumps(sorted(types))),
    ).fetchall()
    return [(cast(int, source), cast(int, target), str(kind)) for source, target, kind in rows]


def ever_joined(db: apsw.Connection, one: int, other: int) -> bool:
    """True where an edge holds, or once held, between two memories."""
    row = db.execute(
        "SELECT 1 FROM edges WHERE (source=?1 AND target=?2) OR (source=?2 AND target=?1) LIMIT 1", (one, other)
    ).get
    return row is not None
