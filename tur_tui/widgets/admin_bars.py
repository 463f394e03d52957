"""The two rows on top of the admin screen: whether a key is unlocked, and which page is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tur_engine.text import visible

from ..desk.reviewing import View
from ..drawing.grid import Piece
from ..drawing.wrapping import fit, fit_end
from .painting import components, strip

TITLES = {View.WAITING: "w Waiting", View.DECIDED: "d Decided", View.REVIEWERS: "v Reviewers", View.LOG: "g Signed log"}
"""Each page with the key that shows it."""
_WORTH_IT = 12
"""Cells from which a cut path still says something."""


class LockLine(Widget):
    """`LOCKED` or `UNLOCKED mara key-1a2b3c4d, locks itself in 5 min`, what is wrong, and the store."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("lock-line", "locked", "unlocked", "plain", "dim", "warning")

    DEFAULT_CSS = """
    LockLine {
        height: 1;
        color: $foreground;
        background: $panel;
        & > .lock-line--locked { color: $foreground; text-style: bold; }
        & > .lock-line--unlocked { color: $suspect; text-style: bold; }
        & > .lock-line--plain { color: $foreground; }
        & > .lock-line--dim { color: $feed-dim; }
        & > .lock-line--warning { color: $conflict; text-style: bold; }
        &:ansi > .lock-line--unlocked { text-style: bold reverse; }
        &:ansi > .lock-line--dim { color: ansi_default; }
    }
    """

    signer: reactive[str] = reactive("")
    """Who may sign now; "" while the key is locked."""
    minutes: reactive[str] = reactive("")
    """How long until it locks itself, in words."""
    remark: reactive[str] = reactive("")
    """Beside LOCKED: what to do, or why nothing can be signed."""
    warning: reactive[str] = reactive("")
    store: reactive[str] = reactive("")

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        return strip(self, "lock-line", self.pieces(width) if y == 0 else [], width)

    def pieces(self, width: int) -> list[Piece]:
        """The row for a width; the path of the store gives way first."""
        if self.signer:
            row: list[Piece] = [
                (" ", ""),
                (" UNLOCKED ", "unlocked"),
                (f" {visible(self.signer, newlines=False)}", "plain"),
            ]
            row.append((f", locks itself in {self.minutes}", "dim"))
        else:
            row = [(" ", ""), ("LOCKED", "locked")]
            row += [(f"  {visible(self.remark, newlines=False)}", "dim")] if self.remark else []
        if self.warning:
            row.append((f"  ! {visible(self.warning, newlines=False)}", "warning"))
        used = sum(cell_len(text) for text, _ in row)
        room = width - used - 4
        if self.store and room >= _WORTH_IT:
            store = fit_end(visible(self.store, newlines=False), room)
            row += [(" " * (room + 3 - cell_len(store)), ""), (store, "dim")]
        return row


class ViewBar(Widget):
    """The pages by name; the one shown stands in brackets. A click shows another one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("view-bar", "shown", "other")

    DEFAULT_CSS = """
    ViewBar {
        height: 1;
        color: $foreground;
        & > .view-bar--shown { color: $text-accent; text-style: bold; }
        & > .view-bar--other { color: $feed-dim; }
        &:ansi > .view-bar--shown, &:ansi > .view-bar--other { color: ansi_default; }
    }
    """

    view: reactive[View] = reactive(View.WAITING)

    @dataclass
    class Chosen(Message):
        """Somebody clicked on a page's name."""

        view: View

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._counts: dict[View, int] = {}

    def count(self, counts: Mapping[View, int]) -> None:
        """Say how much there is on each page."""
        self._counts = dict(counts)
        self.refresh()

    def labels(self) -> list[tuple[View, str]]:
        """The pages as they are written, all of one width whichever is shown."""
        made = []
        for view, title in TITLES.items():
            number = f" {self._counts[view]:,}" if view in self._counts else ""
            made.append((view, f"[{title}{number}]" if view is self.view else f" {title}{number} "))
        return made

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        pieces: list[Piece] = [(" ", "")]
        for view, label in self.labels() if y == 0 else []:
            pieces.append((label + " ", "shown" if view is self.view else "other"))
        if sum(cell_len(text) for text, _ in pieces) > width:
            shown = next(label for view, label in self.labels() if view is self.view)
            pieces = [(fit(f" {shown}", width), "shown")]
        return strip(self, "view-bar", pieces, width)

    def on_click(self, event: events.Click) -> None:
        x = 1
        for view, label in self.labels():
            if x <= event.x < x + cell_len(label):
                self.post_message(self.Chosen(view))
                return
            x += cell_len(label) + 1
