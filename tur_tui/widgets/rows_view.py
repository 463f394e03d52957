"""A scrolling pane of rows that are laid out anew for each size."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ..drawing.grid import Piece
from .painting import Inked, strip
from .sizing import hold

Row = list[Piece]


class RowsView(ScrollView, Inked, can_focus=True):
    """Draws what `build` returns; scrolls without animation, since a key must show at once."""

    PREFIX: ClassVar[str] = ""

    DEFAULT_CSS = """
    RowsView {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        color: $foreground;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "line(1)", "Down", show=False),
        Binding("up,k", "line(-1)", "Up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("home", "top", "Top", show=False),
        Binding("end", "bottom", "Bottom", show=False),
    ]

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._rows: list[Row] = []

    def build(self, width: int, height: int) -> list[Row]:
        """All rows for a pane of this size."""
        raise NotImplementedError

    def rebuild(self, *, to_top: bool = False) -> None:
        """Lay the rows out again, after what is shown has changed."""
        region = self.scrollable_content_region
        if not region.width:
            return  # not on a screen yet: the first resize does it
        self._rows = self.build(region.width, region.height)
        hold(self, Size(region.width, len(self._rows)))
        if to_top:
            self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self.refresh()

    def on_resize(self) -> None:
        self.rebuild()

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        pieces = self._rows[row] if row < len(self._rows) else []
        return strip(self, self.PREFIX, pieces, self.scrollable_content_region.width)

    def action_line(self, step: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + step, animate=False, immediate=True, force=True)

    def action_page(self, direction: int) -> None:
        self.action_line(direction * max(1, self.scrollable_content_region.height - 1))

    def action_top(self) -> None:
        self.scroll_to(y=0, animate=False, immediate=True, force=True)

    def action_bottom(self) -> None:
        self.scroll_to(y=self.max_scroll_y, animate=False, immediate=True, force=True)


def cell(pieces: Row, width: int, tone: str = "") -> Row:
    """Pieces filled up to `width` cells in a tone."""
    blanks = width - sum(cell_len(text) for text, _ in pieces)
    return [*pieces, (" " * blanks, tone)] if blanks > 0 else pieces
