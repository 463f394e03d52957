"""The witness: what this machine last saw of a store, kept outside of it (CONTRACTS 6).

A chain that was rewritten whole, an older backup put in its place, a tail cut off: all of them verify by themselves.
The witness tells. It lies in the platform's state directory, moves forward only, and never lets a write fail.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import apsw

from ..errors import NoHome
from ..home import state_folder
from ..text import counted
from .canonical import hash_bytes
from .merkle import Peaks
from .schema import OPEN

NONE = "no witness on this machine"
_LOG = logging.getLogger(__name__)
_WAITS = 20
_WAIT = 0.002
"""Another writer holds the lock for less than a millisecond; a stopped one is not waited for."""


class Witness(NamedTuple):
    """Size and root of a store's tree as last seen, and the public key of its first reviewer, where it has one."""

    store: str
    size: int
    root: str
    key: str
    peaks: str
    """The tree itself, so that what came since can be checked without reading what came before."""
    since: int = 0
    """The event that it began at, 1 where it saw the store founded; 0 where an older version began it."""
    revoked: tuple[str, ...] = ()
    """Ids of reviewers' keys that it saw revoked, sorted: an older copy put in place does not know of that."""

    @classmethod
    def of(cls, store: str, tree: Peaks, key: str, since: int = 0, revoked: Iterable[str] = ()) -> Witness:
        return cls(store, tree.size, tree.root.hex(), key, tree.dump(), since, tuple(sorted(revoked)))


class Reviewers(NamedTuple):
    """What a store says of its reviewers' keys, as far as the witness keeps it."""

    first: str = ""
    """The public key of the first; nothing before that."""
    revoked: frozenset[str] = frozenset()
    """Ids of the keys that may sign no more."""
    may: frozenset[str] = frozenset()
    """Ids of the keys that may sign."""
    again: frozenset[str] = frozenset()
    """Those of them that were revoked before and enrolled again."""

    def barred(self, known: Iterable[str]) -> frozenset[str]:
        """Return the keys that are revoked here, or were seen revoked and not enrolled again since."""
        return self.revoked | (frozenset(known) - self.again)


NOBODY = Reviewers()


def place(store: str) -> Path:
    """Return where the witness of a store lies. Raises NoHome."""
    return state_folder() / "witness" / f"{store}.json"


def read(store: str) -> Witness | None:
    """Return the witness of a store, None where there is none, or no home for it.

    Raises ValueError, OSError where it cannot be used.
    """
    try:
        kept = json.loads(place(store).read_bytes())
        found = Witness(**kept | {"revoked": tuple(kept.get("revoked", ()))})
    except (FileNotFoundError, NoHome):
        return None
    except (TypeError, AttributeError) as e:
        raise ValueError("not a witness") from e
    if not all(isinstance(text, str) for text in (found.peaks, found.key, *found.revoked)):
        raise ValueError("not a witness")
    if type(found.since) is not int or not 0 <= found.since <= found.size:
        raise ValueError("not a witness")
    if Witness.of(store, Peaks.load(found.peaks), found.key, found.since, found.revoked) != found:
        raise ValueError("its parts do not fit each other")
    return found


def reviewers(db: apsw.Connection) -> Reviewers:
    """Return what a store says of its reviewers' keys."""
    with suppress(apsw.SQLError):  # an older format has no such table
        rows = db.execute("SELECT key, public, to_seq FROM reviewer_keys ORDER BY from_seq, rowid").fetchall()
        ended = frozenset(str(key) for key, _, to_seq in rows if to_seq != OPEN)
        may = frozenset(str(key) for key, _, to_seq in rows if to_seq == OPEN)
        return Reviewers(str(rows[0][1]), ended - may, may, ended & may) if rows else NOBODY
    return NOBODY


def record(
    store: str, before: Peaks, after: Peaks, keys: Reviewers, between: Callable[[int, int], Iterable[bytes]]
) -> None:
    """Take note of a commit that grew the tree; `between` gives the events after one number up to another.

    Where the store lies behind the witness or does not go on from it nothing is noted, for `verify` to tell.
    """
    try:
        with _alone(place(store).parent):
            _move(store, before, after, keys, between)
    except Exception as e:  # whatever it is, the write itself has been done
        _LOG.warning("the witness of store %s was not written: %s", store, e)


def _move(
    store: str, before: Peaks, after: Peaks, keys: Reviewers, between: Callable[[int, int], Iterable[bytes]]
) -> None:
    try:
        known = read(store)
    except ValueError as e:
        _LOG.warning("the witness %s could not be read (%s) and is written anew", place(store), e)
        known = None
    if known is not None:
        if known.size >= after.size:
            return
        if known.size == before.size:
            goes_on = known.root == before.root.hex()
        else:
            goes_on = Peaks.load(known.peaks).extend(between(known.size, after.size)) == after
        if not goes_on or (known.key and keys.first != known.key):
            _LOG.warning("store %s does not go on from what this machine saw of it; `tur verify` tells more", store)
            return
    since, revoked = (known.since, known.revoked) if known else (before.size + 1, ())
    _put(Witness.of(store, after, keys.first, since, keys.barred(revoked)))


def reset(store: str, tree: Peaks, keys: Reviewers, barred: Iterable[str] = ()) -> None:
    """Start anew from this tree, for a person restored the store; keys stay `barred`. Raises OSError, NoHome."""
    place(store).parent.mkdir(parents=True, exist_ok=True)
    _put(Witness.of(store, tree, keys.first, tree.size, keys.barred(barred)))


def _put(witness: Witness) -> None:
    path = place(witness.store)
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        fresh.write_text(json.dumps(witness._asdict()), "utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other writers out, or a slower one would move it back. Where the platform cannot, that is risked."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(_WAITS):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_WAIT)
        else:
            raise TimeoutError("another writer holds it")
        yield
    finally:
        os.close(descriptor)


class Compared(NamedTuple):
    """What a store was compared with, in words; `problem` is empty where it agrees."""

    words: str
    problem: str = ""
    first_bad: int | None = None


def compare(known: Witness, total: int, root: str | None, key: str) -> Compared:
    """Compare a store of `total` events, whose first `known.size` have this root, with what this machine saw."""
    seen = f"this machine saw {counted(known.size, 'event')}"
    if total < known.size:
        return Compared(
            f"{seen}, the store holds {total:,}",
            f"{seen} of this store, it holds {total:,}: its end was cut off, or an older copy was put in its place; "
            "a person takes one back with `tur-adm restore`",
            total + 1,
        )
    if root != known.root:
        return Compared(
            f"{seen} with another root",
            f"it does not begin with the {counted(known.size, 'event')} that this machine saw: the chain was "
            "rewritten, or this is a copy that went its own way",
        )
    if known.key and key != known.key:
        return Compared(
            f"{seen}, and another first reviewer key",
            "its first reviewer key is not the one that this machine saw enrolled",
        )
    pinned = f"; first reviewer {_named(known.key)}" if known.key else ""
    anew = f"; it began at event {known.since:,}, nothing here tells of what came before" if known.since > 1 else ""
    return Compared(f"agrees: {seen}, root {known.root[:16]}{pinned}{anew}")


def _named(public: str) -> str:
    """Return a key as `tur-adm key list` names it."""
    try:
        return f"key-{hash_bytes(bytes.fromhex(public))[:8]}"
    except ValueError:
        return public[:16]
