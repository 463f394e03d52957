"""How good the detector is on labelled pairs and streams, in the figures that `tur calibrate` prints (CONTRACTS 4)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput
from ..probe.candidate import Candidate
from ..probe.embedder import Embedder, quantise, restore
from ..records import Author, AuthorKind, Memory, MemoryType, Relationship, Scope, Verdict
from ..text import accept
from .detector import Detector

BINS = 10
_CONFLICT = {"conflict", "contradiction", "1", "true"}
_COMPATIBLE = {"compatible", "neutral", "entailment", "0", "false"}
_SAME = {"duplicate", "refines", "entailment"}
"""Relations and labels that alone may be called a duplicate."""
_AUTHOR = Author(kind=AuthorKind.SYSTEM, name="calibrate")
_AT = datetime(2026, 1, 1, tzinfo=UTC)


class LabelledPair(NamedTuple):
    """One line of a file of pairs."""

    existing: str
    new: str
    conflict: bool
    same: bool
    """True where calling the two duplicates loses nothing."""
    kind: str
    line: int


def read_pairs(path: Path) -> list[LabelledPair]:
    """Read JSON lines of `existing, new` or `a, b`, a label, optionally `kind` and `relation`.

    Raises BadInput naming file and line for what cannot be read.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}; give a file of JSON lines") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read as UTF-8 text ({error}); give a file of JSON lines") from None
    pairs = [
        _pair(line, number, f"{path.name}, line {number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    if not pairs:
        raise BadInput(f"{path} holds no pairs; each line is a JSON object with existing, new and label")
    return pairs


def _pair(line: str, number: int, where: str) -> LabelledPair:
    try:
        row = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise BadInput(f"{where}: not valid JSON; each line is one object with existing, new and label") from None
    if not isinstance(row, dict):
        raise BadInput(f"{where}: {type(row).__name__} instead of an object with existing, new and label")
    existing, new = ("existing", "new") if "existing" in row or "new" in row else ("a", "b")
    for name in (existing, new, "label"):
        if name not in row:
            raise BadInput(f"{where}: {name!r} is missing; give existing and new (or a and b) and label")
    label = str(row["label"]).strip().lower()
    if label not in _CONFLICT | _COMPATIBLE or isinstance(row["label"], float):
        raise BadInput(
            f"{where}: unknown label {row['label']!r}; use conflict or compatible, contradiction, neutral or "
            "entailment, 1 or 0"
        )
    try:
        first, second = accept(row[existing], existing), accept(row[new], new)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    relation = row.get("relation")
    # A file that names no relation and no entailment cannot say which compatible pairs are the same.
    named = relation if isinstance(relation, str) else label if label in ("neutral", "entailment") else None
    compatible = label in _COMPATIBLE
    return LabelledPair(
        existing=first,
        new=second,
        conflict=not compatible,
        same=compatible and (named is None or named in _SAME),
        kind=str(row.get("kind", "")),
        line=number,
    )


def memory_of(text: str, seq: int) -> Memory:
    """Return a memory for a text that has no ledger: a fact of today."""
    return Memory(
        digest=hashlib.sha256(f"{seq}\0{text}".encode()).hexdigest(),
        content=text,
        type=MemoryType.FACT,
        scope=Scope(),
        declared_scope=Scope(),
        author=_AUTHOR,
        occurred_at=_AT + timedelta(seconds=seq),
        recorded_at=_AT + timedelta(seconds=seq),
        seq=seq,
    )


def weigh_pairs(pairs: Sequence[LabelledPair], detector: Detector, embedder: Embedder) -> list[Verdict]:
    """Return the detector's verdict on each pair, the existing side as its only candidate."""
    verdicts = []
    for pair in pairs:
        vectors = restore(quantise(embedder.embed([pair.existing, pair.new])))
        candidate = Candidate(
            memory=memory_of(pair.existing, 1), cosine=float(vectors[0] @ vectors[1]), rank=0, words=0.0
        )
        verdicts += detector.weigh(memory_of(pair.new, 2), [candidate], paired=True)
    return verdicts


def score_pairs(pairs: Sequence[LabelledPair], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return the figures of `tur calibrate pairs`."""
    clash = [verdict.relationship is Relationship.CLASH for verdict in verdicts]
    right = sum(hit and pair.conflict for hit, pair in zip(clash, pairs, strict=True))
    conflicts = sum(pair.conflict for pair in pairs)
    called = sum(clash)
    by_kind: dict[str, dict[str, int]] = {}
    for hit, pair in zip(clash, pairs, strict=True):
        kind = by_kind.setdefault(pair.kind or "unnamed", {"n": 0, "conflicts": 0, "found": 0, "false": 0})
        kind["n"] += 1
        kind["conflicts"] += pair.conflict
        kind["found"] += hit and pair.conflict
        kind["false"] += hit and not pair.conflict
    return {
        "n": len(pairs),
        "precision": _share(right, called),
        "recall": _share(right, conflicts),
        "f1": _share(2 * right, called + conflicts),
        "false_positive_rate": _share(called - right, len(pairs) - conflicts),
        "expected_calibration_error": expected_calibration_error(
            [verdict.probability for verdict in verdicts], [pair.conflict for pair in pairs]
        ),
        "false_duplicates": sum(
            verdict.relationship is Relationship.DUPLICATE and not pair.same
            for verdict, pair in zip(verdicts, pairs, strict=True)
        ),
        "by_kind": dict(sorted(by_kind.items())),
    }


def expected_calibration_error(probabilities: Sequence[float], outcomes: Sequence[bool]) -> float:
    """Return the mean gap between what was said and what was so, over ten equal bins of probability."""
    said, so, count = [0.0] * BINS, [0] * BINS, [0] * BINS
    for probability, outcome in zip(probabilities, outcomes, strict=True):
        at = min(BINS - 1, int(probability * BINS))
        said[at] += probability
        so[at] += outcome
        count[at] += 1
    gaps = sum(abs(s - o) for s, o in zip(said, so, strict=True))
    return round(gaps / sum(count), 4) if sum(count) else 0.0


def score_stream(
    *,
    memories: int,
    planted: Mapping[int, Collection[int]],
    flagged: Mapping[int, Collection[int]],
    wrong_duplicates: Iterable[int] = (),
    latencies_ms: Sequence[float] = (),
    doubts: Mapping[int, float] | None = None,
) -> dict[str, Any]:
    """Return the figures of `tur calibrate stream`.

    `planted`: newcomer's seq -> earlier seqs that it contradicts. `flagged`: newcomer's seq -> earlier seqs that were
    reported as clashes; an empty collection is no interruption. `wrong_duplicates`: seqs folded away though they said
    something new. A planted line counts as recalled where a flagged seq is among those that it contradicts; an
    interruption is false on a line that contradicts nothing. `doubts`: newcomer's seq -> the highest probability
    weighed; calibration is measured on them, against whether the line contradicts anything.
    """
    truly = {seq: set(earlier) for seq, earlier in planted.items() if earlier}
    raised = {seq: set(earlier) for seq, earlier in flagged.items() if earlier}
    recalled = sum(bool(raised.get(seq, set()) & earlier) for seq, earlier in truly.items())
    false = sum(seq not in truly for seq in raised)
    clean = memories - len(truly)
    return {
        "memories": memories,
        "planted": len(truly),
        "recalled": recalled,
        "recall": _share(recalled, len(truly)),
        "false_interruptions": false,
        "false_interruptions_per_100": round(100 * false / clean, 2) if clean else 0.0,
        "false_duplicates": len(set(wrong_duplicates)),
        "expected_calibration_error": expected_calibration_error(
            list((doubts or {}).values()), [seq in truly for seq in doubts or {}]
        ),
        "latency_ms": {"p50": _percentile(latencies_ms, 0.5), "p95": _percentile(latencies_ms, 0.95)},
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _percentile(values: Sequence[float], at: float) -> float:
    """Return the nearest-rank percentile, 0 where there is nothing."""
    if not values:
        return 0.0
    ranked = sorted(values)
    return round(ranked[min(len(ranked) - 1, max(0, -(-int(at * 100) * len(ranked) // 100) - 1))], 2)
