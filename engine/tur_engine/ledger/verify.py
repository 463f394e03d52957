"""Does the ledger hold? Chain, bodies, tree head, and every projection and index against a replay of the events."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from functools import partial
from itertools import islice
from typing import Any, Protocol

import apsw

from .. import records
from ..errors import Stopped, TurError
from ..records import EventKind, Merkle
from ..text import excerpt
from . import away, chain, heads, schema, shadows, witness
from .canonical import GENESIS
from .connection import load_extension
from .merkle import Peaks
from .projector import QUIET
from .replay import MENDS, Bad, Replay
from .texts import Texts
from .witness import Witness

_LOG = logging.getLogger(__name__)
Progress = Callable[[int, int], None]
STEP = 500
"""Progress is told every so many events; so many are checked at a time."""
_UNFIT = (KeyError, ValueError, TypeError, AttributeError, TurError, apsw.Error)
"""What an event that makes no sense ends in."""


class Snapshots(Protocol):
    """A ledger, as far as checking it goes."""

    def snapshot(self) -> AbstractContextManager[apsw.Connection]: ...


def verify(ledger: Snapshots, progress: Progress | None = None, *, witnessed: bool = True) -> records.VerifyReport:
    """Check one moment of the store; reports the first event that is wrong, raises only where it cannot be read.

    Unless `witnessed` is off, what this machine saw of the store before is compared too (CONTRACTS 6).
    """
    with ledger.snapshot() as db:
        total = 0
        try:
            total = int(db.execute("SELECT count(*) FROM events").get)
            return _checked(db, total, progress or (lambda done, of: None), witnessed)
        except apsw.SQLError as e:
            return _failed(total, Bad(None, f"a part of the store is missing ({excerpt(str(e))})"))
        except Bad as bad:
            return _failed(total, bad)


def _failed(
    total: int, bad: Bad, words: str = "not compared: the store does not verify by itself"
) -> records.VerifyReport:
    head = Merkle(size=total, root="")
    return records.VerifyReport(ok=False, events=total, head=head, first_bad=bad.seq, problem=str(bad), witness=words)


def _checked(db: apsw.Connection, total: int, progress: Progress, witnessed: bool) -> records.VerifyReport:
    """Raises Bad at the first thing that does not fit."""
    try:
        check, head = _beside(db, total, progress, witnessed)
    except UnicodeDecodeError as e:
        raise Bad(None, f"a text in a table of the store is not UTF-8 ({e.object[:20]!r})") from e
    compared = check.compared()
    if compared.problem:
        return _failed(total, Bad(compared.first_bad, compared.problem), compared.words)
    return records.VerifyReport(ok=True, events=total, head=head, witness=compared.words)


def _beside(db: apsw.Connection, total: int, progress: Progress, witnessed: bool) -> tuple[_Check, Merkle]:
    """Check with the help of a second process where that pays; where anything is amiss, again without it."""
    if away.worth(total):
        try:
            check = _Check(db, total, progress, witnessed, away.Away)
            return check, check.run()
        except Stopped:
            raise
        except Exception as e:  # also where it cannot be started or is killed: what is wrong is found out here
            _LOG.debug("verified without a second process: %r", e)
    try:
        check = _Check(db, total, progress, witnessed, partial(Replay, batched=True))
        return check, check.run()
    except _Unclear:  # once more, one step at a time, to name the event
        check = _Check(db, total, progress, witnessed, partial(Replay, batched=False), by_one=True)
        return check, check.run()


class _Unclear(Exception):
    """Some event of a batch cannot be applied."""


class _Check:
    """One run over one snapshot. Everything that follows from the events is made again in memory and compared."""

    def __init__(
        self,
        db: apsw.Connection,
        total: int,
        progress: Progress,
        witnessed: bool,
        replay: Callable[[Callable[[str], bytes | None]], Replay | away.Away],
        *,
        by_one: bool = False,
    ) -> None:
        self._witnessed = witnessed
        self._known: Witness | None = None
        self._root_then: str | None = None
        """Root of the tree as large as the witness knows it."""
        self._unknown = witness.NONE if witnessed else "not compared"
        self._db = db
        self._total = total
        self._progress = progress
        self._by_one = by_one
        self._meta: dict[str, Any] = {}
        self._texts = Texts(db)
        self._replay = replay(self._texts.read)

    def run(self) -> Merkle:
        """Return the tree head. Raises Bad at the first thing that does not fit."""
        try:
            self._texts.load()
            peaks = self._events()
            self._replay.finish()
            for step in (self._heads, self._texts.check, self._tables):
                step()
                self._progress(self._total, self._total)  # a chance to stop it
            self._replay.compare(self._db, self._total)
        finally:
            self._replay.close()
        self._progress(self._total, self._total)
        return Merkle(size=peaks.size, root=peaks.root.hex())

    def _events(self) -> Peaks:
        peaks, previous, clock, done = Peaks(), GENESIS, 0, 0
        rows = self._db.execute("SELECT seq, at, actor, kind, json, hash FROM events ORDER BY seq")
        while run := list(islice(rows, STEP)):
            fault = None
            for seq, row in enumerate(run, done + 1):
                try:
                    kind, data = chain.opened(seq, previous, row)
                except Bad as bad:
                    fault = bad
                    break
                previous = row[5].hex()
                self._apply(seq, row[4], kind, data)
                clock = clock if kind in QUIET else seq
            self._settle()
            if fault:
                raise fault
            leaves = [row[4] for row in run]
            if self._known and done < self._known.size <= done + len(leaves):
                self._root_then = peaks.extend(leaves[: self._known.size - done]).root.hex()
            peaks = peaks.extend(leaves)
            done += len(leaves)
            self._progress(done, self._total)
        self._meta |= {"peaks": peaks.dump(), "head_hash": previous, "memory_clock": str(clock)}
        return peaks

    def _apply(self, seq: int, payload: bytes, kind: str, data: dict[str, Any]) -> None:
        if seq == 1:
            if kind != EventKind.FOUNDED:
                raise Bad(1, "the first event does not found a store")
            if not heads.is_store_id(store := data.get("store")):
                raise Bad(1, "the first event does not give the store a name")
            self._meta["store_id"] = store
            if self._witnessed:
                self._look_up(str(store))
        self._texts.name(seq, payload)
        try:
            for effect in data["effects"]:
                if effect["op"] == "redact":
                    self._texts.redact(seq, effect["refs"])
            chain.check_ids(data)
            self._replay.apply(seq, kind, data)
        except _UNFIT as e:
            if not self._by_one:
                raise _Unclear from e
            raise Bad(seq, f"event {seq} cannot be applied: {excerpt(str(e))}") from e

    def _look_up(self, store: str) -> None:
        try:
            self._known = witness.read(store)
        except (ValueError, OSError) as e:
            self._unknown = f"not compared: {witness.place(store)} cannot be read ({excerpt(str(e))})"

    def compared(self) -> witness.Compared:
        """Return how the store stands to what this machine saw of it."""
        if self._known is None:
            return witness.Compared(self._unknown)
        return witness.compare(self._known, self._total, self._root_then, witness.reviewers(self._db).first)

    def _settle(self) -> None:
        try:
            self._replay.flush()
        except _UNFIT as e:
            raise _Unclear from e

    def _heads(self) -> None:
        kept: dict[Any, Any] = {key: value for key, value in self._db.execute("SELECT key, value FROM meta")}  # noqa: C416
        due = self._meta
        size = str(kept.get("peaks")).partition(":")[0]
        if size != str(self._total):
            first = min(int(size), self._total) + 1 if size.isdecimal() and len(size) < 20 else None
            raise Bad(
                first,
                f"the tree head says {size[:20]} {'event' if size == '1' else 'events'}, the log holds {self._total}",
            )
        if kept.get("head_hash") != due["head_hash"]:
            raise Bad(self._total, "the last hash kept in the store is not that of the last event")
        if kept["peaks"] != due["peaks"]:
            raise Bad(None, "the Merkle root kept in the store is not that of its events")
        for name in kept.keys() | due.keys():
            if kept.get(name) != due.get(name):
                raise Bad(None, heads.not_of(name))

    def _tables(self) -> None:
        """A trigger could change what is written, a lost index what is found."""
        hidden = "name NOT GLOB 'words_*' AND name NOT GLOB 'vectors_*'"  # theirs to make as they like
        query = f"SELECT type, name, sql FROM sqlite_schema WHERE {hidden}"
        with closing(apsw.Connection(":memory:")) as fresh:
            load_extension(fresh)
            fresh.execute(schema.TRUTH + schema.PROJECTIONS + schema.SEARCH)
            due = set(fresh.execute(query).fetchall())
        kept = set(self._db.execute(query).fetchall())
        for kind, name, _ in sorted(due - kept, key=str):
            raise Bad(None, f"the {kind} {name} is missing or not as this version makes it{MENDS}")
        for kind, name, _ in kept - due:
            if kind in ("trigger", "view"):
                raise Bad(None, f"a {kind} that tur did not make stands in the store ({str(name)[:40]})")
        try:
            # FTS5 checks by the segments that it saw last, and notices what others wrote at the start of a search only.
            self._db.execute("SELECT rowid FROM words LIMIT 1").fetchall()
            answer = self._db.execute("PRAGMA integrity_check(1)").get
        except apsw.CorruptError as e:
            answer = e
        if answer != "ok":
            raise Bad(None, f"the store's pages or indexes do not fit ({excerpt(str(answer))}){MENDS}")
        shadows.check(self._db, self._total)
