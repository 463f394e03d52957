"""Where two rules meet: folders that hold each other, globs that some file matches both of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from .statements import Statement

_ENDING = re.compile(r"\.(?:\{([\w,. ]+)\}|(\w+))$")
_Where = tuple[str, tuple[str, ...]]


def matches(path: str, globs: Sequence[str]) -> bool:
    """Tell whether a path (POSIX, from the root) matches one of the globs; one without a slash matches any folder."""
    from wcmatch import glob

    flags = glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX
    for each in globs:
        pattern = each if "/" in each else f"**/{each}"
        try:
            if glob.globmatch(path, pattern, flags=flags, limit=200):
                return True
        except Exception:  # nothing can match it, or its braces stand for thousands of patterns
            continue
    return False


def holds_for(scope_path: str | None, globs: Sequence[str], file: str) -> bool:
    """Tell whether rules of a scope and its globs hold for one file (or folder) of the repository."""
    if globs:
        return matches(file, globs)
    if not scope_path:
        return True
    theirs = PurePosixPath(scope_path).parts
    return PurePosixPath(file).parts[: len(theirs)] == theirs


class Meeting:
    """Tells which statements can hold at one place, by the files that are there."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self._held = lru_cache(maxsize=1024)(self._files_of)
        self._known: dict[tuple[_Where, _Where], bool] = {}

    def __call__(self, one: Statement, other: Statement) -> bool:
        """True where some file, there or thinkable, is under both rules."""
        a, b = (one.scope.path or "", one.globs), (other.scope.path or "", other.globs)
        if a == b:
            return True
        key = (a, b) if a <= b else (b, a)
        if key not in self._known:
            self._known[key] = one.scope.overlaps(other.scope) and self._meet(*key)
        return self._known[key]

    def _meet(self, a: _Where, b: _Where) -> bool:
        if not a[1] and not b[1]:
            return True
        mine, theirs = self._held(a), self._held(b)
        if mine and theirs:
            return not mine.isdisjoint(theirs)
        # Of a pattern that no file matches yet, the endings tell: *.py and *.ts never meet.
        mine_ends, their_ends = _endings(a[1]), _endings(b[1])
        return not mine_ends or not their_ends or not mine_ends.isdisjoint(their_ends)

    def _files_of(self, where: _Where) -> frozenset[str]:
        return frozenset(file for file in self.files if holds_for(where[0] or None, where[1], file))


def _endings(globs: Sequence[str]) -> frozenset[str]:
    """Return the file endings that globs name; none where one of them names none."""
    found: set[str] = set()
    for each in globs:
        ending = _ENDING.search(each)
        if ending is None:
            return frozenset()
        found |= set((ending[1] or ending[2]).split(","))
    return frozenset(found)
