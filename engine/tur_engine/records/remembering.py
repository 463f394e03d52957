"""What the history screen reads: what is believed, row by row; one memory's life; its lineage."""

from __future__ import annotations

from typing import NamedTuple

from .base import Record
from .event import HistoryEntry
from .memory import Belief, MemoryType, Status
from .neighbourhood import Edge
from .scope import Scope


class Remembered(NamedTuple):
    """One memory at one moment, without its text: cheap enough to list a hundred thousand."""

    seq: int
    """The event that brought it in; `Engine.beliefs` reads the whole of it."""
    type: MemoryType
    scope: Scope
    status: Status
    approved: bool
    contested: bool


class LifeStep(Record):
    """An event in the life of one memory, and where the memory stood before and after it."""

    entry: HistoryEntry
    before: Status | None
    """None before it came in."""
    after: Status
    approved_before: bool = False
    approved: bool = False
    """True while it is an invariant in force."""


class Descent(Record):
    """One memory gave way to another."""

    older: str
    newer: str
    """Digests: the one that gave way, the one that holds in its place."""
    how: str
    """`superseded`, `merged` or `refuted`."""
    edge: Edge
    """Who decided, when and why."""


class Lineage(Record):
    """What a memory took the place of, and what took its place, all the way in both directions."""

    focus: str
    """Digest of the memory that was asked about."""
    memories: tuple[Belief, ...]
    descents: tuple[Descent, ...]
    more: bool = False
    """True where it goes on beyond what was read."""
