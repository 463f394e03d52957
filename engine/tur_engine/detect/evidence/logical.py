"""Logical: what one memory assumes (`confidence.assumptions`), the other one says is otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..pair import Pair, read
from . import antonym, date, modality, negation, number, port, quantifier, replacement, slot, temporal, time, version

KIND = "logical"
_FINDERS = (negation, antonym, number, version, date, time, port, quantifier, modality, slot, replacement, temporal)
_AT_LEAST = 0.8
"""Log-odds that the clash with an assumption must reach to count."""


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield one piece for each assumption that the other side's content clashes with."""
    for memory, other, by_challenger in (
        (pair.incumbent, pair.challenger, False),
        (pair.challenger, pair.incumbent, True),
    ):
        for assumption in memory.confidence.assumptions:
            if not assumption.strip():
                continue
            assumed = memory.model_copy(update={"content": assumption})
            a, b = (other, assumed) if by_challenger else (assumed, other)
            inner = Pair(a, b, read(a.content), read(b.content))
            pieces = [e for finder in _FINDERS for e in finder.find(inner)]
            strongest = max(pieces, key=lambda e: e.weight, default=None)
            if strongest is None or strongest.weight < _AT_LEAST:
                continue
            who = "newcomer" if by_challenger else "older memory"
            yield Evidence(
                kind=KIND,
                weight=strongest.weight,
                sentence=f'The {who} rests on "{assumption}": {strongest.sentence}',
                incumbent_words=strongest.incumbent_words,
                challenger_words=strongest.challenger_words,
                incumbent_spans=strongest.incumbent_spans if by_challenger else (),
                challenger_spans=() if by_challenger else strongest.challenger_spans,
            )
