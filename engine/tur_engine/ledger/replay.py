"""Everything that follows from the events, made again in memory and compared with what a store keeps.

The search tables are plain ones here: the word index is made in one go at the end, and the vectors of the store are
read as they lie in its chunks, for that is what a search reads.
"""

from __future__ import annotations

import marshal
import struct
from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

import apsw

from ..text import excerpt
from . import schema
from .connection import load_extension
from .projector import Arrival, Projector

MENDS = "; `tur-adm rebuild` makes them anew"
_ROWS = 2000
"""Rows are compared by so many."""

# Redaction asks the index to forget for good: a plain table has forgotten already.
_STAND_INS = """
CREATE TABLE words(id INTEGER PRIMARY KEY, tokens TEXT, words TEXT);
CREATE TRIGGER words_command BEFORE INSERT ON words WHEN NEW.words IS NOT NULL BEGIN SELECT RAISE(IGNORE); END;
CREATE TABLE vectors(mid INTEGER PRIMARY KEY, embedding BLOB, probed INTEGER, scope_id INTEGER);
"""


_UNUSED = ("memories_key", "memories_topic", "standing_status")
"""Indexes that no projection is made by: only reads use them."""


class Bad(Exception):
    """The store is not what follows from its events; `seq` names the first event concerned, where one is."""

    def __init__(self, seq: int | None, problem: str) -> None:
        super().__init__(problem)
        self.seq = seq


class Batched:
    """A connection that keeps plain inserts back until something else is asked: a tenth of the calls."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._waiting: defaultdict[str, list[Any]] = defaultdict(list)

    def insert(self, statement: str, row: tuple[Any, ...]) -> None:
        """Keep a row back."""
        self._waiting[statement].append(row)

    def execute(self, statement: str, values: Any = ()) -> Any:
        """Carry out what waits, then this."""
        self.flush()
        return self._db.execute(statement, values)

    def flush(self) -> None:
        """Carry out what waits. Inserts into different tables do not see each other, so they may change places."""
        for statement, rows in self._waiting.items():
            self._db.executemany(statement, rows)
        self._waiting.clear()


class Replay:
    """The projections of the events applied so far."""

    def __init__(self, read: Callable[[str], bytes | None], *, batched: bool) -> None:
        """`read` gives bodies. Unbatched, an event that cannot be applied says so at once."""
        self.db = apsw.Connection(":memory:")
        load_extension(self.db)
        self.db.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY")
        self.db.execute(schema.PROJECTIONS + _STAND_INS)
        for name in _UNUSED:
            self.db.execute(f"DROP INDEX {name}")
        self.db.execute("BEGIN")
        self._batch = Batched(self.db) if batched else None
        through: Any = self._batch or self.db
        self._projector = Projector(through, read=read, insert=self._batch.insert if self._batch else None)
        self.apply = self._projector.apply

    def flush(self) -> None:
        """Carry out what was kept back. Raises what SQLite says of it."""
        if self._batch:
            self._batch.flush()

    def take(self, statement: str, rows: list[Any], *, arrivals: bool, at_once: bool) -> None:
        """Do what another's projector did: memories come in, rows are kept back, a statement is carried out."""
        assert self._batch is not None
        if at_once:
            self._batch.execute(statement, tuple(rows))
        elif arrivals:
            for row in rows:
                self._projector.arrive(Arrival(*row))
        else:
            for row in rows:
                self._batch.insert(statement, row)

    def finish(self) -> None:
        """There are no more events: make the index of words, in one go."""
        self.db.execute("ALTER TABLE words RENAME TO spoken")
        self.db.execute(schema.WORDS)
        self.db.execute("INSERT INTO words(rowid, tokens) SELECT id, tokens FROM spoken ORDER BY id")

    def close(self) -> None:
        """Forget everything."""
        self.db.close()

    def vectors(self) -> Iterator[tuple[Any, ...]]:
        """Return (mid, embedding, probed, scope) of every vector, by mid."""
        return self.db.execute("SELECT mid, embedding, probed, scope_id FROM vectors ORDER BY mid")

    def compare(self, kept: apsw.Connection, total: int) -> None:
        """Raises Bad at the first row of a projection or an index that differs."""
        for what, query, place in questions(self.db):
            self._same(kept, what, query, total, place)
        self._same_vectors(kept, total)

    def _same(self, store: apsw.Connection, what: str, query: str, total: int, place: int | None = None) -> None:
        try:
            ours, theirs = self.db.execute(query), store.execute(query)
            while True:
                due, kept = list(islice(ours, _ROWS)), list(islice(theirs, _ROWS))
                if due != kept:
                    raise Bad(
                        _first(due, kept, place, total),
                        f"what the store keeps as {what} does not follow from its events{MENDS}",
                    )
                if not due:
                    return
        except apsw.Error as e:
            raise Bad(None, f"the {what} kept in the store cannot be read ({excerpt(str(e))}){MENDS}") from e

    def _same_vectors(self, store: apsw.Connection, total: int) -> None:
        """Rows are found by number, neighbours by chunk: both ways must lead to the same place (tables of vec0)."""
        due = {row[0]: row for row in self.vectors()}
        for row in placed_vectors(store):
            if due.pop(row[0], None) != row:
                raise Bad(
                    _seq(row[0], total), f"what the store keeps as vectors does not follow from its events{MENDS}"
                )
        if due:
            first = min((mid for mid in due if _seq(mid, total)), default=None)
            raise Bad(first, f"the vectors in the store cannot all be found{MENDS}")


