"""The nouns: frozen pydantic models, one noun a file.

A noun's file is loaded when it is asked for: eighty models take a tenth of a cold start, and a command needs a third.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .author import Author, AuthorKind
    from .batch import BatchReport, Refusal, Replacing
    from .comparison import FieldClash
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
    from .context import ContextItem, WorkingContext
    from .difference import Change, Difference
    from .effect import Effect, Preview
    from .event import Event, EventKind, FeedFilter, HistoryEntry
    from .evidence import Evidence, Span
    from .exposure import Exposure, Reader, Served
    from .governance import (
        ApprovalResult,
        KeyFile,
        Objection,
        Proposal,
        ProposalKind,
        ProposalState,
        Quorum,
        Review,
        ReviewerKey,
        Signature,
        SignedEntry,
    )
    from .graph import CommittedNode, ExtractedEdge, ExtractedGraph, ExtractedNode, GraphReport, PersonaFile
    from .guard import GuardNote, GuardOutcome, GuardReport, GuardWarning
    from .head import Merkle
    from .health import AgentRate, Band, Calibration, Disk, Health, Pace
    from .introspection import FoundPair, Introspection
    from .learning import ConflictReport, LearnResult, OnConflict, Outcome, SettledBefore
    from .memory import Belief, Confidence, Draft, Memory, MemoryType, Relation, Scalar, Status
    from .neighbourhood import Edge, Neighbourhood
    from .proof import Consistency, Proof
    from .recall import HeldBack, NoteResult, RecalledMemory
    from .remembering import Descent, LifeStep, Lineage, Remembered
    from .resolution import ResolutionResult, SessionStep, SessionUndo
    from .scope import Level, Scope
    from .status import StoreStatus, VerifyReport
    from .support import Component, Defeat, Doubted, Fall, Grounded, Justification, Path, Support

__all__ = [
    "AgentRate",
    "ApprovalResult",
    "Author",
    "AuthorKind",
    "Band",
    "BatchReport",
    "Belief",
    "Calibration",
    "Change",
    "CommittedNode",
    "Component",
    "Confidence",
    "Conflict",
    "ConflictReport",
    "ConflictState",
    "ConflictType",
    "Consistency",
    "ContextItem",
    "Defeat",
    "Descent",
    "DetectedBy",
    "Difference",
    "Disk",
    "Doubted",
    "Draft",
    "Edge",
    "Effect",
    "Event",
    "EventKind",
    "Evidence",
    "Exposure",
    "ExtractedEdge",
    "ExtractedGraph",
    "ExtractedNode",
    "Fall",
    "FeedFilter",
    "FieldClash",
    "FoundPair",
    "GraphReport",
    "Grounded",
    "GuardNote",
    "GuardOutcome",
    "GuardReport",
    "GuardWarning",
    "Health",
    "HeldBack",
    "HistoryEntry",
    "Introspection",
    "Justification",
    "KeyFile",
    "LearnResult",
    "Level",
    "LifeStep",
    "Lineage",
    "Memory",
    "MemoryType",
    "Merkle",
    "Neighbourhood",
    "NoteResult",
    "Objection",
    "OnConflict",
    "Outcome",
    "Pace",
    "Path",
    "PersonaFile",
    "Preview",
    "Proof",
    "Proposal",
    "ProposalKind",
    "ProposalState",
    "Quorum",
    "Reader",
    "RecalledMemory",
    "Refusal",
    "Relation",
    "Relationship",
    "Remembered",
    "Replacing",
    "ResolutionResult",
    "Review",
    "ReviewerKey",
    "Scalar",
    "Scope",
    "Served",
    "SessionStep",
    "SessionUndo",
    "SettledBefore",
    "Settlement",
    "Signature",
    "SignedEntry",
    "Span",
    "Status",
    "StoreStatus",
    "Support",
    "Verb",
    "Verdict",
    "VerifyReport",
    "WorkingContext",
]
_ROOMS = {
    "author": "Author AuthorKind",
    "comparison": "FieldClash",
    "conflict": "Conflict ConflictState ConflictType DetectedBy Relationship Settlement Verb Verdict",
    "context": "ContextItem WorkingContext",
    "difference": "Change Difference",
    "event": "Event EventKind FeedFilter HistoryEntry",
    "evidence": "Evidence Span",
    "exposure": "Exposure Reader Served",
    "governance": (
        "ApprovalResult KeyFile Objection Proposal ProposalKind ProposalState Quorum Review ReviewerKey "
        "Signature SignedEntry"
    ),
    "graph": "CommittedNode ExtractedEdge ExtractedGraph ExtractedNode GraphReport PersonaFile",
    "guard": "GuardNote GuardOutcome GuardReport GuardWarning",
    "health": "AgentRate Band Calibration Disk Health Pace",
    "introspection": "FoundPair Introspection",
    "memory": "Belief Confidence Draft Memory MemoryType Relation Scalar Status",
    "proof": "Consistency Proof",
    "remembering": "Descent LifeStep Lineage Remembered",
    "batch": "BatchReport Refusal Replacing",
    "effect": "Effect Preview",
    "head": "Merkle",
    "learning": "ConflictReport LearnResult OnConflict Outcome SettledBefore",
    "neighbourhood": "Edge Neighbourhood",
    "recall": "HeldBack NoteResult RecalledMemory",
    "resolution": "ResolutionResult SessionStep SessionUndo",
    "status": "StoreStatus VerifyReport",
    "scope": "Level Scope",
    "support": "Component Defeat Doubted Fall Grounded Justification Path Support",
}
__getattr__ = lazily(__name__, _ROOMS)
