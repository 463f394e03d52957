"""Fits what the skimmer may say: `python -m tools.fit_verdict.skimming [DATA]`.

Its set of coefficients, `skimmed`, is fitted on the streams and pairs that it was not taught on and written into
`detect/coefficients.json`; the others stay as they are. Then the same streams are played at the balanced threshold,
the skimmer's probabilities out of fold: it reads the pairs that symbols alone give a bound, the judge those that then
keep another. Prints what is found, at how many false interruptions per 100 clean learns, and how many pairs each reads
a learn.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import tur_engine.detect.verdict as verdict
from tools.train_judge.wide import FITTED
from tur_engine.detect.features import Opinion, judge_features

from .__main__ import FULL, PAIRS, arguments
from .cache import CachedEmbedder, CachedJudge
from .candidates import Shelf
from .corpus import read_pair_lines, read_stream
from .score import key, outcome
from .stages import Fitted, Scores, fit
from .table import Table, pair_tables, stream_table
from .thrift import probabilities, read, thrifty

LOOKS = (0.003, 0.01, 0.015)
BOUNDS = (0.0, 0.003, 0.006, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12)


def fitted(options: argparse.Namespace) -> tuple[Fitted, list[Table]]:
    """Return the fitted set and the tables of the streams."""
    embedder = CachedEmbedder(options.cache / "vectors.db")
    skimmer = CachedJudge(options.cache / "logits.db", "skimmer", words="embedder")
    streams = [
        stream_table(name, read_stream(options.data / "streams" / f"{name}.jsonl"), Shelf(embedder), skimmer)
        for name in FITTED
    ]
    return fit(streams + pair_tables("pairs", read_pair_lines(PAIRS), embedder, skimmer), FULL), streams


def write(found: Fitted) -> None:
    """Put the set beside the others."""
    file = Path(verdict.__file__).with_name("coefficients.json")
    data = json.loads(file.read_text("utf-8"))
    data["fitted_on"]["skimmed"] = list(FITTED)
    data["skimmed"] = found.models()
    file.write_text(json.dumps(data, separators=(",", ":")) + "\n", "utf-8")


def judged(tables: Sequence[Table], keys: set[tuple[str, int, int]], judge: CachedJudge) -> Scores:
    """Return the probabilities with the judge, as shipped, of the pairs that he is to read; nothing for the others."""
    full, found = verdict.scales()["full"], Scores()
    for row in (row for table in tables for row in table.rows):
        found[key(row)] = 0.0
        if key(row) in keys:
            a, b = row.pair.incumbent.content, row.pair.challenger.content
            read_by_judge = judge_features(Opinion.of([judge.read(a, b), judge.read(b, a)]))
            found[key(row)] = full.probability(row.features | read_by_judge)
    return found


def main() -> None:
    options = arguments("fit_verdict.skimming", __doc__).parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    by_skimmer, tables = fitted(options)
    write(by_skimmer)
    doubt = probabilities(by_skimmer)
    symbols = verdict.scales()["alone"]
    alone = {key(row): symbols.probability(row.features) for table in tables for row in table.rows}
    by_judge = judged(tables, read(tables, alone, min(LOOKS)), CachedJudge(options.cache / "logits.db"))
    flags = {name: verdict.scales()[name].thresholds()["balanced"] for name in ("alone", "full")}
    learns = sum(table.memories for table in tables)
    print("| read from | judged from | found | false per 100 | skimmed | judged |\n|---|---|---|---|---|---|")
    for look in LOOKS:
        chosen = read(tables, alone, look)
        for bound in BOUNDS:
            left = {k for k in chosen if doubt[k] >= bound}
            scores = {k: 0.0 if k in chosen - left else p for k, p in thrifty(by_judge, alone, chosen, flags).items()}
            found = outcome(tables, scores, flags["full"])
            told = f"{found.recalled} of {found.planted} | {found.per_100:.1f}"
            shares = f"{len(chosen) / learns if bound else 0:.2f} | {len(left) / learns:.2f}"
            print(f"| {look} | {bound} | {told} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
