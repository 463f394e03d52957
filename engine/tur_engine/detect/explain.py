"""Which words clash, in one sentence a tired person understands."""

from __future__ import annotations

from collections.abc import Sequence

from ..records import Evidence
from ..text import excerpt
from .pair import Pair, Token

KIND = "judge"
_WORDS = 6
"""Longest stretch of words that still reads as a value."""
_PLAIN = 1.0
"""Symbolic evidence of this weight speaks for itself."""


def judge_evidence(pair: Pair, weight: float, symbols: Sequence[Evidence]) -> Evidence:
    """Return the judge's piece: `weight` is what its reading added to the log-odds of the symbols alone.

    Its sentence names the clashing words: those of the strongest symbol where one speaks, else where the texts part.
    """
    weight = round(weight, 2)
    if weight < 0:
        return pair.evidence(KIND, weight, "Read as a whole, the two can both hold.")
    strongest = max((e for e in symbols if not e.guard), key=lambda e: e.weight, default=None)
    if strongest is not None and strongest.weight >= _PLAIN:
        sentence = strongest.sentence.rstrip(". ") + "; read as a whole, the two cannot both hold."
        return strongest.model_copy(update={"kind": KIND, "weight": weight, "sentence": sentence})
    ours, theirs = apart(pair)
    piece = pair.evidence(KIND, weight, "Read as a whole, the two cannot both hold.", ours, theirs)
    if piece.incumbent_words and piece.challenger_words:
        old, new = excerpt(piece.incumbent_words, 48), excerpt(piece.challenger_words, 48)
        sentence = f'Read as a whole, the two cannot both hold: "{old}" against "{new}".'
        return piece.model_copy(update={"sentence": sentence})
    return piece


def apart(pair: Pair) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """Return the words of both sides where the texts part: the best framed swap, else the words that are not shared."""
    swaps = [
        swap
        for swap in pair.swaps
        if 0 < len(swap.incumbent) <= _WORDS and 0 < len(swap.challenger) <= _WORDS and swap.before + swap.after
    ]
    if swaps:
        best = max(swaps, key=lambda s: (s.before + s.after, -len(s.incumbent) - len(s.challenger)))
        return best.incumbent, best.challenger
    return _own(pair.a.words, pair.shared), _own(pair.b.words, pair.shared)


def _own(words: Sequence[Token], shared: frozenset[str]) -> tuple[Token, ...]:
    return tuple(word for word in words if word.stem not in shared)[:_WORDS]
