"""Where a memory holds: level, path and branch (CONTRACTS 1)."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePosixPath

from pydantic import field_validator

from ..errors import BadInput
from ..text import accept
from .base import Record

_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


class Level(StrEnum):
    """Upstream's four levels; they never separate memories, paths and branches do."""

    UNIVERSAL = "universal"
    USER = "user"
    PERSONA = "persona"
    INCARNATION = "incarnation"


class Scope(Record):
    """`level[:path][@branch]`; the last `@` splits the branch off."""

    level: Level = Level.INCARNATION
    path: str | None = None
    branch: str | None = None

    @field_validator("path")
    @classmethod
    def _relative(cls, path: str | None) -> str | None:
        if not path:
            return None
        pure = PurePosixPath(accept(path, "scope path", limit=1024).replace("\\", "/"))
        if pure.is_absolute() or ".." in pure.parts or _DRIVE.match(path):
            raise BadInput(f"scope path {path!r} leaves the store; give a path relative to its root")
        return str(pure) if pure.parts else None

    @field_validator("branch")
    @classmethod
    def _branch(cls, branch: str | None) -> str | None:
        if branch and "@" in branch:
            raise BadInput(f"scope branch {branch!r} holds an @, which splits a scope; name a branch without one")
        return accept(branch, "scope branch", limit=256) if branch else None

    def __str__(self) -> str:
        path = f":{self.path}" if self.path else ""
        at = "@" if self.branch or "@" in path else ""  # a path may hold one: node_modules/@types
        return f"{self.level}{path}{at}{self.branch or ''}"

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Read `level[:path][@branch]`. Raises BadInput for an unknown level or a path that leaves the store."""
        head, at, branch = text.rpartition("@")
        if not at:
            head, branch = text, ""
        level, _, path = head.partition(":")
        if level not in set(Level):
            raise BadInput(
                f"unknown scope level {level!r}; use one of {', '.join(Level)}, as in incarnation:src/api@main"
            )
        return cls(level=Level(level), path=path or None, branch=branch or None)

    def overlaps(self, other: Scope) -> bool:
        """Two scopes overlap unless both name paths and neither holds the other, or both name other branches."""
        if self.branch and other.branch and self.branch != other.branch:
            return False
        if self.path and other.path:
            mine, theirs = PurePosixPath(self.path).parts, PurePosixPath(other.path).parts
            shorter = min(len(mine), len(theirs))
            return mine[:shorter] == theirs[:shorter]
        return True

    def within(self, other: Scope) -> bool:
        """True where this scope is `other` or a narrower part of it (level aside)."""
        if other.branch and self.branch != other.branch:
            return False
        if other.path:
            if not self.path:
                return False
            theirs = PurePosixPath(other.path).parts
            return PurePosixPath(self.path).parts[: len(theirs)] == theirs
        return True
