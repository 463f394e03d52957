"""Equivalent: both sides have the same values and the same words, or one denies the opposite of the other. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale, context
from ..measures import tokens_of
from ..pair import Pair
from ..quantity import Quantity
from ..reading import Token
from .antonym import meetings

KIND = "equivalent"
SCALE = Scale(-0.3, strength=-0.8, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield equal values in other units, all values equal, or an opposite that is denied."""
    best: tuple[float, str, tuple[Token, ...], tuple[Token, ...]] | None = None
    for mine, theirs, strength, sentence in _reasons(pair):
        weight = SCALE.weight(context(pair, mine, theirs, strength))
        if best is None or weight < best[0]:
            best = weight, sentence, mine, theirs
    if best is not None and best[0] < 0:
        yield pair.evidence(KIND, best[0], best[1], best[2], best[3])


def _reasons(pair: Pair) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...], float, str]]:
    found = pair.measures
    if found.agreed and not found.differing:
        one, other = found.agreed[0]
        mine, theirs = tokens_of(pair.a, one), tokens_of(pair.b, other)
        converted = any(
            isinstance(x, Quantity) and isinstance(y, Quantity) and x.unit != y.unit for x, y in found.agreed
        )
        all_settled = not found.only_incumbent and not found.only_challenger
        strength = 0.4 + 0.3 * converted + 0.3 * all_settled
        yield mine, theirs, strength, "The values are the same on both sides."
    for mine, theirs, agree in meetings(pair):
        if agree:
            yield mine, theirs, 0.8, "One side denies the opposite of what the other says: they agree."
            return
