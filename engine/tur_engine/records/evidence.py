"""Why two memories clash or do not: one piece a kind, with the words on both sides."""

from __future__ import annotations

from .base import Record

Span = tuple[int, int]
"""Start and end, in characters of the stored text."""


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