def questions(db: apsw.Connection, *, as_they_lie: bool = False) -> list[tuple[str, str, int | None]]:
    """Return (what, query, column that names an event) for all that is compared row by row; `db` has the tables.

    Rows come sorted, or in the order they were made in, which is cheaper.
    """
    found: list[tuple[str, str, int | None]] = []
    for table in schema.PROJECTION_TABLES:
        names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        order = "rowid" if as_they_lie and table not in schema.WITHOUT_ROWID else ", ".join(names)
        query = f"SELECT * FROM {table} ORDER BY {order}"
        place = next((names.index(name) for name in ("from_seq", "seq", "mid") if name in names), None)
        found.append((table.replace("_", " "), query, place))
    found.append(("words", "SELECT term, group_concat(doc || ':' || offset) FROM places GROUP BY term", None))
    found.append(("words", "SELECT id, sz FROM words_docsize ORDER BY id", 0))
    found.append(("words", "SELECT k, v FROM words_config WHERE k <> 'version'", None))
    return found


def fingerprint(rows: Iterator[Any]) -> bytes:
    """Return a hash over rows, with their order and the kinds of their values."""
    digest = sha256()
    while run := list(islice(rows, _ROWS)):
        digest.update(marshal.dumps(run, 2))  # the last format without references: the same values, the same bytes
    return digest.digest()


def placed_vectors(store: apsw.Connection) -> Iterator[tuple[Any, ...]]:
    """Yield (mid, embedding, probed, scope) as they lie in the chunks. Raises Bad where a number leads elsewhere."""
    try:
        query = "SELECT rowid, chunk_id, chunk_offset, id FROM vectors_rowids"
        numbered = {row[0]: row for row in store.execute(query)}
        for mid, chunk, offset, *kept in _vectors(store):
            if numbered.pop(mid, None) != (mid, chunk, offset, None):
                raise Bad(None, f"the vectors in the store cannot all be found{MENDS}")
            yield (mid, *kept)
    except (KeyError, IndexError, TypeError, struct.error, apsw.Error) as e:
        raise Bad(None, f"the vectors kept in the store cannot be read ({excerpt(str(e))}){MENDS}") from e
    if numbered:
        raise Bad(None, f"the vectors in the store cannot all be found{MENDS}")


def _vectors(store: apsw.Connection) -> Iterator[tuple[Any, ...]]:
    """Yield (mid, chunk, offset, embedding, probed, scope) of every valid place in the chunks."""
    query = (
        "SELECT c.chunk_id, c.size, c.validity, c.rowids, v.vectors, p.data, s.data FROM vectors_chunks c "
        "JOIN vectors_vector_chunks00 v ON v.rowid=c.chunk_id JOIN vectors_metadatachunks00 p ON p.rowid=c.chunk_id "
        "JOIN vectors_metadatachunks01 s ON s.rowid=c.chunk_id"
    )
    for chunk, size, valid, numbers, vectors, probed, scopes in store.execute(query):
        mids, probes, places = (struct.unpack(f"<{size}q", data) for data in (numbers, probed, scopes))
        width, rest = divmod(len(vectors), size)
        if rest or len(valid) * 8 != size:
            raise IndexError("a chunk has another length")
        for offset in range(size):
            if valid[offset >> 3] >> (offset & 7) & 1:
                embedding = vectors[offset * width : (offset + 1) * width]
                yield mids[offset], chunk, offset, embedding, probes[offset], places[offset]


def _first(due: list[Any], kept: list[Any], place: int | None, total: int) -> int | None:
    """Return the event that the first rows which differ name, None where they name none."""
    if place is None:
        return None
    at = next((i for i, (a, b) in enumerate(zip(due, kept, strict=False)) if a != b), min(len(due), len(kept)))
    named = [_seq(rows[at][place], total) for rows in (due, kept) if at < len(rows)]
    return min((seq for seq in named if seq is not None), default=None)


def _seq(value: object, total: int) -> int | None:
    return value if isinstance(value, int) and 1 <= value <= total else None
