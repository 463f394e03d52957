"""What number, version, date, time and port share: a measure on each side that cannot both be right."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..bounds import AT_LEAST, AT_MOST
from ..context import Context, Scale, context
from ..measures import Difference, tokens_of
from ..pair import Pair, words_of
from ..quantity import Quantity


def find(pair: Pair, kind: str, scale: Scale, noun: str) -> Iterator[Evidence]:
    """Yield the difference of one kind whose surroundings are most alike."""
    best: tuple[float, Difference] | None = None
    for difference, surroundings in differences(pair, kind):
        weight = scale.weight(surroundings)
        if best is None or weight > best[0]:
            best = weight, difference
    if best is None or best[0] <= 0:
        return
    weight, difference = best
    mine, theirs = tokens_of(pair.a, difference.incumbent), tokens_of(pair.b, difference.challenger)
    old = words_of(pair.a.text, [(mine[0].start, mine[-1].end)])
    new = words_of(pair.b.text, [(theirs[0].start, theirs[-1].end)])
    yield pair.evidence(kind, weight, f"{noun} differs: {old} against {new}.", mine, theirs)


def differences(pair: Pair, kind: str) -> Iterator[tuple[Difference, Context]]:
    """Yield the differing measures of one kind with their surroundings."""
    for difference in pair.measures.differing:
        if difference.kind == kind:
            mine, theirs = tokens_of(pair.a, difference.incumbent), tokens_of(pair.b, difference.challenger)
            yield difference, context(pair, mine, theirs, _certainty(difference))


def _certainty(difference: Difference) -> float:
    """1 for two plain values, less where a bound or `about` leaves room."""
    one, other = difference.incumbent, difference.challenger
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return 1.0
    bounds = {one.bound, other.bound} & {AT_LEAST, AT_MOST}
    return (0.5 if bounds else 1.0) - (0.3 if one.about or other.about else 0.0)
