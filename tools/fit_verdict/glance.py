"""What the student may spare the judge: `python -m tools.fit_verdict.glance [DATA]`.

Plays the streams that neither of the two has seen, at the balanced threshold, as `Cascade` reads: the student all pairs
worth reading, the judge those where the student says that a clash is at least so probable. Prints what is found, at how
many false interruptions per 100 clean learns, and how many pairs each of them reads a learn.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.train_judge.pairs import share_of_contradiction
from tur_engine.detect.detector import WORTH_JUDGING
from tur_engine.detect.judge import STUDENT

from .__main__ import ALONE, FULL, arguments, gather
from .cache import CachedJudge
from .score import key, outcome
from .stages import Scores, fit
from .table import Table
from .thrift import probabilities, read, thrifty

BOUNDS = (0.0, 0.01, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)
LOOKS = (0.003, WORTH_JUDGING)
TAUGHT = frozenset({"a3", "b1", "f1"})
"""Streams that the student was taught on, though the judge was not."""


def doubts(tables: Sequence[Table], student: CachedJudge) -> Scores:
    """Return how probable the student finds a clash, the likelier of both directions."""
    found: Scores = {}
    for table in tables:
        for row in table.rows:
            a, b = row.pair.incumbent.content, row.pair.challenger.content
            found[key(row)] = max(map(share_of_contradiction, student.logits([(a, b), (b, a)])))
    return found


def main() -> None:
    options = arguments("fit_verdict.glance", __doc__).parse_args()
    material = gather(options)
    by_symbols, by_all = fit(material.streams + material.pairs, ALONE), fit(material.judged + material.pairs, FULL)
    unseen = [table for table in material.judged if table.stream not in TAUGHT]
    doubt = doubts(unseen, CachedJudge(options.cache / "logits.db", STUDENT))
    alone, judged = probabilities(by_symbols), probabilities(by_all)
    alone, judged = ({k: p for k, p in each.items() if k in doubt} for each in (alone, judged))
    flags = {"alone": by_symbols.stream["thresholds"]["balanced"], "full": by_all.stream["thresholds"]["balanced"]}
    learns = sum(table.memories for table in unseen)
    print(
        "| asked from | judge from | found | false per 100 | student reads | judge reads |\n|---|---|---|---|---|---|"
    )
    for look in LOOKS:
        chosen = read(unseen, alone, look)
        for bound in BOUNDS:
            left = {k for k in chosen if doubt[k] >= bound}
            scores = {k: 0.0 if k in chosen - left else p for k, p in thrifty(judged, alone, chosen, flags).items()}
            found = outcome(unseen, scores, flags["full"])
            shares = f"{len(chosen) / learns if bound else 0:.2f} | {len(left) / learns:.2f}"
            print(
                f"| {look} | {bound} | {found.recalled} of {found.planted} | {found.per_100:.1f} | {shares} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
