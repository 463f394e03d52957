"""Fits `detect/coefficients.json`: `python -m tools.fit_verdict [DATA] [--cache DIR] [--check BENCH]`.

DATA is the folder with `streams/*.jsonl`, by default that of `tools/train_judge`. The set with the judge is fitted on
the streams that the judge was not shown, the set of words and symbols on all of them; both on pairs too.
`--check` prints the figures on the development files; nothing is fitted on those.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tur_engine.detect.verdict as verdict
from tur_engine.detect.features import READING, READING_ALONE, STREAM

from .cache import CachedEmbedder, CachedJudge
from .candidates import Shelf
from .corpus import HARD, UNSEEN, read_pair_lines, read_stream
from .stages import Fitted, Recipe, fit, left_out
from .table import Table, pair_tables, stream_table

FULL = Recipe(reading=READING, stream=STREAM)
ALONE = Recipe(reading=READING_ALONE, stream=STREAM)
HERE = Path(__file__).resolve().parent
PAIRS = HERE / "data" / "pairs.jsonl"


@dataclass
class Material:
    """What the fits see: tables of all streams, of those that the judge was not shown, and of pairs."""

    embedder: CachedEmbedder
    judge: CachedJudge
    streams: list[Table]
    judged: list[Table]
    pairs: list[Table]


def arguments(prog: str, about: str | None) -> argparse.ArgumentParser:
    """Return the options that every fit has."""
    parser = argparse.ArgumentParser(prog=prog, description=about)
    parser.add_argument("data", type=Path, nargs="?", default=HERE.parent / "train_judge" / "data")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fit-verdict")
    parser.add_argument("--streams", default=",".join(UNSEEN), help="streams that the judge was not shown")
    parser.add_argument("--hard", default=",".join(HARD), help="files of pairs that the judge was not shown")
    return parser


def gather(options: argparse.Namespace, **probe: int) -> Material:
    """Read the corpus and ask the models, from the cache where they answered before. `probe`: as `Shelf.near`."""
    options.cache.mkdir(parents=True, exist_ok=True)
    embedder, judge = CachedEmbedder(options.cache / "vectors.db"), CachedJudge(options.cache / "logits.db")
    unseen = options.streams.split(",")
    tables: list[Table] = []
    for path in sorted((options.data / "streams").glob("*.jsonl")):
        reader = judge if path.stem in unseen else None
        tables.append(stream_table(path.stem, read_stream(path), Shelf(embedder), reader, **probe))
    files = [options.data / "pairs" / f"{name}.jsonl" for name in options.hard.split(",") if name]
    pairs = pair_tables("pairs", read_pair_lines(PAIRS), embedder, judge)
    pairs += pair_tables("hard", [line for file in files for line in read_pair_lines(file)], embedder, judge)
    return Material(embedder, judge, tables, [table for table in tables if table.stream in unseen], pairs)


def main() -> None:
    parser = arguments("fit_verdict", __doc__)
    parser.add_argument("--check", type=Path, help="folder with streams/ and pairs-*.jsonl: figures only")
    parser.add_argument("--out", type=Path, default=Path(verdict.__file__).with_name("coefficients.json"))
    options = parser.parse_args()
    material = gather(options)
    tables, judged, pairs = material.streams, material.judged, material.pairs
    alone = fit(tables + pairs, ALONE)
    full = fit(judged + pairs, FULL)
    _tell("alone", alone, tables)
    _tell("full", full, judged)
    found: dict[str, Any] = {
        "about": "Fitted by tools/fit_verdict; do not edit by hand.",
        "fitted_on": {"full": [t.stream for t in judged], "alone": [t.stream for t in tables]},
        "full": full.models(),
        "alone": alone.models(),
    }
    if options.out.exists():  # `skimming` fits it
        before = json.loads(options.out.read_text("utf-8"))
        if "skimmed" in before:
            found["skimmed"] = before["skimmed"]
            found["fitted_on"]["skimmed"] = before["fitted_on"]["skimmed"]
    options.out.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
    if options.check:
        from .check import check

        verdict._FILE = options.out  # what was just fitted is what is checked, wherever it went
        verdict.scales.cache_clear()
        check(options.check, material.embedder, material.judge)


def _tell(name: str, fitted: Fitted, tables: list[Table]) -> None:
    for threshold, found in left_out(fitted, tables).items():
        print(
            f"{name:6} {threshold:10} left-out streams: {found.recalled} of {found.planted} "
            f"at {found.per_100:.1f} per 100, probability {fitted.stream['thresholds'][threshold]}"
        )


if __name__ == "__main__":
    main()
