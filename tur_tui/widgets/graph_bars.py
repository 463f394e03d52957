"""The two rows on top of the graph screen: where the centre is and how one got there, and the pages of the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tur_engine.text import visible

from ..desk.exploring import Page
from ..desk.surveying import MOST_FOUND, MOST_LISTED
from ..drawing.grid import Piece
from ..drawing.wrapping import fit
from .painting import components, strip

TITLES: Final = {
    Page.FOUND: "Found",
    Page.CONTRADICTIONS: "Contradictions",
    Page.CYCLES: "Cycles",
    Page.ISLANDS: "Islands",
    Page.PATH: "Path",
    Page.TYPES: "Types",
}
_NARROW: Final = {Page.CONTRADICTIONS: "Clashes"}
"""Shorter words where the row is too short for all."""
_MOST: Final = {
    Page.FOUND: MOST_FOUND,
    Page.CONTRADICTIONS: MOST_LISTED,
    Page.CYCLES: MOST_LISTED,
    Page.ISLANDS: MOST_LISTED,
}
"""Rows a page holds at the most: there may be more."""


class CentreLine(Widget):
    """`Graph  fact-1a2b3c4d "text"   path from fact-9f8e7d6c   2 back`, and what is wrong."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("centre-line", "name", "plain", "dim", "start", "warning")

    DEFAULT_CSS = """
    CentreLine {
        height: 1;
        color: $foreground;
        background: $panel;
        & > .centre-line--name { color: $foreground; text-style: bold; }
        & > .centre-line--plain { color: $foreground; }
        & > .centre-line--dim { color: $feed-dim; }
        & > .centre-line--start { color: $text-accent; text-style: bold; }
        & > .centre-line--warning { color: $conflict; text-style: bold; }
        &:ansi > .centre-line--dim, &:ansi > .centre-line--start { color: ansi_default; }
    }
    """

    centre: reactive[str] = reactive("")
    """What is drawn around, in words."""
    start: reactive[str] = reactive("")
    """Where a path begins, while its end is looked for."""
    behind: reactive[int] = reactive(0)
    """How many centres going back can reach."""
    warning: reactive[str] = reactive("")

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        return strip(self, "centre-line", self.pieces(width) if y == 0 else [], width)

    def pieces(self, width: int) -> list[Piece]:
        """The row for a width; the text of the centre gives way."""
        tail: list[Piece] = []
        if self.warning:
            tail.append((f"  ! {visible(self.warning, newlines=False)}", "warning"))
        if self.start:
            tail.append((f"  path from {visible(self.start, newlines=False)}", "start"))
        if self.behind:
            tail.append((f"  {self.behind} back", "dim"))
        room = width - 9 - sum(cell_len(text) for text, _ in tail)
        centre = fit(visible(self.centre, newlines=False), room)
        return [(" Graph  ", "name"), (centre, "plain"), (" " * max(0, room - cell_len(centre)), ""), *tail]


class PageBar(Widget):
    """The pages of the list by name; the one in front stands in brackets. A click shows another one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("page-bar", "shown", "other", "conflict")

    DEFAULT_CSS = """
    PageBar {
        height: 1;
        color: $foreground;
        & > .page-bar--shown { color: $text-accent; text-style: bold; }
        & > .page-bar--other { color: $feed-dim; }
        &:ansi > .page-bar--shown, &:ansi > .page-bar--other { color: ansi_default; }
    }
    """

    page: reactive[Page] = reactive(Page.FOUND)

    @dataclass
    class Chosen(Message):
        """Somebody clicked on a page's name."""

        page: Page

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._counts: dict[Page, int] = {}

    def count(self, counts: Mapping[Page, int]) -> None:
        """Say how much there is on each page; a page that is not named was not read yet."""
        self._counts = dict(counts)
        self.refresh()

    def labels(self, width: int) -> list[tuple[Page, str]]:
        """The pages as they are written; shorter where they would not fit, and at last the one in front alone."""
        for titles in (TITLES, {**TITLES, **_NARROW}):
            made = [(page, self._label(page, title)) for page, title in titles.items()]
            if sum(cell_len(label) for _, label in made) < width:
                return made
        return [(self.page, fit(self._label(self.page, _NARROW.get(self.page, TITLES[self.page])), width - 1))]

    def _label(self, page: Page, title: str) -> str:
        count = self._counts.get(page, -1)
        more = "+" if count == _MOST.get(page) else ""
        number = f" {count}{more}" if count >= 0 else ""
        return f"[{title}{number}]" if page is self.page else f" {title}{number} "

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        pieces: list[Piece] = [(" ", "")]
        if y == 0:
            pieces += [(label, "shown" if page is self.page else "other") for page, label in self.labels(width)]
        return strip(self, "page-bar", pieces, width)

    def on_click(self, event: events.Click) -> None:
        x = 1
        for page, label in self.labels(self.size.width):
            if x <= event.x < x + cell_len(label):
                self.post_message(self.Chosen(page))
                return
            x += cell_len(label)
