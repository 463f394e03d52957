"""Which words clash, in one sentence a tired person understands."""

from __future__ import annotations

from collections.abc import Sequence

from ..records import Evidence
from ..records.evidence import SPEAKS
from ..text import excerpt
from .pair import Pair, Token

JUDGE = "judge"
WORDING = "wording"
_APART = "Read as a whole, the two do not go together"
_WORDS = 6
"""Longest stretch of words that still reads as a value."""


def judge_evidence(pair: Pair, weight: float, symbols: Sequence[Evidence]) -> Evidence:
    """Return the judge's piece: `weight` is what its reading added to the log-odds of the symbols alone.

    Where a symbol speaks its sentence stands alone and takes over the words; else it names where the texts part.
    """
    weight = round(weight, 2)
    if weight <= 0:
        return pair.evidence(JUDGE, weight, "Read as a whole, the two may both hold.")
    strongest = max((e for e in symbols if not e.guard), key=lambda e: e.weight, default=None)
    if strongest is not None and strongest.weight >= SPEAKS:
        return strongest.model_copy(update={"kind": JUDGE, "weight": weight, "sentence": f"{_APART}."})
    return _parting(pair, JUDGE, weight, _APART)


def wording_evidence(pair: Pair, weight: float) -> Evidence:
    """Return the piece for a clash that no single sign explains: `weight` is how far it lies above the threshold."""
    return _parting(pair, WORDING, round(max(weight, 0.01), 2), "So near, and yet not the same")


def _parting(pair: Pair, kind: str, weight: float, words: str) -> Evidence:
    ours, theirs = apart(pair)
    piece = pair.evidence(kind, weight, f"{words}.", ours, theirs)
    if not piece.incumbent_words or not piece.challenger_words:
        return piece
    old, new = excerpt(piece.incumbent_words, 48), excerpt(piece.challenger_words, 48)
    return piece.model_copy(update={"sentence": f'{words}: "{old}" against "{new}".'})


def apart(pair: Pair) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """Return the words of both sides where the texts part: the best framed swap, else the words that are not shared."""
    swaps = [
        swap
        for swap in pair.swaps
        if len(swap.incumbent) <= _WORDS
        and len(swap.challenger) <= _WORDS
        and swap.before + swap.after
        and any(token.content for token in swap.incumbent)
        and any(token.content for token in swap.challenger)
    ]
    if swaps:
        best = max(swaps, key=lambda s: (s.before + s.after, -len(s.incumbent) - len(s.challenger)))
        return best.incumbent, best.challenger
    return _own(pair.a.words, pair.shared), _own(pair.b.words, pair.shared)


def _own(words: Sequence[Token], shared: frozenset[str]) -> tuple[Token, ...]:
    return tuple(word for word in words if word.stem not in shared)[:_WORDS]
