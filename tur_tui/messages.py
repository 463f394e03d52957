"""What engine calls in thread workers answer with. A worker touches no widget: it posts one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from textual.message import Message

from tur_engine.records import (
    Belief,
    Conflict,
    Exposure,
    HeldBack,
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
class Unreadable(Message):
    """The open store cannot be read as it is now, a newer version's for instance; it may come back."""

    sentence: str
    """"" once it is readable again."""


@dataclass
class OpensAnew(Message):
    """Whether the store that the path names now can be opened; the problem says why not."""

    problem: str = ""


@dataclass
class CopyRead(Message):
    """What lies at the store's path in place of the open file was read: a copy of the same store, or something else."""

    of_this_store: bool


@dataclass
class NotOpened(Message):
    """The first look at the store came to nothing: there is nothing to show."""

    sentence: str
    exit_code: int


@dataclass
class Glimpsed(Message):
    """The conflict that will be in front, before all the others are read."""

    conflict: Conflict


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
class BatchAsks(Message):
    """One verb for several conflicts: nothing is written until the person agrees."""

    conflicts: tuple[Conflict, ...]
    """Those that it can be given to."""
    verb: Verb
    lines: tuple[str, ...]


@dataclass
class BatchDone(Message):
    """A verb was written for several conflicts. The queue is the one right after the last."""

    verb: Verb
    results: tuple[ResolutionResult, ...]
    along: int
    """How many were settled by then."""
    passed_over: tuple[str, ...]
    """Why some were left as they are."""
    queue: list[Conflict]


@dataclass
class Looked(Message):
    """What the repository says about the two sides of a conflict."""

    conflict_id: str
    incumbent: str
    challenger: str


@dataclass
class Sourced(Message):
    """The line where one side of the conflict comes from, or stands."""

    path: Path
    line: int


@dataclass
class Exported(Message):
    """A conflict or a history was written to a file."""

    path: Path


@dataclass
class HeldBackRead(Message):
    """What waits for a person though no conflict stops it."""

    held: list[HeldBack]
    told: str = ""
    """What was done just before."""
    problem: str = ""
    """Why it was not done."""


@dataclass
class Filed(Message):
    """A proposal was filed, or was not; the sentence says which."""

    sentence: str
    filed: bool


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
    part: str = ""
    """The sentence of the text that the result is about; "" where it is about the whole."""


@dataclass
class Explained(Message):
    """Everything about one conflict or one memory."""

    history: list[HistoryEntry]
    conflict: Conflict | None = None
    previews: Mapping[Verb, Preview] = field(default_factory=dict)
    memory: Belief | None = None
    exposure: Exposure | None = None
    """Who was handed the sides of the conflict."""
