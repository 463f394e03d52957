"""Nearest by words and by vector, inside the scopes that matter. Feeds the probe and recall."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import cast

import apsw

from .projector import DIMENSIONS as DIMENSIONS
from .projector import sign_bits

RARE_WORDS = 10
"""How many of a query's words are searched: the rarest ones say most and cost least."""
POSTINGS = 4000
"""Beyond so many places in all, further (commoner) words are left out; the two rarest are always searched."""


def rarest(db: apsw.Connection, words: Sequence[str], limit: int = RARE_WORDS) -> list[tuple[str, int]]:
    """Return (word, number of memories that hold it) for the rarest known words, rarest first."""
    counted: list[tuple[str, int]] = []
    for word in dict.fromkeys(words):
        count = db.execute("SELECT doc FROM vocabulary WHERE term=?", (word,)).get
        if count:
            counted.append((word, cast(int, count)))
    counted.sort(key=lambda pair: (pair[1], pair[0]))
    chosen: list[tuple[str, int]] = []
    places = 0
    for word, count in counted[:limit]:
        places += count
        if places > POSTINGS and len(chosen) >= 2:
            break
        chosen.append((word, count))
    return chosen


def by_words(
    db: apsw.Connection, words: Sequence[str], limit: int, *, statuses: Sequence[str], now: int
) -> list[tuple[int, float]]:
    """Return (row, BM25 score, higher is better) of memories that hold any of the words."""
    if not words:
        return []
    query = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
    rows = db.execute(
        "SELECT w.rowid, -bm25(words) FROM words w JOIN standing s ON s.mid = w.rowid "
        "WHERE words MATCH ? AND s.from_seq <= ? AND s.to_seq > ? AND s.status IN (SELECT value FROM json_each(?)) "
        "ORDER BY bm25(words), w.rowid LIMIT ?",
        (query, now, now, json.dumps(list(statuses)), limit),
    ).fetchall()
    return [(cast(int, mid), cast(float, score)) for mid, score in rows]


def by_vector(
    db: apsw.Connection, vector: bytes, limit: int, *, scope_ids: Sequence[int] | None, probed: int = 1
) -> list[tuple[int, float]]:
    """Return (row, cosine) of the nearest memories: bit codes for the scan, int8 for the order.

    `vector` is int8 of 384; `scope_ids` limits the scan, None for all.
    """
    where = "" if scope_ids is None else f" AND scope_id IN ({','.join(str(int(i)) for i in scope_ids)})"
    rows = db.execute(
        f"SELECT mid FROM vectors WHERE embedding MATCH vec_bit(?) AND k=? AND probed=?{where}",
        (sign_bits(vector), max(limit * 4, 64), probed),
    ).fetchall()
    scored = similarities(db, [cast(int, mid) for (mid,) in rows], vector)
    return sorted(scored.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def embedding(db: apsw.Connection, mid: int) -> bytes | None:
    """Return the int8 vector of a memory (384 bytes), None where it has none."""
    stored = db.execute(
        "SELECT b.body FROM memories m JOIN bodies b ON b.ref=m.embedding_ref WHERE m.mid=?", (mid,)
    ).get
    return cast(bytes, stored)[-DIMENSIONS:] if stored else None


def similarities(db: apsw.Connection, mids: Sequence[int], vector: bytes) -> dict[int, float]:
    """Return the cosine between the given vector and that of each memory that has one."""
    import numpy as np  # only a probe needs it

    stored = db.execute(
        "SELECT m.mid, b.body FROM json_each(?) j JOIN memories m ON m.mid=j.value "
        "JOIN bodies b ON b.ref=m.embedding_ref WHERE b.body IS NOT NULL",
        (json.dumps(list(mids)),),
    ).fetchall()
    if not stored:
        return {}
    packed = b"".join(cast(bytes, row[1])[-DIMENSIONS:] for row in stored)
    vectors = np.frombuffer(packed, dtype=np.int8).reshape(-1, DIMENSIONS).astype(np.float64)
    given = np.frombuffer(vector, dtype=np.int8).astype(np.float64)
    norms = np.sqrt((vectors * vectors).sum(1) * (given @ given))
    cosines = np.divide(vectors @ given, norms, out=np.zeros(len(stored)), where=norms > 0)
    return {cast(int, row[0]): float(cosine) for row, cosine in zip(stored, cosines, strict=True)}


def scope_table(db: apsw.Connection) -> list[tuple[int, str]]:
    """Return every scope in use: (id, text)."""
    return [(cast(int, i), str(s)) for i, s in db.execute("SELECT scope_id, scope FROM scopes").fetchall()]
