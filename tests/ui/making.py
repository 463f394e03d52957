"""Records for tests of parts that never open a store."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from tur_engine.records import (
    Author,
    AuthorKind,
    Belief,
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Evidence,
    Memory,
    ResolutionResult,
    Scope,
    Settlement,
    Status,
    Verb,
)

MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
AGENT = Author(kind=AuthorKind.AGENT, name="claude-code")


def belief(text: str, *, status: Status = Status.ACTIVE, seq: int = 1) -> Belief:
    memory = Memory(
        digest=sha256(text.encode()).hexdigest(),
        content=text,
        type="fact",
        scope=Scope(),
        declared_scope=Scope(),
        author=AGENT,
        occurred_at=MOMENT,
        recorded_at=MOMENT,
        seq=seq,
    )
    return Belief(memory=memory, status=status)


def conflict(name: str, *, probability: float = 0.9, waits: bool = False, revision: int = 1) -> Conflict:
    return Conflict(
        id=f"conflict-{sha256(name.encode()).hexdigest()}",
        incumbent=belief(f"{name} is old"),
        challenger=belief(f"{name} is new", status=Status.HELD),
        state=ConflictState.RESOLVING if waits else ConflictState.DETECTED,
        revision=revision,
        probability=probability,
        conflict_type=ConflictType.FACTUAL,
        detected_by=DetectedBy.SEMANTIC,
        evidence=(Evidence(kind="judge", weight=2.0, sentence="old and new are competing values"),),
        suggested=Verb.SUPERSEDE,
        detected_at=MOMENT,
        seq=1,
        chosen=Settlement(verb=Verb.SUPERSEDE, by=AGENT, at=MOMENT, reason="", seq=9) if waits else None,
    )


def result(
    of: Conflict,
    verb: str = "supersede",
    *,
    seq: int = 10,
    waiting: tuple[str, ...] = (),
    reopened: tuple[str, ...] = (),
) -> ResolutionResult:
    return ResolutionResult(verb=verb, conflict=of, seq=seq, waiting=waiting, reopened=reopened)
