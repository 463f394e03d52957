"""What each part is worth: `python -m tools.fit_verdict.ablation [DATA] --bench benchmarks/data`.

Takes one part away at a time, fits the rest anew on the training streams and pairs, and measures on the development
files. Fitting again is fair: a part counts for what the others cannot make up for.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tur_engine.detect.calibration import read_pairs
from tur_engine.detect.features import NEAR, SYMBOLS

from .__main__ import ALONE, FULL, Material, arguments, gather
from .candidates import Shelf
from .corpus import PairLine, memory, read_stream
from .learners import raw_scores
from .score import Outcome, at_rate, curve, key, outcome
from .stages import RATES, Fitted, Recipe, fit, matrix
from .table import Row, Table, pair_tables, stream_table


def bench_tables(bench: Path, material: Material, **probe: int) -> tuple[list[Table], list[Row]]:
    """Return the development streams as tables, and the rows of pairs-dev."""
    streams = [
        stream_table(path.stem, read_stream(path), Shelf(material.embedder), material.judge, **probe)
        for path in sorted((bench / "streams").glob("*.jsonl"))
    ]
    pairs = [
        PairLine(memory(pair.existing, 1), memory(pair.new, 2), pair.conflict, pair.kind)
        for pair in read_pairs(bench / "pairs-dev.jsonl")
    ]
    tables = pair_tables("pairs", pairs, material.embedder, material.judge, folds=1)
    return streams, tables[0].rows


def measured(fitted: Fitted, streams: Sequence[Table], rows: Sequence[Row]) -> str:
    """Return a row's figures: streams at the balanced threshold, pairs at one half."""
    scores: dict[tuple[str, int, int], float] = {}
    for table in streams:
        for row, score in zip(table.rows, _scores(fitted.reading, table.rows), strict=True):
            row.features["reading"] = float(score)
        found = _scores(fitted.stream, table.rows)
        scores |= {key(row): float(score) for row, score in zip(table.rows, found, strict=True)}
    p = fitted.stream["thresholds"]["balanced"]
    threshold = (np.log(p / (1 - p)) - fitted.stream["offset"]) / fitted.stream["slope"]
    said = fitted.paired["slope"] * _scores(fitted.paired, rows) + fitted.paired["offset"]
    return _told(outcome(streams, scores, threshold), said >= 0, rows)


def judge_alone(train: Sequence[Table], streams: Sequence[Table], rows: Sequence[Row]) -> str:
    """Return the figures of the judge's mean log-odds with one threshold, read off the training streams."""
    seen = {key(row): row.features["judge_mean"] for table in train for row in table.rows}
    threshold, _ = at_rate(curve(train, seen), RATES["balanced"])
    scores = {key(row): row.features["judge_mean"] for table in streams for row in table.rows}
    said = np.array([row.features["judge_mean"] for row in rows])
    return _told(outcome(streams, scores, threshold), said >= 0, rows)


def _scores(model: dict[str, Any], rows: Sequence[Row]) -> np.ndarray:
    return raw_scores(model, matrix(rows, model["names"]))


def _told(found: Outcome, called: np.ndarray, rows: Sequence[Row]) -> str:
    so = np.array([row.planted for row in rows])
    hits, false = int((called & so).sum()), int((called & ~so).sum())
    f1 = 2 * hits / (int(called.sum()) + int(so.sum()))
    return f"{found.recalled} of {found.planted} | {found.per_100:.1f} | {f1:.3f} | {false / int((~so).sum()):.3f}"


def without(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """Return the recipe without some features."""
    return replace(
        recipe,
        reading=tuple(name for name in recipe.reading if name not in names),
        stream=tuple(name for name in recipe.stream if name not in names),
    )


def main() -> None:
    parser: argparse.ArgumentParser = arguments("fit_verdict.ablation", __doc__)
    parser.add_argument("--bench", type=Path, default=Path("benchmarks/data"))
    options = parser.parse_args()
    print(
        "| taken away | streams: found | false per 100 | pairs-dev: F1 | false-positive rate |\n|---|---|---|---|---|"
    )
    for name, probe in (
        ("nothing", {}),
        ("words in the probe", {"lexical": 0}),
        ("vectors in the probe", {"closest": 0, "lexical": 11}),
    ):
        material = gather(options, **probe)
        streams, rows = bench_tables(options.bench, material, **probe)
        train = material.judged + material.pairs
        print(f"| {name} | {measured(fit(train, FULL), streams, rows)} |", flush=True)
        if probe:
            continue
        for part, recipe in (
            ("evidence and guards", without(FULL, SYMBOLS)),
            ("the judge", ALONE),
            ("nearness in the verdict", without(FULL, NEAR)),
        ):
            print(f"| {part} | {measured(fit(train, recipe), streams, rows)} |", flush=True)
        print(f"| the verdict (the judge's own odds, one threshold) | {judge_alone(material.judged, streams, rows)} |")


if __name__ == "__main__":
    main()
