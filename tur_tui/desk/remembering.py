"""What the history screen knows: which memories are listed, in which order, and which one is in front."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tur_engine.records import Belief, Level, LifeStep, Lineage, MemoryType, Remembered, Scope, Status

from .filters import unknown

CONSTITUTION: Final = "Constitution"
_LEVELS: Final = {level: rank for rank, level in enumerate(Level)}
_TYPES: Final = {
    kind: rank
    for rank, kind in enumerate(
        (
            MemoryType.CORE,
            MemoryType.AXIOM,
            MemoryType.PREFERENCE,
            MemoryType.FACT,
            MemoryType.INSIGHT,
            MemoryType.EVENT,
            MemoryType.CONCEPT,
        )
    )
}
_PLURALS: Final = {MemoryType.CORE: "core", MemoryType.FACT: "facts"}
_IS: Final = ("contested", "suspect", "invariant")


class Page(StrEnum):
    """What the list holds."""

    BELIEVED = "believed"
    EVER = "ever"
    """Everything that ever was, whatever became of it."""


@dataclass(frozen=True)
class Wanted:
    """What the list is narrowed to."""

    text: str = ""
    type: MemoryType | None = None
    by: str = ""
    scope: str = ""
    standing: str = ""
    """`contested`, `suspect`, `invariant` or a status."""

    def lets_through(self, row: Remembered) -> bool:
        """The conditions that are not the engine's to check."""
        if self.scope and self.scope not in str(row.scope).casefold():
            return False
        if self.standing == "contested":
            return row.contested
        if self.standing == "invariant":
            return row.approved
        return not self.standing or row.status == self.standing


@dataclass(frozen=True)
class Heading:
    """A row that names what follows, and how much that is."""

    title: str
    count: int


Listed = Heading | Remembered


@dataclass
class Known:
    """Everything there is to see about one memory."""

    belief: Belief
    life: Sequence[LifeStep]
    lineage: Lineage
    exposed: Mapping[int, str] = field(default_factory=dict)
    """By the event that settled a conflict: how long that stood open, and whom the losing side reached."""


@dataclass
class HistoryDesk:
    """List, the memory in front, the way back, and the marks for a comparison."""

    page: Page = Page.BELIEVED
    typed: str = ""
    rows: Sequence[Listed] = ()
    total: int = 0
    """Memories in the list, headings left out."""
    known: Known | None = None
    wanted: str = ""
    """The memory that is to be in front: its id; "" for none."""
    _behind: list[str] = field(default_factory=list)

    def go(self, ref: str) -> bool:
        """Put another memory in front; False where it is there already."""
        if ref == self.wanted:
            return False
        if self.wanted:
            self._behind.append(self.wanted)
        self.wanted = ref
        return True

    def step(self, ref: str) -> bool:
        """As `go`, by walking the list: no way back is kept of that."""
        moved, self.wanted = ref != self.wanted, ref
        self._behind.clear()
        return moved

    def back(self) -> bool:
        """To the memory before; False where there is none."""
        if not self._behind:
            return False
        self.wanted = self._behind.pop()
        return True

    @property
    def behind(self) -> int:
        return len(self._behind)


def read_wanted(typed: str) -> tuple[Wanted, str]:
    """What was typed behind `/`, and a sentence for the first word that could not be used (it is left out)."""
    words: list[str] = []
    made: dict[str, str] = {}
    kind: MemoryType | None = None
    problem = ""
    for word in typed.split():
        key, colon, value = word.partition(":")
        if not colon or key not in ("type", "by", "scope", "is"):
            words.append(word)
        elif not value:
            continue  # still being typed
        elif key == "type" and value in set(MemoryType):
            kind = MemoryType(value)
        elif key == "type":
            problem = problem or unknown("type", value, list(MemoryType))
        elif key == "is" and value not in (*_IS, *Status):
            problem = problem or unknown("is", value, [*_IS, *Status])
        else:
            made[key] = value.casefold()
    return (
        Wanted(" ".join(words), kind, made.get("by", ""), made.get("scope", ""), made.get("is", "")),
        problem,
    )


def arranged(rows: Iterable[Remembered], page: Page) -> list[Listed]:
    """The rows, newest first as they come: what is believed by scope and type, the constitution on top."""
    if page is Page.EVER:
        return [*rows]
    groups: dict[tuple[Scope | None, MemoryType], list[Remembered]] = {}
    for row in rows:
        groups.setdefault((None if row.approved else row.scope, row.type), []).append(row)
    titled: dict[str, list[Remembered]] = {}
    for scope, kind in sorted(groups, key=_place):
        titled.setdefault(_title(scope, kind), []).extend(groups[scope, kind])
    listed: list[Listed] = []
    for title, group in titled.items():
        listed += [Heading(title, len(group)), *group]
    return listed


def _place(group: tuple[Scope | None, MemoryType]) -> tuple[int, str, int]:
    scope, kind = group
    if scope is None:
        return -1, "", _TYPES[kind]
    return _LEVELS[scope.level], f"{scope.path or ''}@{scope.branch or ''}", _TYPES[kind]


def _title(scope: Scope | None, kind: MemoryType) -> str:
    return CONSTITUTION if scope is None else f"{scope}, {_PLURALS.get(kind, f'{kind.value}s')}"
