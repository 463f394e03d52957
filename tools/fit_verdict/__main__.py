"""Fits `detect/coefficients.json`: `python -m tools.fit_verdict [DATA] [--cache DIR] [--check BENCH]`.

DATA is the folder with `streams/*.jsonl`, by default that of `tools/train_judge`. The set with the judge is fitted on
the streams that the judge was not shown, the set of words and symbols on all of them; both on `data/pairs.jsonl` too.
`--check` prints the figures on the development files; nothing is fitted on those.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import tur_engine.detect.verdict as verdict
from tur_engine.detect.features import READING, READING_ALONE, STREAM

from .cache import CachedEmbedder, CachedJudge
from .candidates import Shelf
from .corpus import UNSEEN, read_pair_lines, read_stream
from .stages import Fitted, Recipe, fit, left_out
from .table import Table, pair_tables, stream_table

FULL = Recipe(reading=READING, stream=STREAM)
ALONE = Recipe(reading=READING_ALONE, stream=STREAM)
HERE = Path(__file__).resolve().parent
PAIRS = HERE / "data" / "pairs.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(prog="fit_verdict", description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=HERE.parent / "train_judge" / "data")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "fit-verdict")
    parser.add_argument("--check", type=Path, help="folder with streams/ and pairs-*.jsonl: figures only")
    parser.add_argument("--streams", default=",".join(UNSEEN), help="streams that the judge was not shown")
    parser.add_argument("--out", type=Path, default=Path(verdict.__file__).with_name("coefficients.json"))
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    embedder, judge = CachedEmbedder(options.cache / "vectors.db"), CachedJudge(options.cache / "logits.db")
    unseen = options.streams.split(",")
    tables: list[Table] = []
    for path in sorted((options.data / "streams").glob("*.jsonl")):
        reader = judge if path.stem in unseen else None
        tables.append(stream_table(path.stem, read_stream(path), Shelf(embedder), reader))
    judged = [table for table in tables if table.stream in unseen]
    pairs = pair_tables(read_pair_lines(PAIRS), embedder, judge)
    alone = fit(tables + pairs, ALONE)
    full = fit(judged + pairs, FULL)
    _tell("alone", alone, tables)
    _tell("full", full, judged)
    found = {
        "about": "Fitted by tools/fit_verdict; do not edit by hand.",
        "fitted_on": {"full": [t.stream for t in judged], "alone": [t.stream for t in tables]},
        "full": {"reading": full.reading, "stream": full.stream},
        "alone": {"reading": alone.reading, "stream": alone.stream},
    }
    options.out.write_text(json.dumps(found, separators=(",", ":")) + "\n", "utf-8")
    if options.check:
        from .check import check

        check(options.check, embedder, judge)


def _tell(name: str, fitted: Fitted, tables: list[Table]) -> None:
    for threshold, found in left_out(fitted, tables).items():
        print(
            f"{name:6} {threshold:10} left-out streams: {found.recalled} of {found.planted} "
            f"at {found.per_100:.1f} per 100, probability {fitted.stream['thresholds'][threshold]}"
        )


if __name__ == "__main__":
    main()
