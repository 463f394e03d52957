"""Plan: one side asks, plans, proposes, supposes or wishes: it says nothing of how things are. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..cues import PLAN
from ..pair import Pair
from ..reading import Reading, Token
from . import _cued

KIND = "plan"
SCALE = Scale(-0.35, strength=-0.7, akin_only=False)
QUESTION = -3.2
"""One of 59 training pairs with a question on one side was a clash."""


def question(reading: Reading) -> tuple[Token, ...]:
    """Return the tokens of the first sentence that ends in a question mark."""
    for number, end in enumerate(reading.sentence_ends):
        if end in "?？" and end:
            return tuple(t for t in reading.tokens if t.sentence == number)
    return ()


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield a question on one side, else the wording of a plan tied closest to the other side."""
    mine, theirs = question(pair.a), question(pair.b)
    if bool(mine) != bool(theirs):
        asked = mine or theirs
        reading, other = (pair.a, pair.b) if mine else (pair.b, pair.a)
        if _cued.tie(reading, other, asked[:1]) > 0 or len(reading.sentence_ends) == 1:
            yield pair.evidence(KIND, QUESTION, "One side asks; it states nothing.", mine, theirs)
            return
    yield from _cued.find(pair, KIND, PLAN, SCALE, 'One side is a plan or a thought: "{words}".')
