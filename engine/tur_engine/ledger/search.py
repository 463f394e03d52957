"""Nearest by words and by vector, inside the scopes that matter. Feeds the probe and recall."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import apsw

from .cosine import cosines
from .projector import DIMENSIONS as DIMENSIONS
from .projector import sign_bits

RARE_WORDS = 10
"""How many of a query's words are searched: the rarest ones say most and cost least."""
SCANNED = 12
"""How many rows by bit code for each one wanted: among four times as many, codes lose the tenth closest of 20,000."""
POSTINGS = 4000
"""Beyond so many places in all, further (commoner) words are left out; the two rarest are always searched."""


def rarest(
    db: apsw.Connection,
    words: Sequence[str],
    limit: int = RARE_WORDS,
    *,
    forms: Callable[[str], Iterable[str]] = lambda word: (word,),
) -> list[tuple[str, int]]:
    """Return (word, number of memories that hold it) for the rarest known words, rarest first.

    `forms` gives other forms of a word; those that are known come along with it.
    """
    counted: list[tuple[int, str, list[tuple[str, int]]]] = []
    for word in dict.fromkeys(words):
        found = [(form, db.execute("SELECT doc FROM vocabulary WHERE term=?", (form,)).get) for form in forms(word)]
        if known := [(form, cast(int, count)) for form, count in found if count]:
            counted.append((sum(count for _, count in known), word, known))
    counted.sort(key=lambda entry: entry[:2])
    chosen: list[list[tuple[str, int]]] = []
    places = 0
    for count, _, known in counted[:limit]:
        places += count
        if places > POSTINGS and len(chosen) >= 2:
            break
        chosen.append(known)
    return list(dict.fromkeys(entry for known in chosen for entry in known))


def by_words(
    db: apsw.Connection, words: Sequence[str], limit: int, *, statuses: Sequence[str], now: int
) -> list[tuple[int, float]]:
    """Return (row, BM25 score, higher is better) of memories that hold any of the words."""
    if not words:
        return []
    rows = db.execute(
        "SELECT w.rowid, -bm25(words) FROM words w JOIN standing s ON s.mid = w.rowid "
        "WHERE words MATCH ? AND s.from_seq <= ? AND s.to_seq > ? AND s.status IN (SELECT value FROM json_each(?)) "
        "ORDER BY bm25(words), w.rowid LIMIT ?",
        (_any_of(words), now, now, json.dumps(list(statuses)), limit),
    ).fetchall()
    return [(cast(int, mid), cast(float, score)) for mid, score in rows]


def by_phrases(
    db: apsw.Connection,
    phrases: Sequence[str],
    about: Sequence[str],
    limit: int,
    *,
    statuses: Sequence[str],
    now: int,
    low: int = 0,
    high: int = 2**62,
) -> list[int]:
    """Return rows from `low` to before `high` that hold one of the phrases and one of `about` (none: any), by BM25."""
    if not phrases:
        return []
    query = " AND ".join(f"({_any_of(group)})" for group in (about, phrases) if group)
    rows = db.execute(
        "SELECT w.rowid FROM words w JOIN standing s ON s.mid = w.rowid "
        "WHERE words MATCH ? AND w.rowid >= ? AND w.rowid < ? AND s.from_seq <= ? AND s.to_seq > ? "
        "AND s.status IN (SELECT value FROM json_each(?)) ORDER BY bm25(words), w.rowid LIMIT ?",
        (query, low, high, now, now, json.dumps(list(statuses)), limit),
    ).fetchall()
    return [cast(int, mid) for (mid,) in rows]


def _any_of(phrases: Sequence[str]) -> str:
    return " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)


def by_vector(
    db: apsw.Connection, vector: bytes, limit: int, *, scope_ids: Sequence[int] | None, probed: int = 1
) -> list[tuple[int, float]]:
    """Return (row, cosine) of the nearest memories: bit codes for the scan, int8 for the order.

    `vector` is int8 of 384; `scope_ids` limits the scan, None for all.
    """
    where = "" if scope_ids is None else f" AND scope_id IN ({','.join(str(int(i)) for i in scope_ids)})"
    rows = db.execute(
        f"SELECT mid FROM vectors WHERE embedding MATCH vec_bit(?) AND k=? AND probed=?{where}",
        (sign_bits(vector), max(limit * SCANNED, 64), probed),
    ).fetchall()
    scored = similarities(db, [cast(int, mid) for (mid,) in rows], vector)
    return sorted(scored.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]


def embedding(db: apsw.Connection, mid: int) -> bytes | None:
    """Return the int8 vector of a memory (384 bytes), None where it has none."""
    stored = packed(db, mid)
    return stored[-DIMENSIONS:] if stored else None


def packed(db: apsw.Connection, mid: int) -> bytes | None:
    """Return the vector with the hash of the model that made it before it, None where there is none."""
    stored = db.execute(
        "SELECT b.body FROM memories m JOIN bodies b ON b.ref=m.embedding_ref WHERE m.mid=?", (mid,)
    ).get
    return cast(bytes, stored) if stored else None


def similarities(db: apsw.Connection, mids: Sequence[int], vector: bytes) -> dict[int, float]:
    """Return the cosine between the given vector and that of each memory that has one."""
    stored = db.execute(
        "SELECT m.mid, b.body FROM json_each(?) j JOIN memories m ON m.mid=j.value "
        "JOIN bodies b ON b.ref=m.embedding_ref WHERE b.body IS NOT NULL",
        (json.dumps(list(mids)),),
    ).fetchall()
    if not stored:
        return {}
    packed = b"".join(cast(bytes, row[1])[-DIMENSIONS:] for row in stored)
    return {cast(int, row[0]): cosine for row, cosine in zip(stored, cosines(packed, vector), strict=True)}


def scope_table(db: apsw.Connection) -> list[tuple[int, str]]:
    """Return every scope in use: (id, text)."""
    return [(cast(int, i), str(s)) for i, s in db.execute("SELECT scope_id, scope FROM scopes").fetchall()]
