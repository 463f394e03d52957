"""The page of the health screen, and the line over it that tells of the check."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from textual.strip import Strip
from textual.widget import Widget

from tur_engine.records import Health

from ..desk.checking import Check
from ..drawing.grid import Piece
from ..drawing.health_rows import page
from ..drawing.wording import now
from ..drawing.wrapping import fit, wrapped
from .painting import components, strip
from .rows_view import Row, RowsView


class HealthPage(RowsView):
    """Counts, ages, authors, pace, calibration, ledger; in two columns where there is room."""

    PREFIX = "health"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        *("health", "heading", "plain", "strong", "dim", "settled", "suspect", "conflict", "invariant"),
        *("bar", "rest", "mark"),
    )

    DEFAULT_CSS = """
    HealthPage {
        & > .health--heading { color: $text-primary; text-style: bold; }
        & > .health--plain { color: $foreground; }
        & > .health--strong { color: $foreground; text-style: bold; }
        & > .health--dim { color: $feed-dim; }
        & > .health--settled { color: $settled; }
        & > .health--suspect { color: $suspect; text-style: bold; }
        & > .health--conflict { color: $conflict; }
        & > .health--invariant { color: $invariant; }
        & > .health--bar { color: $text-accent; }
        & > .health--rest { color: $feed-dim; }
        & > .health--mark { color: $foreground; text-style: bold; }
        &:ansi > .health--heading, &:ansi > .health--dim, &:ansi > .health--bar, &:ansi > .health--rest {
            color: ansi_default;
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._health: Health | None = None
        self._at: datetime = now()
        self._instead = ""

    def show(self, health: Health, at: datetime) -> None:
        """Show these facts, ages counted from `at`."""
        self._health, self._at = health, at
        self.rebuild()

    def say(self, sentence: str) -> None:
        """Show a sentence where there are no facts."""
        self._health, self._instead = None, sentence
        self.rebuild()

    def build(self, width: int, height: int) -> list[Row]:
        if self._health is None:
            return [[(line, "dim")] for line in wrapped(self._instead, max(1, width))]
        return page(self._health, self._at, width)


class CheckLine(Widget):
    """`Checking ━━━━━━────  12,000 of 100,506 events, 9,800 a second, 9 s left  Esc stops`; nothing while none runs."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("check-line", "word", "done", "rest", "plain", "dim")

    DEFAULT_CSS = """
    CheckLine {
        height: 1;
        display: none;
        color: $foreground;
        & > .check-line--word { color: $foreground; text-style: bold; }
        & > .check-line--done { color: $settled; }
        & > .check-line--rest { color: $graph-edge; }
        & > .check-line--plain { color: $foreground; }
        & > .check-line--dim { color: $feed-dim; }
        &:ansi > .check-line--dim, &:ansi > .check-line--rest { color: ansi_default; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._check: Check | None = None

    def show(self, check: Check | None) -> None:
        """Show how far a check is; None where none goes on."""
        self._check = check
        self.display = check is not None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, check = self.size.width, self._check
        pieces: list[Piece] = self._pieces(check, width) if check and not y else []
        return strip(self, "check-line", pieces, width)

    @staticmethod
    def _pieces(check: Check, width: int) -> list[Piece]:
        head, tail = " Checking ", "  Esc stops "
        rail = max(0, min(30, width - 70))
        words = fit(check.words, max(0, width - len(head) - len(tail) - rail - 1))
        done = round(check.share * rail)
        track: list[Piece] = [("━" * done, "done"), ("─" * (rail - done), "rest"), (" " if rail else "", "")]
        return [(head, "word"), *track, (words, "plain"), (tail, "dim")]
