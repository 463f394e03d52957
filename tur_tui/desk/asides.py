"""What stands in the feed among the events and is none of them: drift of rule files, warnings of the guard. Plain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tur_engine.records import Belief, Conflict, Evidence, FeedFilter

from ..drawing.wording import Mark


@dataclass(frozen=True)
class Sides:
    """What is shown in the place of the conflict: a memory, and what speaks against it."""

    memory: Belief
    other: Belief
    titles: tuple[str, str]
    ids: tuple[str, str]
    facts: Sequence[tuple[str, str]]
    """What stands under the other side."""
    evidence: Sequence[Evidence] = ()
    why: Conflict | None = None
    """The same as a conflict, for the reasons."""
    notes: Sequence[str] = ()


class Aside(ABC):
    """One row among the events."""

    family: str
    """The word of the filter: `kind:guard`."""
    after: int | None = None
    """The event it came after; None for the last one there is."""
    refusal: str
    """Why no verb is for it."""

    @property
    @abstractmethod
    def at(self) -> datetime: ...

    @property
    @abstractmethod
    def mark(self) -> Mark: ...

    @property
    @abstractmethod
    def word(self) -> str:
        """What it is, as the kind of an event."""

    @property
    @abstractmethod
    def place(self) -> str:
        """What stands in the row where an event has its actor."""

    @property
    @abstractmethod
    def sentence(self) -> str: ...

    @property
    @abstractmethod
    def memory(self) -> Belief | None:
        """The memory that it is about."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The words that are held against the memory; "" for none."""

    @abstractmethod
    def sides(self) -> Sides | None:
        """The two sides, where there are two."""

    @abstractmethod
    def in_words(self) -> str:
        """What stands in the place of the two sides where there are none."""

    @abstractmethod
    def lets_through(self, wanted: FeedFilter) -> bool:
        """Whether the feed's filter shows it."""

    def source(self, root: Path) -> tuple[Path, int] | None:
        """The line of a file that it is about."""
        return None


def holds_words(text: str, wanted: str) -> bool:
    """Whether every word of a filter is in a text."""
    told = text.casefold()
    return all(word in told for word in wanted.casefold().split())
