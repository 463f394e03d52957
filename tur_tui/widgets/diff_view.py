"""Incumbent and challenger side by side or one above the other, their differences marked word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from tur_engine.records import Belief, Evidence
from tur_engine.text import visible

from ..drawing.worddiff import Kind, Line, Span, compare, visible_spans
from ..drawing.wording import content, now
from ..drawing.wrapping import fit, wrapped
from .belief_facts import Fact, belief_facts
from .diff_rows import BAR, LEFT, RIGHT, fact_rows, join, text_cell, text_rows
from .painting import components
from .rows_view import Row, RowsView

SIDE_BY_SIDE_SCREEN: Final = 100
SIDE_BY_SIDE_OWN: Final = 70
"""Columns of the screen, or of the pane itself, from which the two stand side by side ..."""
SIDE_BY_SIDE_LEAST: Final = 48
"""... if the pane has at least these."""


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
        self._remarks = ("", "")
        self._facts: tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]] | None = None
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
        facts: tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str]]] | None = None,
    ) -> None:
        """Show a pair. `ids` are the ids to print, where the shortest unique ones are known; `facts` (label, value)
        stand below the sides in place of what a memory has to tell."""
        same = self._pair is not None and self._pair[0].id == incumbent.id and self._pair[1].id == challenger.id
        self._pair, self._evidence, self._titles = (incumbent, challenger), tuple(evidence), titles
        if not same:
            self._remarks = ("", "")
        self._facts = facts
        self._ids = ids or (incumbent.memory.short_id, challenger.memory.short_id)
        self.rebuild(to_top=not same)

    def remark(self, incumbent: str, challenger: str) -> None:
        """Say below each side what the repository says; nothing where it says nothing."""
        self._remarks = (incumbent, challenger)
        self.rebuild()

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
        facts = self._facts_of(incumbent, challenger)
        for side, said in zip(facts, self._remarks, strict=True):
            if said:
                side.append(Fact("repository", visible(said, newlines=False)))
        if self.side_by_side:
            return self._beside(pairs, (spans_left, spans_right), facts, width, height)
        return self._stacked(pairs, (spans_left, spans_right), facts, width)

    def _facts_of(self, incumbent: Belief, challenger: Belief) -> tuple[list[Fact], list[Fact]]:
        if self._facts is None:
            moment = self._clock()
            return belief_facts(incumbent, challenger, moment), belief_facts(challenger, incumbent, moment)
        left, right = (dict(each) for each in self._facts)
        return (
            [Fact(label, value, right.get(label) != value) for label, value in left.items()],
            [Fact(label, value, left.get(label) != value) for label, value in right.items()],
        )

    def _beside(
        self,
        pairs: list[tuple[Kind, Line | None, Line | None]],
        spans: tuple[tuple[Span, ...], tuple[Span, ...]],
        facts: tuple[list[Fact], list[Fact]],
        width: int,
        height: int,
    ) -> list[Row]:
        column = (width - len(BAR)) // 2
        rest = width - len(BAR) - column
        rows: list[Row] = [join(self._title(0, column), column, self._title(1, rest), rest)]
        for kind, left, right in pairs:
            if kind is not Kind.EQUAL:
                self._changes.append(len(rows))
            cells = (
                text_rows(left, kind, LEFT, spans[0], column),
                text_rows(right, kind, RIGHT, spans[1], rest),
            )
            for at in range(max(map(len, cells))):
                rows.append(
                    [
                        *text_cell(cells[0], at, left, kind, LEFT, column),
                        (BAR, "bar"),
                        *text_cell(cells[1], at, right, kind, RIGHT, rest),
                    ]
                )
        table = len(rows) + 1 + max(map(len, facts)) <= height
        below = [fact_rows(facts[side], (column, rest)[side], table=table) for side in (0, 1)]
        rows.append(join([], column, [], rest))
        for at in range(max(map(len, below))):
            cell_left, cell_right = (rows_[at] if at < len(rows_) else [] for rows_ in below)
            rows.append(join(cell_left, column, cell_right, rest))
        while len(rows) < height:
            rows.append(join([], column, [], rest))
        return rows

    def _stacked(
        self,
        pairs: list[tuple[Kind, Line | None, Line | None]],
        spans: tuple[tuple[Span, ...], tuple[Span, ...]],
        facts: tuple[list[Fact], list[Fact]],
        width: int,
    ) -> list[Row]:
        rows: list[Row] = []
        for side, tone in ((0, LEFT), (1, RIGHT)):
            rows += [[]] if side else []
            rows.append(self._title(side, width))
            for kind, *lines in pairs:
                line = lines[side]
                if line is None:
                    continue
                if kind is not Kind.EQUAL:
                    self._changes.append(len(rows))
                own = text_rows(line, kind, tone, spans[side], width)
                rows += [text_cell(own, at, line, kind, tone, width) for at in range(len(own))]
            rows += fact_rows(facts[side], width, table=False)
        return rows

    def _title(self, side: int, width: int) -> Row:
        title = fit(self._titles[side], width)
        return [(title, "title"), (" " + fit(self._ids[side], width - len(title) - 1), "id")]
