"""One row that says where you are: the queue, the filter, whether the feed follows, the store, what is wrong."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.cells import cell_len
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tur_engine.text import visible

from ..drawing.grid import Piece
from ..drawing.wording import counted
from ..drawing.wrapping import fit, fit_end
from .painting import components, strip

_WORTH_IT: Final = 8
"""Cells from which a cut part still says something."""


class StatusLine(Widget):
    """`3 of 17, 2 settled  / filter  following  .tur/ledger.db`; what matters least gives way first."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "status-line", "counter", "plain", "dim", "filter", "warning", "settled"
    )

    DEFAULT_CSS = """
    StatusLine {
        height: 1;
        color: $foreground;
        background: $panel;
        & > .status-line--counter { text-style: bold; }
        & > .status-line--plain { color: $foreground; }
        & > .status-line--dim { color: $feed-dim; }
        & > .status-line--filter { color: $text-accent; text-style: bold; }
        & > .status-line--warning { color: $suspect; text-style: bold; }
        & > .status-line--settled { color: $settled; }
        &:ansi > .status-line--dim { color: ansi_default; }
        &:ansi > .status-line--filter { color: ansi_default; }
    }
    """

    position: reactive[int] = reactive(0)
    """Place of the conflict at hand in the queue, from 1; 0 for none."""
    open_conflicts: reactive[int] = reactive(0)
    settled: reactive[int] = reactive(0)
    """Conflicts settled since the start."""
    marked: reactive[int] = reactive(0)
    filter_text: reactive[str] = reactive("")
    following: reactive[bool] = reactive(True)
    unseen: reactive[int] = reactive(0)
    store: reactive[str] = reactive("")
    warning: reactive[str] = reactive("")
    """One sentence: read-only store, judge not installed, a view of the past."""

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        return strip(self, "status-line", self.pieces(width) if y == 0 else [], width)

    def pieces(self, width: int) -> list[Piece]:
        """The row for a width: counter first, then warning, filter, follow state, store."""
        row: list[Piece] = [(" ", "")]
        used = 1
        for group in self._groups():
            gap = 3 if used > 1 else 0
            room = width - 1 - used - gap
            cells = sum(cell_len(text) for text, _ in group)
            if cells > room >= _WORTH_IT:
                group, cells = [(fit("".join(text for text, _ in group), room), group[0][1])], room
            if cells <= room:
                row += [(" " * gap, ""), *group]
                used += gap + cells
        room = width - 1 - used - 3
        if self.store and room >= _WORTH_IT:
            store = fit_end(visible(self.store, newlines=False), room)
            row += [(" " * (room + 3 - cell_len(store)), ""), (store, "dim")]
        return row

    def _groups(self) -> list[list[Piece]]:
        groups = [self._counter()]
        if self.warning:
            groups.append([(f"! {visible(self.warning, newlines=False)}", "warning")])
        if self.filter_text:
            groups.append([(f"/ {visible(self.filter_text, newlines=False)}", "filter")])
        if self.unseen:
            groups.append([(f"▴ {counted(self.unseen, 'new', 'new')}", "plain")])
        else:
            groups.append([("following" if self.following else "paused", "dim")])
        return groups

    def _counter(self) -> list[Piece]:
        pieces: list[Piece] = []
        if self.open_conflicts:
            where = f"{self.position} of {self.open_conflicts}" if self.position else ""
            pieces.append((where or counted(self.open_conflicts, "open conflict"), "counter"))
        else:
            pieces.append(("no open conflict", "settled"))
        if self.settled:
            pieces.append((f", {self.settled} settled", "settled"))
        if self.marked:
            pieces.append((f", {self.marked} marked", "filter"))
        return pieces
