"""Why two memories clash or do not: one piece a kind, with the words on both sides."""

from __future__ import annotations

from collections.abc import Sequence

from .base import Record

Span = tuple[int, int]
"""Start and end, in characters of the stored text."""
SPEAKS = 1.0
"""Symbolic evidence of this weight speaks for itself; the judge then says only that it agrees."""


class Evidence(Record):
    """One reason. `weight` is in log-odds: above 0 it speaks for a clash, below 0 against (a guard)."""

    kind: str
    weight: float
    sentence: str
    incumbent_words: str = ""
    challenger_words: str = ""
    incumbent_spans: tuple[Span, ...] = ()
    challenger_spans: tuple[Span, ...] = ()

    @property
    def guard(self) -> bool:
        return self.weight < 0


def in_one_sentence(evidence: Sequence[Evidence]) -> str:
    """Return what the strongest piece says; a symbol that speaks for itself goes before the judge, who names no words.

    "" where there is none.
    """
    symbols = [piece for piece in evidence if piece.kind != "judge" and piece.weight >= SPEAKS]
    return max(symbols or evidence, key=lambda piece: piece.weight).sentence if evidence else ""
