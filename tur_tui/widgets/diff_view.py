"""Incumbent and challenger side by side or one above the other, their differences marked word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.binding import Binding, BindingType

from tur_engine.records import Belief, Evidence

from ..drawing.worddiff import Kind, Line, Span, compare, visible_spans
from ..drawing.wording import content, now
from ..drawing.wrapping import fit, pad, wrap, wrapped
from .belief_facts import Fact, belief_facts, in_short
from .painting import components
from .rows_view import Row, RowsView, cell

SIDE_BY_SIDE_SCREEN: Final = 100
SIDE_BY_SIDE_OWN: Final = 70
"""Columns of the screen, or of the pane itself, from which the two stand side by side ..."""
SIDE_BY_SIDE_LEAST: Final = 48
"""... if the pane has at least these."""

_BAR: Final = " │ "
_LEFT, _RIGHT = "removed", "added"
_GUTTERS: Final = {
    Kind.EQUAL: ("  ", "  "),
    Kind.CHANGED: ("~ ", "~ "),
    Kind.REWRITTEN: ("- ", "+ "),
    Kind.REMOVED: ("- ", "  "),
    Kind.ADDED: ("  ", "+ "),
}


class DiffView(RowsView):
    """Two memories and what differs. Nothing in their text is obeyed: no markup, no control characters."""

    PREFIX = "diff"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "diff",
        "title", "id", "bar", "absent", "label", "value", "differs", "empty",
        "added", "removed", "added-word", "removed-word", "added-gutter", "removed-gutter", "evidence",
    )  # fmt: skip

    DEFAULT_CSS = """
    DiffView {
        & > .diff--title { text-style: bold; }
        & > .diff--id { color: $feed-dim; }
        & > .diff--bar { color: $graph-edge; }
        & > .diff--absent { color: $foreground 20%; }
        & > .diff--label { color: $feed-dim; }
        & > .diff--value { color: $foreground; }
        & > .diff--differs { color: $foreground; text-style: bold; }
        & > .diff--empty { color: $text-muted; }
        & > .diff--removed { background: $diff-removed-background; }
        & > .diff--added { background: $diff-added-background; }
        & > .diff--removed-word { color: $diff-removed; text-style: bold strike; }
        & > .diff--added-word { color: $diff-added; text-style: bold; }
        & > .diff--removed-gutter { color: $diff-removed; text-style: bold; }
        & > .diff--added-gutter { color: $diff-added; text-style: bold; }
        & > .diff--evidence { color: $diff-word; text-style: underline; }
        &:ansi > .diff--absent { color: ansi_default; text-style: dim; }
        &:ansi > .diff--id, &:ansi > .diff--label, &:ansi > .diff--empty { color: ansi_default; }
        &:ansi > .diff--removed, &:ansi > .diff--added { background: transparent; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right_square_bracket", "change(1)", "Next change", show=False, id="diff.next_change"),
        Binding("left_square_bracket", "change(-1)", "Previous change", show=False, id="diff.previous_change"),
        Binding("vertical_line", "arrange", "Side by side", show=False, id="diff.arrange"),
    ]

    def __init__(
        self,
        *,
        empty: str = "No conflict is open. What agents learn is checked as it arrives; a clash appears here.",
        clock: Callable[[], datetime] = now,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._empty, self._clock = empty, clock
        self._pair: tuple[Belief, Belief] | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self._titles, self._ids = ("EXISTING", "NEW"), ("", "")
        self._arranged: bool | None = None
        self._changes: list[int] = []
        self._ages: tuple[str, ...] = ()
        """As they were last drawn."""

    def on_mount(self) -> None:
        self.set_interval(1, self._age)

    def _age(self) -> None:
        """Ages move on; laid out anew only where one reads differently, since comparing long texts takes time."""
        if self._ages_now() != self._ages:
            self.rebuild()

    def _ages_now(self) -> tuple[str, ...]:
        moment = self._clock()
        return tuple(
            fact.value for each in self._pair or () for fact in belief_facts(each, None, moment) if fact.label == "age"
        )

    # what it shows -----------------------------------------------------------

    def show(
        self,
        incumbent: Belief,
        challenger: Belief,
        evidence: Sequence[Evidence] = (),
        *,
        titles: tuple[str, str] = ("EXISTING", "NEW"),
        ids: tuple[str, str] | None = None,
    ) -> None:
        """Show a pair. `ids` are the ids to print, where the shortest unique ones are known."""
        same = self._pair is not None and self._pair[0].id == incumbent.id and self._pair[1].id == challenger.id
        self._pair, self._evidence, self._titles = (incumbent, challenger), tuple(evidence), titles
        self._ids = ids or (incumbent.memory.short_id, challenger.memory.short_id)
        self.rebuild(to_top=not same)

    def clear(self, sentence: str | None = None) -> None:
        """Show no pair but a sentence that says why, or what to do next."""
        self._pair = None
        if sentence is not None:
            self._empty = sentence
        self.rebuild(to_top=True)

    @property
    def side_by_side(self) -> bool:
        """Whether the two stand side by side at this size."""
        width = self.scrollable_content_region.width
        if width < SIDE_BY_SIDE_LEAST:
            return False
        if self._arranged is not None:
            return self._arranged
        return width >= SIDE_BY_SIDE_OWN or self.app.size.width >= SIDE_BY_SIDE_SCREEN

    def action_arrange(self) -> None:
        """Side by side where they are stacked, and the other way round."""
        self._arranged = not self.side_by_side
        self.rebuild()

    def action_change(self, step: int) -> None:
        """Scroll to the next or previous line that differs."""
        y = self.scroll_offset.y
        found = [row for row in self._changes if (row > y if step > 0 else row < y)]
        if found:
            self.scroll_to(y=found[0] if step > 0 else found[-1], animate=False, immediate=True, force=True)

    # rows ----------------------------------------------------------------------

    def build(self, width: int, height: int) -> list[Row]:
        self._changes = []
        self._ages = self._ages_now()
        if self._pair is None:
            return [[], *([(f"  {line}", "empty")] for line in wrapped(self._empty, max(1, width - 4)))]
        incumbent, challenger = self._pair
        left, spans_left = visible_spans(
            content(incumbent.memory), [s for e in self._evidence for s in e.incumbent_spans]
        )
        right, spans_right = visible_spans(
            content(challenger.memory), [s for e in self._evidence for s in e.challenger_spans]
        )
        pairs = [(p.kind, p.left, p.right) for p in compare(left, right)]
        moment = self._clock()
        facts = belief_facts(incumbent, challenger, moment), belief_facts(challenger, incumbent, moment)
        if self.side_by_side:
            return self._beside(pairs, (spans_left, spans_right), facts, width, height)
        return self._stacked(pairs, (spans_left, spans_right), facts, width)

    def _beside(
        self,
        pairs: list[tuple[Kind, Line | None, Line | None]],
        spans: tuple[tuple[Span, ...], tuple[Span, ...]],
        facts: tuple[list[Fact], list[Fact]],
        width: int,
        height: int,
    ) -> list[Row]:
        column = (width - len(_BAR)) // 2
        rest = width - len(_BAR) - column
        rows: list[Row] = [_join(self._title(0, column), column, self._title(1, rest), rest)]
        for kind, left, right in pairs:
            if kind is not Kind.EQUAL:
                self._changes.append(len(rows))
            cells = (
                _text_rows(left, kind, _LEFT, spans[0], column),
                _text_rows(right, kind, _RIGHT, spans[1], rest),
            )
            for at in range(max(map(len, cells))):
                rows.append(
                    [
                        *_text_cell(cells[0], at, left, kind, _LEFT, column),
                        (_BAR, "bar"),
                        *_text_cell(cells[1], at, right, kind, _RIGHT, rest),
                    ]
                )
        table = len(rows) + 1 + max(map(len, facts)) <= height
        below = [_fact_rows(facts[side], (column, rest)[side], table=table) for side in (0, 1)]
        rows.append(_join([], column, [], rest))
        for at in range(max(map(len, below))):
            cell_left, cell_right = (rows_[at] if at < len(rows_) else [] for rows_ in below)
            rows.append(_join(cell_left, column, cell_right, rest))
        while len(rows) < height:
            rows.append(_join([], column, [], rest))
        return rows

    def _stacked(
        self,
        pairs: list[tuple[Kind, Line | None, Line | None]],
        spans: tuple[tuple[Span, ...], tuple[Span, ...]],
        facts: tuple[list[Fact], list[Fact]],
        width: int,
    ) -> list[Row]:
        rows: list[Row] = []
        for side, tone in ((0, _LEFT), (1, _RIGHT)):
            rows += [[]] if side else []
            rows.append(self._title(side, width))
            for kind, *lines in pairs:
                line = lines[side]
                if line is None:
                    continue
                if kind is not Kind.EQUAL:
                    self._changes.append(len(rows))
                own = _text_rows(line, kind, tone, spans[side], width)
                rows += [_text_cell(own, at, line, kind, tone, width) for at in range(len(own))]
            rows += _fact_rows(facts[side], width, table=False)
        return rows

    def _title(self, side: int, width: int) -> Row:
        title = fit(self._titles[side], width)
        return [(title, "title"), (" " + fit(self._ids[side], width - len(title) - 1), "id")]


def _join(left: Row, column: int, right: Row, rest: int) -> Row:
    return [*cell(left, column), (_BAR, "bar"), *cell(right, rest)]


def _text_rows(line: Line | None, kind: Kind, side: str, spans: Sequence[Span], width: int) -> list[Row]:
    """A line of one side wrapped behind its gutter; later rows of it repeat the mark."""
    if line is None:
        return []
    gutter = _GUTTERS[kind][0 if side == _LEFT else 1]
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


def _text_cell(rows: list[Row], at: int, line: Line | None, kind: Kind, side: str, width: int) -> Row:
    if line is None:
        return [(("╱   " * width)[:width], "absent")]
    ground = "" if kind is Kind.EQUAL else side
    return cell(rows[at], width, ground) if at < len(rows) else [(" " * width, ground)]


def _fact_rows(facts: list[Fact], width: int, *, table: bool) -> list[Row]:
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
