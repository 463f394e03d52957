"""What engine calls in thread workers answer with. A worker touches no widget: it posts one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from textual.message import Message

from tur_engine.records import (
    Belief,
    Conflict,
    HistoryEntry,
    LearnResult,
    Neighbourhood,
    Preview,
    ResolutionResult,
    StoreStatus,
    Verb,
)


@dataclass
class Failed(Message):
    """An engine call came to nothing; the sentence says why and what to do."""

    sentence: str


@dataclass
class Damaged(Message):
    """The store does not verify; the sentence says what is wrong and what to do."""

    sentence: str


@dataclass
class NotOpened(Message):
    """The first look at the store came to nothing: there is nothing to show."""

    sentence: str
    exit_code: int


@dataclass
class Opened(Message):
    """The first look at the store."""

    queue: list[Conflict]
    status: StoreStatus
    feed: list[int]
    head: int


@dataclass
class QueueLoaded(Message):
    """The open conflicts as they stand now."""

    queue: list[Conflict]


@dataclass
class FeedLoaded(Message):
    """Which entries the feed holds under this filter, newest first."""

    typed: str
    seqs: list[int]


@dataclass
class Arrived(Message):
    """New events in the ledger, oldest first."""

    entries: list[HistoryEntry]


@dataclass
class Studied(Message):
    """What there is to know about the conflict in front: the verbs' effects and the surroundings."""

    conflict_id: str
    previews: Mapping[Verb, Preview]
    neighbourhood: Neighbourhood


@dataclass
class Surveyed(Message):
    """The neighbourhood around other memories, or with another radius."""

    neighbourhood: Neighbourhood


@dataclass
class Decided(Message):
    """A verb was written. The queue is the one right after it."""

    result: ResolutionResult
    queue: list[Conflict]


@dataclass
class Undone(Message):
    """An undo was written. The queue is the one right after it."""

    result: ResolutionResult
    queue: list[Conflict]


@dataclass
class AsksFirst(Message):
    """The verb reaches further than one dependant: nothing is written until the person agrees."""

    conflict: Conflict
    preview: Preview


@dataclass
class NotDone(Message):
    """A verb or undo was refused; nothing was written."""

    sentence: str
    queue: list[Conflict] | None = None
    """The queue as it stands, where the refusal says that it moved."""


@dataclass
class Rechecked(Message):
    """What a merged text would still contradict."""

    text: str
    result: LearnResult | None
    problem: str = ""
    """Why the text cannot be stored at all."""
    held: bool = False
    """Another memory that waits at the gate says the same: the gate refuses the text."""


@dataclass
class Explained(Message):
    """Everything about one conflict or one memory."""

    history: list[HistoryEntry]
    conflict: Conflict | None = None
    previews: Mapping[Verb, Preview] = field(default_factory=dict)
    memory: Belief | None = None
