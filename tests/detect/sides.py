"""Two texts as a pair, and what evidence they give: shared by the tests of the evidence room."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tur_engine.detect.evidence import gather
from tur_engine.detect.pair import Pair
from tur_engine.records import Author, AuthorKind, Confidence, Evidence, Memory, MemoryType, Relation, Scalar, Scope

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def memory(
    content: str,
    seq: int = 1,
    *,
    topic: str | None = None,
    fields: dict[str, Scalar] | None = None,
    relations: tuple[Relation, ...] = (),
    assumptions: tuple[str, ...] = (),
    days: int = 0,
) -> Memory:
    """Return a memory; `days` shifts when it happened."""
    at = NOON + timedelta(days=days)
    return Memory(
        digest=f"{seq:064x}",
        content=content,
        type=MemoryType.FACT,
        scope=Scope(),
        declared_scope=Scope(),
        topic=topic,
        fields=fields or {},
        relations=relations,
        author=Author(kind=AuthorKind.AGENT, name="scribe"),
        occurred_at=at,
        recorded_at=at,
        confidence=Confidence(assumptions=assumptions),
        seq=seq,
    )


def pair(old: str, new: str) -> Pair:
    """Return two plain memories as a pair."""
    return Pair.of(memory(old, 1), memory(new, 2))


def evidence(old: str, new: str, kind: str) -> Evidence | None:
    """Return the evidence of one kind that two texts give, if any."""
    return next((e for e in gather(pair(old, new)) if e.kind == kind), None)


def weight(old: str, new: str, kind: str) -> float:
    """Return the weight of one kind, 0 where it is silent."""
    found = evidence(old, new, kind)
    return found.weight if found else 0.0


def balance(old: str, new: str) -> float:
    """Return all weights added up: above 0 the symbols alone lean towards a clash."""
    return sum(e.weight for e in gather(pair(old, new)))
