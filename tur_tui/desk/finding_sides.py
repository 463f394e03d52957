"""A finding as the panes of the workbench know things: a line in a memory's clothes, a clash in a conflict's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from tur_engine.records import (
    Author,
    AuthorKind,
    Belief,
    Conflict,
    ConflictState,
    ConflictType,
    DetectedBy,
    Memory,
    Scope,
    Status,
    Verb,
)
from tur_engine.rulebook import Report, Side
from tur_engine.text import visible

from .findings import Finding

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_SCAN = Author(kind=AuthorKind.SYSTEM, name="scan")


def belief_of(side: Side, beliefs: Mapping[str, Belief]) -> Belief:
    """A side as the panes show it: the memory itself, or the line in a memory's clothes."""
    if side.memory in beliefs:
        return beliefs[side.memory]
    kind = side.memory.partition("-")[0] or "fact"
    digest = side.memory.rpartition("-")[2] if side.memory else _digest(side)
    memory = Memory(
        digest=digest,
        content=side.text,
        type=kind,
        scope=Scope(),
        declared_scope=Scope(),
        author=_SCAN,
        occurred_at=_AT,
        recorded_at=_AT,
        seq=max(side.line, 1),
    )
    return Belief(memory=memory, status=Status.ACTIVE, approved=side.approved)


def _digest(side: Side) -> str:
    from hashlib import sha256

    return sha256(f"{side.file}\0{side.line}\0{side.text}".encode("utf-8", "surrogatepass")).hexdigest()


def conflict_of(finding: Finding, beliefs: Mapping[str, Belief]) -> Conflict | None:
    """A clash as the panes show a conflict; None where the finding is none."""
    clash = finding.clash
    if clash is None:
        return None
    return Conflict(
        id=f"conflict-{clash.fingerprint}",
        incumbent=belief_of(clash.a, beliefs),
        challenger=belief_of(clash.b, beliefs),
        state=ConflictState.DETECTED,
        revision=1,
        probability=clash.probability,
        conflict_type=ConflictType(clash.conflict_type),
        detected_by=DetectedBy(clash.detected_by),
        evidence=clash.evidence,
        suggested=Verb.SUPERSEDE,
        detected_at=_AT,
        seq=1,
    )


def side_facts(side: Side, report: Report) -> list[tuple[str, str]]:
    """What stands under a line: its place instead of an author, its headings, where it holds, who reads it."""
    if side.memory:
        where = [("store", visible(side.store, newlines=False))] if side.store else []
        return [("memory", side.short_id), *where, *([("status", "invariant, in force")] if side.approved else [])]
    facts = [("line", side.place)]
    if side.subject:
        facts.append(("under", visible(side.subject, newlines=False)))
    file = next((each for each in report.files if each.file == side.file), None)
    if file is not None:
        readers = [name for name in file.agents if side.line < file.cut.get(name, side.line + 1)]
        facts.append(("holds in", ", ".join(file.globs) or file.scope or "all of the repository"))
        facts.append(("read by", ", ".join(readers) or "no agent we know"))
    return [(label, visible(value, newlines=False)) for label, value in facts]
