"""The rows of a diff: lines of text behind their gutter, and the facts below them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from rich.cells import cell_len

from ..drawing.worddiff import Kind, Line, Span
from ..drawing.wrapping import pad, wrap, wrapped
from .belief_facts import Fact, in_short
from .rows_view import Row, cell

BAR: Final = " │ "
LEFT, RIGHT = "removed", "added"
_GUTTERS: Final = {
    Kind.EQUAL: ("  ", "  "),
    Kind.CHANGED: ("~ ", "~ "),
    Kind.REWRITTEN: ("- ", "+ "),
    Kind.REMOVED: ("- ", "  "),
    Kind.ADDED: ("  ", "+ "),
}


def join(left: Row, column: int, right: Row, rest: int) -> Row:
    """Two cells of these widths with the bar between them."""
    return [*cell(left, column), (BAR, "bar"), *cell(right, rest)]


def text_rows(line: Line | None, kind: Kind, side: str, spans: Sequence[Span], width: int) -> list[Row]:
    """A line of one side wrapped behind its gutter; later rows of it repeat the mark."""
    if line is None:
        return []
    gutter = _GUTTERS[kind][0 if side == LEFT else 1]
    ground = "" if kind is Kind.EQUAL else side
    rows: list[Row] = []
    for start, end in wrap(line.text, width - len(gutter)):
        row: Row = [(gutter, f"{ground} {side}-gutter")]
        for a, b, marked, pointed in _stretches(line, start, end, spans):
            tone = f"{ground} {'evidence' if pointed else ''} {f'{side}-word' if marked else ''}"
            row.append((line.text[a:b], " ".join(tone.split())))
        rows.append(row)
    return rows


def _stretches(line: Line, start: int, end: int, spans: Sequence[Span]) -> list[tuple[int, int, bool, bool]]:
    """A row cut where marks begin and end: from, to, differs, pointed at by the evidence."""
    pointed = [(a - line.start, b - line.start) for a, b in spans]
    edges = {start, end}
    for a, b in (*line.marks, *pointed):
        edges |= {edge for edge in (a, b) if start < edge < end}
    cuts = sorted(edges)
    return [
        (a, b, any(x <= a < y for x, y in line.marks), any(x <= a < y for x, y in pointed)) for a, b in pairwise(cuts)
    ]


def text_cell(rows: list[Row], at: int, line: Line | None, kind: Kind, side: str, width: int) -> Row:
    """One row of a line, filled; hatched where the side has no such line."""
    if line is None:
        return [(("╱   " * width)[:width], "absent")]
    ground = "" if kind is Kind.EQUAL else side
    return cell(rows[at], width, ground) if at < len(rows) else [(" " * width, ground)]


def fact_rows(facts: list[Fact], width: int, *, table: bool) -> list[Row]:
    """What a memory has to tell, as a table or in short."""
    if not table:
        return [[("  ", ""), *row] for row in _flow(in_short(facts), max(1, width - 2))]
    wide = min(max(len(fact.label) for fact in facts), max(4, width // 3))
    rows: list[Row] = []
    for fact in facts:
        values = wrapped(fact.value, max(1, width - wide - 4)) or [""]
        tone = "differs" if fact.differs else "value"
        rows.append([("  " + pad(fact.label, wide) + "  ", "label"), (values[0], tone)])
        rows += [[(" " * (wide + 4) + value, tone)] for value in values[1:]]
    return rows


def _flow(items: Sequence[tuple[str, bool]], width: int) -> list[Row]:
    """Short items one after the other, a dot between those of one row; those that differ stand out."""
    rows: list[Row] = []
    used = 0
    for words, differs in items:
        for number, part in enumerate(wrapped(words, width)):
            tone = "differs" if differs else "label"
            if rows and number == 0 and used + 3 + cell_len(part) <= width:
                rows[-1] += [(" · ", "label"), (part, tone)]
                used += 3 + cell_len(part)
            else:
                rows.append([(part, tone)])
                used = cell_len(part)
    return rows
