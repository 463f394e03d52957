"""A list that draws only the rows in view: 100,000 of them open as fast as 100."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..drawing.grid import Piece
from .painting import Inked, components, strip

Row = Sequence[Piece]
"""One row: pieces of text, each with a tone (a component class without the widget's prefix)."""


class LineList(ScrollView, Inked, can_focus=True):
    """Rows by number, with a cursor and marks."""

    PREFIX: ClassVar[str] = "line-list"
    """Before `--` in the component classes of row tones."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("line-list", "cursor", "marked", "empty")

    DEFAULT_CSS = """
    LineList {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        color: $foreground;
        & > .line-list--cursor {
            color: $block-cursor-blurred-foreground;
            background: $block-cursor-blurred-background;
            text-style: $block-cursor-blurred-text-style;
        }
        &:focus > .line-list--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
            text-style: $block-cursor-text-style;
        }
        & > .line-list--marked { text-style: bold; color: $text-accent; }
        & > .line-list--empty { color: $text-muted; }
        &:ansi > .line-list--cursor { text-style: underline; color: ansi_default; background: transparent; }
        &:ansi:focus > .line-list--cursor { text-style: bold reverse; color: ansi_default; background: transparent; }
        &:ansi > .line-list--empty { color: ansi_default; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "cursor(1)", "Down", show=False, id="list.down"),
        Binding("up,k", "cursor(-1)", "Up", show=False, id="list.up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="list.page_down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="list.page_up"),
        Binding("home", "first", "First", show=False, id="list.first"),
        Binding("end", "last", "Last", show=False, id="list.last"),
        Binding("enter", "select", "Open", show=False, id="list.open"),
    ]

    cursor: reactive[int] = reactive(0)
    """The row under the cursor."""

    @dataclass
    class _Told(Message):
        line_list: LineList

        @property
        def control(self) -> LineList:
            return self.line_list

    @dataclass
    class Highlighted(_Told):
        """The cursor stands on another row; `by_person` is False where only arrivals put it there."""

        index: int
        by_person: bool

    @dataclass
    class Selected(_Told):
        """Enter or a second click on a row."""

        index: int

    def __init__(
        self,
        row: Callable[[int], Row] | None = None,
        count: int = 0,
        *,
        empty: str = "Nothing here yet.",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._row = row
        self._count = count
        self._empty = empty
        self._marks: set[Hashable] = set()
        self._sync()

    # rows ------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    def row(self, index: int) -> Row:
        """The pieces of one row; subclasses override it or hand a callback in."""
        return self._row(index) if self._row else ()

    def key(self, index: int) -> Hashable:
        """What identifies a row when others arrive above it; marks are kept by it."""
        return self._count - 1 - index

    def show_rows(self, count: int, *, cursor: int = 0, empty: str | None = None) -> None:
        """Another set of rows; the cursor goes to `cursor`."""
        self._count = max(0, count)
        if empty is not None:
            self._empty = empty
        self._marks.clear()
        self._sync()
        self._place(cursor, by_person=False, announce=True)

    # cursor ----------------------------------------------------------------

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, as a person would."""
        self._place(index, by_person=True)

    def action_cursor(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def action_page(self, direction: int) -> None:
        self.move_to(self.cursor + direction * max(1, self.scrollable_content_region.height - 1))

    def action_first(self) -> None:
        self.move_to(0)

    def action_last(self) -> None:
        self.move_to(self._count - 1)

    def action_select(self) -> None:
        if self._count:
            self.post_message(self.Selected(self, self.cursor))

    def _place(self, index: int, *, by_person: bool, announce: bool = False) -> None:
        index = max(0, min(index, self._count - 1))
        moved, self.cursor = index != self.cursor, index
        self._show_cursor()
        if self._count and (moved or announce):
            self._post_highlight(by_person=by_person)
        if announce:
            self.refresh()

    def _post_highlight(self, *, by_person: bool) -> None:
        self.post_message(self.Highlighted(self, self.cursor, by_person))

    def _show_cursor(self) -> None:
        if self.is_mounted and self.size.height:
            self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, immediate=True, force=True)

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self._count - 1))

    def on_resize(self) -> None:
        self._sync()
        self._show_cursor()

    # marks -----------------------------------------------------------------

    @property
    def marked(self) -> list[Hashable]:
        """The keys of the marked rows."""
        return list(self._marks)

    def toggle_mark(self, index: int | None = None) -> None:
        """Mark a row, or take its mark away; the one under the cursor where none is named."""
        index = self.cursor if index is None else index
        if 0 <= index < self._count:
            self._marks ^= {self.key(index)}
            self.refresh()

    def set_marks(self, keys: Iterable[Hashable]) -> None:
        """Mark exactly these rows."""
        self._marks = set(keys)
        self.refresh()

    # painting --------------------------------------------------------------

    def _sync(self) -> None:
        # No width of its own: a fixed one would draw a horizontal bar in narrow panes.
        self.virtual_size = Size(max(1, self.scrollable_content_region.width), self._count)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if index >= self._count:
            text = f" {self._empty}" if not self._count and y == 0 else ""
            return strip(self, "line-list", [(text, "empty")], width)
        over = []
        if self.key(index) in self._marks:
            over.append("line-list--marked")
        if index == self.cursor:
            over.append("line-list--cursor")
        return strip(self, self.PREFIX, self.row(index), width, *over)

    def watch_cursor(self, old: int, new: int) -> None:
        for index in (old, new):
            self.refresh_lines(index, 1)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = offset.y + self.scroll_offset.y
        if index >= self._count:
            return
        if index == self.cursor and event.chain > 1:
            self.action_select()
        else:
            self.move_to(index)
