"""The words of meaning that stand near a place in a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .reading import Reading, Token

_REACH = 8


def around(reading: Reading, tokens: Sequence[Token], skip: Iterable[str] = ()) -> frozenset[str]:
    """Return the stems of meaning near some tokens, within their sentence."""
    if not tokens:
        return frozenset()
    first = reading.place(tokens[0])
    last = reading.place(tokens[-1])
    left_out = {t.stem for t in tokens}.union(skip)
    return frozenset(
        t.stem
        for t in reading.tokens[max(0, first - _REACH) : last + 1 + _REACH]
        if t.sentence in (tokens[0].sentence, tokens[-1].sentence) and t.content and t.kind != "number"
        and t.stem not in left_out
    )  # fmt: skip
