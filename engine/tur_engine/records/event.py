"""The event: the only thing that is ever appended (ARCHITECTURE, decisions)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from .author import Author
from .base import Record
from .memory import MemoryType


class EventKind(StrEnum):
    """What happened. The word is what people read in feed and history."""

    FOUNDED = "founded"
    LEARNED = "learned"
    HELD = "held"
    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    NOTED = "noted"
    REJECTED = "rejected"
    CHOSEN = "chosen"
    RESOLVED = "resolved"
    UNDONE = "undone"
    REAFFIRMED = "reaffirmed"
    ESCALATED = "escalated"
    DETECTED = "detected"
    """A pass over the whole store opened a conflict, or drew an edge."""
    SIGNED = "signed"
    """A reviewer signed a proposal; the quorum is not complete yet."""
    APPROVED = "approved"
    DECLINED = "declined"
    """A proposal was rejected by a reviewer."""
    RETRACTED = "retracted"
    REDACTED = "redacted"
    ENROLLED = "enrolled"
    REVOKED = "revoked"
    POLICY = "policy"
    QUARANTINED = "quarantined"
    RELEASED = "released"
    RESTORED = "restored"
    MAPPED = "mapped"
    """A graph was committed or imported: its edges, after the events of its nodes."""
    PERSONA = "persona"
    """A reviewer approved a persona file as it is; its flags have force."""
    RELABELLED = "relabelled"
    """Custom edge types gained force or lost it: suspect marks were brought in line."""


class Event(Record):
    """One line of the ledger. `data` is the decoded canonical JSON; texts stand in it as body hashes."""

    seq: int
    at: datetime
    actor: Author
    kind: EventKind
    data: dict[str, Any]
    previous: str
    hash: str


class HistoryEntry(Record):
    """An event told to people: bodies filled in, ids kept (CONTRACTS 4, `history`)."""

    seq: int
    at: datetime
    actor: Author
    kind: EventKind
    subject: str
    """Id of the memory or conflict it is about; empty for store events."""
    reason: str = ""
    summary: str
    conflict_id: str | None = None
    memory_ids: tuple[str, ...] = ()


class FeedFilter(Record):
    """What the feed shows; every condition must hold, an empty one always does."""

    text: str = ""
    kinds: frozenset[EventKind] = frozenset()
    agent: str = ""
    """Part of the actor's name."""
    type: MemoryType | None = None
    scope: str = ""
    """Part of the scope of a memory it is about."""
    open_conflicts: bool = False
