"""Invariants of other stores that hold here too: those above, and the user's own (CONTRACTS 4, "Which store").

Their stores are only read. One that is there and cannot be read lets nothing in: what it forbids is not known.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import apsw

from ..errors import BadInput, StoreError, TurError
from ..ledger import Ledger, Reads
from ..records import Belief, Level, Memory, Scope, Verdict
from ..text import excerpt
from .invariants import against_these, clashes, doubtful, in_force

if TYPE_CHECKING:
    from .weigher import Weigher

EVERYWHERE = (Level.UNIVERSAL, Level.USER, Level.PERSONA)
"""Levels of the user's own store that hold in every project."""
Places = Callable[[], Sequence[tuple[Path, bool]]]


class Inherited(NamedTuple):
    """An invariant of another store against a text."""

    belief: Belief
    store: Path
    certain: bool

    @property
    def sentence(self) -> str:
        """What it does, as people read it."""
        word = "contradicts" if self.certain else "may contradict"
        memory = self.belief.memory
        text = excerpt(memory.content, 80)
        return f'it {word} the invariant {memory.short_id} ("{text}") of the store at {self.store}'

    @property
    def where_to_propose(self) -> str:
        """Where it can be changed."""
        return (
            f"{self.belief.memory.short_id} is an invariant of the store at {self.store}; "
            f"a proposal to change it belongs there: tur-adm --store {self.store} proposal submit"
        )


class Above:
    """The other stores whose invariants hold in one store. They are looked for and opened at first need."""

    def __init__(self, own: Path, root: Path, places: Places) -> None:
        self._own = own
        self._root = root
        self._linked = os.path.realpath(_root_of(Path(os.path.realpath(own)))) != os.path.realpath(root)
        """True where a link leads to the store: its paths begin at another folder than they seem to."""
        self._places = places
        self._opened: list[tuple[Path, bool, Ledger]] | None = None
        self._lock = threading.Lock()

    def against(self, detector: Weigher, memory: Memory, vector: bytes | None) -> Inherited | None:
        """Return what stands against a text, a certain clash before a suspicion. Raises StoreError."""
        doubted = None
        for found, _ in self.all_against(detector, memory, vector):
            if found.certain:
                return found
            doubted = doubted or found
        return doubted

    def all_against(
        self, detector: Weigher, memory: Memory, vector: bytes | None
    ) -> Iterator[tuple[Inherited, Verdict]]:
        """Yield everything that stands against a text, with the verdict. Raises StoreError."""
        for path, db, reads, seen, invariants in self.standing(memory.scope):
            there = memory.model_copy(update={"scope": seen})
            for candidate, verdict in against_these(db, detector, there, vector, invariants):
                certain = clashes(verdict)
                if certain or doubtful(verdict, detector.suspicion):
                    yield Inherited(reads.belief(candidate.memory.seq), path, certain=certain), verdict

    def invariants(self) -> list[Memory]:
        """Return the invariants in force in the other stores, wherever they hold. Raises StoreError."""
        return [reads.memory(mid) for _, _, _, reads in self._read() for mid in reads.approved_rows()]

    def standing(self, scope: Scope) -> Iterator[tuple[Path, apsw.Connection, Reads, Scope, list[Memory]]]:
        """Yield each other store with invariants that hold in a scope, the scope as seen from there, and those.

        Raises StoreError where one cannot be read.
        """
        for path, users, db, reads in self._read():
            anywhere = users or self._linked
            seen = _anywhere(scope) if anywhere else seen_from(scope, self._root, _root_of(path))
            if seen is None:
                continue
            invariants = in_force(reads, seen)
            if users:
                invariants = [each for each in invariants if each.scope.level in EVERYWHERE]
            if invariants:
                yield path, db, reads, seen, invariants

    def named(self, ref: str) -> Inherited | None:
        """Return the invariant of another store that an id or prefix names; None where there is none."""
        for path, _, _, reads in self._read():
            with suppress(BadInput):
                mid = reads.find_memory(ref)
                if reads.approved(mid):
                    return Inherited(reads.belief(mid), path, certain=True)
        return None

    def stamp(self) -> tuple[int, ...]:
        """Return what moves when any of them changes what is believed."""
        return tuple(ledger.clock() for _, _, ledger in self._ledgers())

    def close(self) -> None:
        """Close what was opened."""
        with self._lock:
            for _, _, ledger in self._opened or ():
                ledger.close()
            self._opened = None

    def _read(self) -> Iterator[tuple[Path, bool, apsw.Connection, Reads]]:
        for path, users, ledger in self._ledgers():
            with _named_in_errors(path), ledger.snapshot() as db:
                reads = Reads(db)
                if reads.approved_rows():
                    yield path, users, db, reads

    def _ledgers(self) -> list[tuple[Path, bool, Ledger]]:
        with self._lock:
            if self._opened is None:
                opened = []
                for path, users in self._places():
                    with _named_in_errors(path):
                        opened.append((path, users, Ledger(path, read_only=True)))
                self._opened = opened
            return self._opened


@contextmanager
def _named_in_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except TurError as e:
        raise StoreError(
            f"the invariants of the store at {path} hold here too, and it cannot be read ({e}); nothing was learned"
        ) from e
    except OSError as e:
        raise StoreError(
            f"the invariants of the store at {path} hold here too, and it cannot be read ({e.strerror}); "
            "nothing was learned"
        ) from e


def _root_of(path: Path) -> Path:
    return path.parent.parent if path.parent.name == ".tur" else path.parent


def _anywhere(scope: Scope) -> Scope:
    """A path of one store means nothing in another that does not hold it: it may be anywhere."""
    return scope.model_copy(update={"path": None})


def seen_from(scope: Scope, root: Path, other: Path) -> Scope | None:
    """Return a scope of the store at `root` as the store at `other` writes it; None where it lies outside of it."""
    mine, theirs = PurePosixPath(os.path.realpath(root)), PurePosixPath(os.path.realpath(other))
    path = PurePosixPath(scope.path) if scope.path else PurePosixPath()
    if mine.is_relative_to(theirs):
        inside = mine.relative_to(theirs) / path
        return scope.model_copy(update={"path": str(inside) if inside.parts else None})
    if not theirs.is_relative_to(mine):
        return _anywhere(scope)
    below = theirs.relative_to(mine)
    if path.is_relative_to(below):
        inside = path.relative_to(below)
        return scope.model_copy(update={"path": str(inside) if inside.parts else None})
    return _anywhere(scope) if below.is_relative_to(path) else None
