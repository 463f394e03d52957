"""Fitting text into terminal cells: wrapped at words, cut with an ellipsis, never wider than asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells, set_cell_size

_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯\U00020000-\U0003134f"
_CLOSING = "、。，．！？：；）」』】〉》…ー々"
_CHUNK = re.compile(rf"\s+|[{_CJK}][{_CLOSING}]*|[^\s{_CJK}]+")
"""A run of blanks, one CJK character with the marks that may not begin a line, or a word."""
_LEAST = 6
"""Cells below which a text that is cut says nothing."""


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    """Rows of at most `width` cells as (start, end) in characters of `text`, which holds no newline.

    Breaks at blanks and between CJK characters; only a word longer than a row is cut. The blanks at a break
    belong to no row. An empty text is one empty row.
    """
    width = max(width, 1)
    rows: list[tuple[int, int]] = []
    start = end = used = 0
    for chunk in _CHUNK.finditer(text):
        word, cells = chunk.group(), cell_len(chunk.group())
        if word.isspace():
            if used and used + cells <= width:
                used += cells
            elif used:
                rows.append((start, end))
                start = end = chunk.end()
                used = 0
            elif not rows and cells < width:
                used = cells  # an indentation at the very beginning stays
            else:
                start = end = chunk.end()
            continue
        if used and used + cells > width:
            rows.append((start, end))
            start, used = chunk.start(), 0
        if cells > width:
            *full, last = chop_cells(word, width)
            at = chunk.start()
            for piece in full:
                rows.append((at, at + len(piece)))
                at += len(piece)
            start, used = at, cell_len(last)
        else:
            used += cells
        end = chunk.end()
    if end > start or not rows:
        rows.append((start, max(start, end)))
    return rows


def wrapped(text: str, width: int) -> list[str]:
    """The rows of `wrap` as strings; newlines in the text begin a new row."""
    return [line[a:b] for line in text.split("\n") for a, b in wrap(line, width)]


def fit(text: str, width: int) -> str:
    """The text cut to `width` cells, with an ellipsis where something was cut."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"


def fit_each(texts: Sequence[str], joint: str, width: int) -> str:
    """The texts in one row, each cut to its share of `width` cells; what a short one spares goes to the others."""
    room = width - cell_len(joint) * (len(texts) - 1)
    shares: dict[int, int] = {}
    for at in sorted(range(len(texts)), key=lambda at: cell_len(texts[at])):
        shares[at] = min(cell_len(texts[at]), max(0, room) // (len(texts) - len(shares)))
        room -= shares[at]
    if room < 0 or any(share < min(cell_len(texts[at]), _LEAST) for at, share in shares.items()):
        return fit(joint.join(texts), width)
    return joint.join(fit(text, shares[at]) for at, text in enumerate(texts))


def fit_end(text: str, width: int) -> str:
    """As `fit`, but the end is kept: for paths."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    kept = text
    while kept and cell_len(kept) > width - 1:
        kept = kept[1:]
    return "…" + kept


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text in exactly `width` cells; `right` puts it at the right end."""
    text = fit(text, width)
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if right else text + blanks
