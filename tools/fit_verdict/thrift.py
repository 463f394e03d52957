"""What the judge may be spared: `python -m tools.fit_verdict.thrift [DATA]`.

Plays the left-out streams at the balanced threshold while the judge reads only the pairs whose probability by words and
symbols alone reaches a bound, four a newcomer at most, as the detector does (`WORTH_READING`). Prints what is found, at
how many false interruptions per 100 clean learns, and how many pairs are read a learn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tur_engine.detect.detector import MOST_JUDGED

from .__main__ import ALONE, FULL, arguments, gather
from .score import key, outcome
from .stages import Fitted, Scores, fit
from .table import Table

BOUNDS = (0.0, 0.003, 0.006, 0.01, 0.015, 0.03)


def probabilities(fitted: Fitted) -> Scores:
    """Return the out-of-fold probability of each candidate."""
    slope, offset = fitted.stream["slope"], fitted.stream["offset"]
    return {k: float(1 / (1 + np.exp(-(slope * score + offset)))) for k, score in fitted.stream_scores.items()}


def read(tables: Sequence[Table], alone: Scores, bound: float) -> set[tuple[str, int, int]]:
    """Return the pairs that the judge would read."""
    chosen: set[tuple[str, int, int]] = set()
    for table in tables:
        by_newcomer: dict[int, list[tuple[str, int, int]]] = {}
        for row in table.rows:
            if alone[key(row)] >= bound:
                by_newcomer.setdefault(row.challenger, []).append(key(row))
        for keys in by_newcomer.values():
            chosen |= set(sorted(keys, key=lambda each: -alone[each])[:MOST_JUDGED])
    return chosen


def thrifty(judged: Scores, alone: Scores, chosen: set[tuple[str, int, int]], flags: Mapping[str, float]) -> Scores:
    """Return the probabilities on one scale: those of pairs not read count where they pass their own threshold."""
    unread = {k: 1.0 if p >= flags["alone"] else 0.0 for k, p in alone.items()}
    return {k: p if k in chosen else unread[k] for k, p in judged.items()}


def main() -> None:
    material = gather(arguments("fit_verdict.thrift", __doc__).parse_args())
    by_symbols, by_all = fit(material.streams + material.pairs, ALONE), fit(material.judged + material.pairs, FULL)
    alone, judged = probabilities(by_symbols), probabilities(by_all)
    alone = {k: p for k, p in alone.items() if k in judged}
    flags = {"alone": by_symbols.stream["thresholds"]["balanced"], "full": by_all.stream["thresholds"]["balanced"]}
    learns = sum(table.memories for table in material.judged)
    print("| bound | found | false per 100 | pairs read a learn |\n|---|---|---|---|")
    for bound in BOUNDS:
        chosen = read(material.judged, alone, bound)
        found = outcome(material.judged, thrifty(judged, alone, chosen, flags), flags["full"])
        share = len(chosen) / learns
        print(f"| {bound} | {found.recalled} of {found.planted} | {found.per_100:.1f} | {share:.2f} |", flush=True)


if __name__ == "__main__":
    main()
