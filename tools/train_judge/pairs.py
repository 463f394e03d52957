"""The labelled pairs and streams of `data/`, as (existing, new, label) with the label in the order of the logits."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
LABELS = ("entailment", "neutral", "contradiction")
"""In the order of the judge's logits: same or follows, compatible, contradicts."""
SAME, COMPATIBLE, CONTRADICTS = range(3)
UNKNOWN = -1
"""No label: only what a teacher says of the pair is to be learnt."""


@dataclass(frozen=True)
class Example:
    """One labelled pair; `group` holds together what must stay on one side of a split."""

    existing: str
    new: str
    label: int
    kind: str
    group: str


def read_pairs(paths: Iterable[Path]) -> Iterator[Example]:
    """Yield the pairs of JSONL files of `a, b, label, kind`; they are grouped by their first text."""
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            row = json.loads(line)
            if row["label"] not in LABELS:
                raise SystemExit(f"{path}:{number}: label is {row['label']!r}; write one of {', '.join(LABELS)}")
            yield Example(row["a"], row["b"], LABELS.index(row["label"]), row["kind"], row["a"])


def write_mix(path: Path, examples: Sequence[Example]) -> None:
    """Write what `train`, `quantise` and `distil` read."""
    rows = [[example.existing, example.new, example.label] for example in examples]
    path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")


def read_mix(path: Path) -> list[tuple[str, str, int]]:
    """Return what `write_mix` wrote."""
    return [(existing, new, label) for existing, new, label in json.loads(path.read_text("utf-8"))]


def share_of_contradiction(logits: Sequence[float]) -> float:
    """Return the softmax of three logits at `contradicts`."""
    top = max(logits)
    powers = [math.exp(value - top) for value in logits]
    return powers[CONTRADICTS] / sum(powers)
