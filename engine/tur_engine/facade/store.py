"""One open store and who works in it: opening, closing, and the moment it is read at."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import apsw

from .. import ignored, whereabouts
from ..errors import BadInput, NoStore, NotAllowed, ReadOnlyStore, StoreExists
from ..ledger import Ledger, Reads
from ..ledger.guarded import Guarded
from ..ledger.schema import OPEN
from ..ledger.served import Served
from ..maintain.force import relabelling
from ..minds import Minds
from ..place import Place
from ..records import (
    Author,
)
from ..settings import Settings, read_settings

if TYPE_CHECKING:
    from ..gate import Gate
    from ..maintain.resolver import Resolver


class Store:
    """One open store and who works in it: opening, closing, and the moment it is read at."""

    def __init__(
        self, ledger: Ledger, actor: Author, settings: Settings, *, now: int = OPEN - 1, founded: bool = False
    ) -> None:
        self.actor = actor
        self.settings = settings
        self.founded = founded
        self.stamped = True
        """False where whoever writes works in another folder than this process does, which says nothing of them."""
        self._here = whereabouts.working_directory()
        self._ledger = ledger
        self._now = now
        self._minds = Minds(settings.profile, settings.threshold)
        self._served = Served(ledger.path, ledger.store_id)
        self._guarded = Guarded(ledger.path, ledger.store_id)

    @cached_property
    def _resolver(self) -> Resolver:
        """Made at the first need: most of what is learned clashes with nothing."""
        from ..maintain.resolver import Resolver

        return Resolver(
            lambda reads, digest, scope: self._gate.bars(reads, digest, scope), self.settings.agent_may_resolve
        )

    @cached_property
    def _gate(self) -> Gate:
        """Made at the first need: the detector is loaded with it."""
        from ..gate import Above, Gate

        ledger, here = self._ledger, self._here
        above = Above(self.path, self.root, lambda: whereabouts.others_in_force(ledger.path, here))
        return Gate(ledger, lambda: self._resolver, self._minds, self._minds.embed, above)

    @classmethod
    def init(cls, root: Path, *, actor: Author, nested: bool = False) -> Self:
        """Make a store in `root/.tur`. Raises StoreExists, BadInput, ReadOnlyStore."""
        path = whereabouts.place_for_new(root, nested=nested)
        return cls(Ledger.create(path, actor), actor, read_settings(path.with_name("config.toml")), founded=True)

    @classmethod
    def open(
        cls,
        store: Path | None = None,
        *,
        actor: Author,
        create: bool = False,
        read_only: bool = False,
        to_mend: bool = False,
        settings: Settings | None = None,
    ) -> Self:
        """Open the store a path names, or the one that holds here. Raises NoStore, NewerStore, IntegrityFailure.

        With `create` the user's own store is founded where it is missing; `founded` tells. `to_mend` opens one that
        lost its name too, for `verify` and `rebuild`. `settings` go in place of the store's own, which are not read.
        """
        path = whereabouts.find(store)
        settings = settings or read_settings(path.with_name("config.toml"))
        if create and not read_only and not path.exists():
            with suppress(StoreExists):  # another process was first
                return cls(Ledger.create(path, actor), actor, settings, founded=True)
        if store is None and not path.exists():
            raise NoStore(whereabouts.none_here(path))
        ledger = Ledger(path, read_only=read_only, to_mend=to_mend)
        if not read_only:
            ignored.renew(path)
        return cls(ledger, actor, settings)

    def speaking_as(self, actor: Author) -> Self:
        """Return the same open store in another's name; it closes with this one."""
        other = copy.copy(self)
        other.actor = actor
        return other

    @property
    def path(self) -> Path:
        """The store file."""
        return self._ledger.path

    @property
    def root(self) -> Path:
        """The folder that scope paths are relative to."""
        return self.path.parent.parent if self.path.parent.name == whereabouts.FOLDER else self.path.parent

    def place(self, here: Path | None = None) -> Place:
        """Return where the caller stands (the working directory): folder below the root, git branch and commit."""
        return Place.of(self.root, here)

    def stamp(self) -> dict[str, str]:
        """Return what a memory made here and now carries as provenance: repository, branch, commit, where known."""
        return self.place().provenance if self.stamped else {}

    @property
    def read_only(self) -> bool:
        return self._ledger.read_only or self._now != OPEN - 1

    @property
    def as_of(self) -> int | None:
        """The event that this is a view of the past at; None for the present."""
        return None if self._now == OPEN - 1 else self._now

    @property
    def threshold(self) -> float:
        """Probability from which the gate stops a newcomer."""
        return self._minds.detector.threshold

    def former(self) -> str:
        """Return in a sentence that this machine knows another store at this place, and what to do; else nothing."""
        return self._ledger.former()

    def displaced(self) -> str:
        """Return in a sentence how the path stopped naming the open store (moved, removed, replaced); else nothing."""
        return self._ledger.displaced()

    @property
    def lingers(self) -> bool:
        """True where the text last redacted is still in the store's log: a reader holds an older moment open."""
        return self._ledger.lingers

    def close(self) -> None:
        """Close every connection; a view of the past leaves them to the engine it came from."""
        if "_gate" in self.__dict__:
            self._gate.close()
        if self._now == OPEN - 1:
            self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def at(self, seq: int) -> Self:
        """Return the same store as it was after event `seq`, for reading only. Raises BadInput."""
        if not 1 <= seq <= self.head():
            raise BadInput(f"there is no event {seq}; the ledger holds 1 to {self.head()}")
        past = type(self)(self._ledger, self.actor, self.settings, now=seq)
        past._minds = self._minds  # models are loaded once
        return past

    def head(self) -> int:
        """Return the last sequence number."""
        return min(self._now, self._ledger.head())

    def short(self, id: str) -> str:
        """Return the id with the shortest unique prefix, at least 8 hex."""
        kind, _, hexes = id.rpartition("-")
        with self._reads() as (_, reads):
            if kind == "conflict":
                return f"conflict-{reads.shortest(hexes, 'conflicts', 'cid')}"
            if kind == "proposal":
                return f"proposal-{reads.shortest(hexes, 'proposals', 'proposal')}"
            return f"{kind}-{reads.shortest(hexes)}" if kind else reads.shortest(hexes)

    @contextmanager
    def _reads(self) -> Iterator[tuple[apsw.Connection, Reads]]:
        with self._ledger.snapshot() as db:
            yield db, Reads(db, self._now)

    def _of_the_present(self) -> None:
        if self._now != OPEN - 1:
            raise NotAllowed(f"a verdict is about the present; this is the past (as of event {self._now})")

    def _writable(self) -> None:
        if self._now != OPEN - 1:
            raise ReadOnlyStore(
                f"this is the past (as of event {self._now}); go back to the present to change anything"
            )
        if self._ledger.read_only:
            raise ReadOnlyStore(f"{self.path} was opened for reading only; nothing was written")
        self._relabel()

    def _relabel(self) -> None:
        """Bring suspect marks in line where the persona file changed, and with it what has force."""
        with self._reads() as (_, reads):
            stale = relabelling(reads) is not None
        if stale:
            with self._ledger.writing() as tx, self._ledger.reading() as db:
                if (event := relabelling(Reads(db))) is not None:
                    tx.append([event])
