"""Reads the labelled streams and pairs, and makes Memory objects of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tur_engine.records import Author, AuthorKind, Memory, MemoryType, Scope

UNSEEN = ("a3", "b1", "d5", "d6", "d7", "d8", "e1", "e2", "e3", "e4", "f1")
"""Streams that the shipped judge was not shown (its CARD.md). A judge trained further takes some of them away."""

HARD = ("units2", "except2", "roles3", "restated", "quant2", "changes")
"""Files of pairs that were written where the shipped judge errs: it has not seen them, the next one will."""
_CONFLICT = ("conflict", "contradiction")
_AUTHOR = Author(kind=AuthorKind.AGENT, name="corpus")
_AT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """One memory of a stream, with what it was planted against and what it is merely near."""

    memory: Memory
    conflicts: frozenset[int]
    near: dict[int, str]


def memory(content: str, seq: int, kind: str = "fact", scope: str = "incarnation") -> Memory:
    """Return a Memory as the ledger would hold it; axiom and core lines count as facts, as in `calibrate stream`."""
    plain = "fact" if kind in ("axiom", "core") else kind
    where = Scope.parse(scope)
    return Memory(
        digest=hashlib.sha256(f"{seq}\0{content}".encode()).hexdigest(),
        content=content,
        type=MemoryType(plain),
        scope=where,
        declared_scope=where,
        author=_AUTHOR,
        occurred_at=_AT + timedelta(seconds=seq),
        recorded_at=_AT + timedelta(seconds=seq),
        seq=seq,
    )


def read_stream(path: Path) -> list[Line]:
    """Return the lines of one stream in order of seq."""
    lines = []
    for text in path.read_text("utf-8").splitlines():
        row = json.loads(text)
        near = {item["seq"]: item["rel"] for item in row.get("near", [])}
        found = memory(row["content"], row["seq"], row["type"], row.get("scope", "incarnation"))
        lines.append(Line(found, frozenset(row["conflicts_with"]), near))
    return sorted(lines, key=lambda line: line.memory.seq)


@dataclass(frozen=True)
class PairLine:
    """One labelled pair that the judge was not shown."""

    existing: Memory
    new: Memory
    conflict: bool
    kind: str


def read_pair_lines(path: Path) -> list[PairLine]:
    """Return the pairs of a file of `a, b, label, kind`."""
    rows = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    return [PairLine(memory(row["a"], 1), memory(row["b"], 2), row["label"] in _CONFLICT, row["kind"]) for row in rows]
