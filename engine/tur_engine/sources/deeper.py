"""What a rule file leaves to one of its own name in a deeper folder: who works in there reads that one too."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..records import Scope
from .agents import is_rule_file
from .discovery import discover
from .rendering import key
from .statements import folder_of


class Left(NamedTuple):
    """Memories that a deeper file is there for."""

    file: str
    """As seen from the top, POSIX."""
    memories: int
    missing: int
    """Of them, those that the file does not say yet."""


class Deeper:
    """The files of one name below the folder that one of them speaks for."""

    def __init__(self, top: Path, name: str, scope: Scope) -> None:
        self._top = top
        self._scope = scope
        self._tail = PurePosixPath(name).relative_to(folder_of(name) or "")
        self._known: dict[PurePosixPath, str] = {}

    def file_for(self, scope: Scope) -> str:
        """Return the deepest file that speaks for the whole of a narrower scope; empty where there is none."""
        if scope.path is None or scope.path == self._scope.path:
            return ""
        folder = PurePosixPath(scope.path)
        for each in (folder, *folder.parents):
            if not each.parts or Scope(path=self._scope.path).within(Scope(path=str(each))):
                return ""
            if each not in self._known:
                self._known[each] = self._there(each)
            if self._known[each]:
                return self._known[each]
        return ""

    def _there(self, folder: PurePosixPath) -> str:
        name = str(folder / self._tail)
        path = self._top / name
        if not is_rule_file(name) or not path.is_file():
            return ""
        real, inside = os.path.realpath(path), os.path.realpath(self._top)
        return os.path.relpath(real, inside).replace(os.sep, "/") if Path(real).is_relative_to(inside) else ""


def lefts(top: Path, keys: Mapping[str, Sequence[str]]) -> tuple[Left, ...]:
    """Return what is left to whom; `keys` are those of the memories, by file."""
    found = discover(top, [top / name for name in keys]) if keys else None
    made = []
    for name in sorted(keys):
        rules = found.rules.get(name) if found is not None else None
        said = {key(each.text) for each in rules.statements} if rules is not None else set()
        made.append(Left(name, len(keys[name]), sum(each not in said for each in keys[name])))
    return tuple(made)
