"""Additive: one side says that something comes on top, or both fill a place that takes many values. A guard."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..context import Scale
from ..cues import ADDITIVE
from ..pair import Pair
from . import _cued
from .slot import MULTI, asks

KIND = "additive"
MANY_VALUED = -0.8
"""10 of 42 training pairs with one verb of MULTI and two objects were clashes."""
SCALE = Scale(-0.1, strength=-0.3, akin_only=False)


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield the wording tied closest to the other side, else a shared verb that takes many objects."""
    told = list(_cued.find(pair, KIND, ADDITIVE, SCALE, 'One side adds to the other: "{words}".'))
    if told:
        yield from told
        return
    if asks(pair):  # a rule that asks for one of two rivals leaves no room for the other
        return
    for swap in pair.swaps:
        mine = [t for t in swap.incumbent if t.content]
        theirs = [t for t in swap.challenger if t.content]
        if not mine or not theirs or not swap.before:
            continue
        verb_a = pair.a.tokens[pair.a.place(swap.incumbent[0]) - 1]
        verb_b = pair.b.tokens[pair.b.place(swap.challenger[0]) - 1]
        if verb_a.stem == verb_b.stem and (verb_a.text in MULTI or verb_a.stem in MULTI):
            words = f'One may "{verb_a.text}" more than one thing.'
            yield pair.evidence(KIND, MANY_VALUED, words, mine, theirs)
            return
