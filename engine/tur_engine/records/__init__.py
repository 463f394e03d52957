"""The nouns: frozen pydantic models, one noun a file."""

from __future__ import annotations

from .author import Author, AuthorKind
from .conflict import (
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Relationship,
    Settlement,
    Verb,
    Verdict,
)
from .event import Event, EventKind, FeedFilter, HistoryEntry
from .evidence import Evidence, Span
from .memory import Belief, Confidence, Draft, Memory, MemoryType, Relation, Scalar, Status
from .resolution import (
    BatchReport,
    ConflictReport,
    Edge,
    Effect,
    LearnResult,
    Merkle,
    Neighbourhood,
    NoteResult,
    OnConflict,
    Outcome,
    Preview,
    RecalledMemory,
    Refusal,
    ResolutionResult,
    SettledBefore,
    StoreStatus,
    VerifyReport,
)
from .scope import Level, Scope

__all__ = [
    "Author",
    "AuthorKind",
    "BatchReport",
    "Belief",
    "Confidence",
    "Conflict",
    "ConflictReport",
    "ConflictState",
    "ConflictType",
    "DetectedBy",
    "Draft",
    "Edge",
    "Effect",
    "Event",
    "EventKind",
    "Evidence",
    "FeedFilter",
    "HistoryEntry",
    "LearnResult",
    "Level",
    "Memory",
    "MemoryType",
    "Merkle",
    "Neighbourhood",
    "NoteResult",
    "OnConflict",
    "Outcome",
    "Preview",
    "RecalledMemory",
    "Refusal",
    "Relation",
    "Relationship",
    "ResolutionResult",
    "Scalar",
    "Scope",
    "SettledBefore",
    "Settlement",
    "Span",
    "Status",
    "StoreStatus",
    "Verb",
    "Verdict",
    "VerifyReport",
]
