"""The facade of rule files: what agents read in a repository, scanned, and followed as it changes.

Nothing is ever written to the repository or the ledger.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from . import whereabouts
from .engine import Engine
from .errors import BadInput, NoStore
from .records import Author
from .sources.discovery import Found, repository_of
from .sources.drift import Drift, DriftKind
from .sources.report import Clash, Disproof, Duplicate, Report, RuleFile, Side
from .sources.scan import Progress, Request
from .working_folder import here, tidied

__all__ = [
    "Clash",
    "Disproof",
    "Drift",
    "DriftKind",
    "Duplicate",
    "Report",
    "RuleFile",
    "Rulebook",
    "Side",
]


class Rulebook:
    """The rule files of one repository beside the ledger that holds there, if one does."""

    def __init__(self, root: Path, engine: Engine | None = None, *, named: tuple[Path, ...] = ()) -> None:
        self.root = root
        self.engine = engine
        self._named = named
        self._open = ExitStack()

    @classmethod
    def open(cls, path: Path | None = None, *, actor: Author, store: Path | None = None) -> Self:
        """Open the repository that a path lies in (here by default), and the store that holds there, for reading.

        A folder stands for itself, a file for its repository. Raises BadInput, NoStore, StoreError.
        """
        if path is not None and not os.path.lexists(path):
            raise BadInput(f"there is no {path}; give a repository, or a rule file or folder of one")
        root = repository_of(here()) if path is None else tidied(path) if path.is_dir() else repository_of(path)
        book = cls(root, named=() if path is None or path.is_dir() else (path,))
        if (place := whereabouts.standing(store, root)) is not None:
            book.engine = book._open.enter_context(Engine.open(place, actor=actor, read_only=True))
        return book

    @classmethod
    def around(cls, engine: Engine, folder: Path) -> Self | None:
        """Return the repository that a store stands in, the work tree of `folder` where it is one of it; else None."""
        if engine.path.parent.name != whereabouts.FOLDER:
            return None
        tree = repository_of(folder)
        nearest = whereabouts.nearest(tree, strict=False) if (tree / ".git").exists() else None
        if nearest is not None and os.path.realpath(nearest) == os.path.realpath(engine.path):
            return cls(tree, engine)
        within = any((folder / ".git").exists() for folder in (engine.root, *engine.root.parents))
        return cls(engine.root, engine) if within else None

    def close(self) -> None:
        """Close the store, where this opened it."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def scan(self, progress: Progress | None = None, *, profile: str | None = None) -> Report:
        """Return what the rule files say against each other, the ledger and the repository. Raises BadInput."""
        from .sources.scan import scan

        request = Request(self.root, self._named, profile=profile or os.environ.get("TUR_PROFILE") or "balanced")
        return scan(request, self.engine, progress)

    def follow(self, stop: threading.Event) -> Iterator[list[Drift]]:
        """Yield the drift between files and ledger as files change, until `stop` is set; blocks.

        An empty list comes first, once the files were read, and now and then. Raises NoStore without a ledger, and
        where it is gone meanwhile; OSError where the system cannot tell of changes.
        """
        from .sources.drift import Drifting
        from .sources.watching import beats

        if self.engine is None:
            raise NoStore(f"no store holds in {self.root}, so nothing can drift from it; make one with `tur init`")
        path, held = self.engine.path, _identity(self.engine.path)
        drifting = Drifting(self.root, self.engine, os.environ.get("TUR_PROFILE") or "balanced")
        yield []
        while not stop.is_set():
            found, begun = drifting.found, False
            for changed in beats(found, stop):
                if held is None or _identity(path) != held:
                    raise NoStore(
                        f"the store {path} is gone, or another one is in its place; start again once it is there"
                    )
                # What changed before the system was asked to tell is seen by a look at the first beat.
                drifts = drifting.look() if changed or not begun else []
                begun = True
                yield drifts
                if _watched(drifting.found) != _watched(found):
                    break


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _watched(found: Found) -> tuple[object, ...]:
    """Return what the system is asked to tell of."""
    from .sources.watching import folders_of

    return folders_of(found), found.rules.keys(), found.aliases.keys()
