"""A memory's life, one event a line, the latest on top; and the slider that says which moment is looked at."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tur_engine.records import LifeStep
from tur_engine.text import visible

from ..desk.as_of import track
from ..desk.remembering_life import happened
from ..drawing.grid import Piece
from ..drawing.wording import when
from ..drawing.wrapping import fit, pad
from .line_list import LineList
from .painting import components, strip

_WORD = 11
_ROOMY = 60
"""Cells from which a row has room for the hour."""


class Timeline(LineList):
    """Event, moment, what happened to the memory, who, why. Enter on a row goes to that moment."""

    PREFIX: ClassVar[str] = "timeline"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "timeline", "plain", "dim", "conflict", "settled", "suspect", "invariant"
    )

    DEFAULT_CSS = """
    Timeline {
        & > .timeline--plain { color: $foreground; }
        & > .timeline--dim { color: $feed-dim; }
        & > .timeline--conflict { color: $conflict; text-style: bold; }
        & > .timeline--settled { color: $settled; }
        & > .timeline--suspect { color: $suspect; }
        & > .timeline--invariant { color: $invariant; }
        &:ansi > .timeline--dim { color: ansi_default; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="No memory is in front.")
        self._steps: Sequence[LifeStep] = ()

    def show(self, steps: Sequence[LifeStep], *, keep: bool = False) -> None:
        """Show a life, oldest event last; with `keep` the cursor and the marks stay on their events."""
        seq, marks = (self.seq, self.marked) if keep else (0, [])
        self._steps = tuple(reversed(steps))
        at = next((n for n, step in enumerate(self._steps) if step.entry.seq == seq), 0)
        self.show_rows(len(steps), cursor=at)
        self.set_marks(marks)

    @property
    def step(self) -> LifeStep | None:
        """The event under the cursor."""
        return self._steps[self.cursor] if self._steps and self.cursor < len(self._steps) else None

    @property
    def seq(self) -> int:
        """Its number; 0 for none."""
        return self.step.entry.seq if self.step else 0

    def key(self, index: int) -> Hashable:
        return self._steps[index].entry.seq if index < len(self._steps) else -1 - index

    def row(self, index: int) -> list[Piece]:
        step, width = self._steps[index], self.scrollable_content_region.width
        entry = step.entry
        glyph, word, tone = happened(step)
        mark = "◆" if entry.seq in self.marked else " "
        moment = when(entry.at) if width >= _ROOMY else when(entry.at)[5:10]
        digits = len(str(self._steps[0].entry.seq))
        pieces: list[Piece] = [
            (f"{mark}{entry.seq:>{digits}} ", "plain"),
            (f"{moment} ", "dim"),
            (f"{glyph} {pad(word, _WORD)} ", tone),
        ]
        who = visible(entry.actor.name, newlines=False)
        said = visible(entry.reason or entry.summary, newlines=False)
        used = sum(cell_len(text) for text, _ in pieces)
        name = fit(who, max(0, min(14, width - used)))
        pieces.append((f"{name} ", "dim"))
        return [*pieces, (fit(said, max(0, width - used - cell_len(name) - 1)), "plain")]


class Slider(Widget):
    """`event 120 of 341  2026-03-04 12:00  ━━━━◆────`; a click on the rail goes there."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("slider", "plain", "dim", "known", "knob", "unknown", "past")

    DEFAULT_CSS = """
    Slider {
        height: 1;
        color: $foreground;
        & > .slider--plain { color: $foreground; }
        & > .slider--dim { color: $feed-dim; }
        & > .slider--known { color: $settled; }
        & > .slider--knob { color: $text-accent; text-style: bold; }
        & > .slider--unknown { color: $graph-edge; }
        & > .slider--past { color: $suspect; text-style: bold; }
        &:ansi > .slider--dim, &:ansi > .slider--knob { color: ansi_default; }
    }
    """

    seq: reactive[int] = reactive(0)
    """The event that is looked at."""
    head: reactive[int] = reactive(0)
    """The last one there is."""
    at: reactive[str] = reactive("")
    """When the event was recorded."""

    @dataclass
    class Moved(Message):
        """Somebody clicked on the rail."""

        seq: int

    def _words(self, width: int) -> list[Piece]:
        if not self.head:
            return [(" ", "")]
        if self.seq >= self.head:
            return [(f" now, event {self.head:,} ", "plain")]
        words: list[Piece] = [(f" as of event {self.seq:,} of {self.head:,} ", "past")]
        return [*words, (f"{self.at} ", "dim")] if width >= _ROOMY and self.at else words

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y:
            return strip(self, "slider", [], width)
        words = self._words(width)
        rail = width - sum(cell_len(text) for text, _ in words) - 1
        return strip(self, "slider", [*words, *track(rail, self.seq, self.head)], width)

    def on_click(self, event: events.Click) -> None:
        width = self.size.width
        begin = sum(cell_len(text) for text, _ in self._words(width))
        rail = width - begin - 1
        if self.head > 1 and rail >= 3 and event.x >= begin:
            share = min(1.0, (event.x - begin) / max(1, rail - 1))
            self.post_message(self.Moved(1 + round(share * (self.head - 1))))


class PastBanner(Widget):
    """Across the top of every screen that shows the past."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components("past-banner", "words")

    DEFAULT_CSS = """
    PastBanner {
        dock: top;
        height: 1;
        background: $suspect;
        color: $background;
        & > .past-banner--words { color: $background; background: $suspect; text-style: bold; }
        &:ansi > .past-banner--words { color: ansi_default; background: transparent; text-style: bold reverse; }
    }
    """

    words: reactive[str] = reactive("")
    """The moment: `event 5 of 11, 2026-03-04 12:00`."""

    def __init__(self, words: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(PastBanner.words, words)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        key = " 0 now "
        full = f" THE PAST  as of {self.words}, read-only"
        text = full if cell_len(full) + cell_len(key) <= width else f" PAST  {self.words}"
        room = max(0, width - cell_len(key))
        pieces: list[Piece] = [(pad(fit(text, room), room), "words"), (fit(key, width), "words")]
        return strip(self, "past-banner", pieces if y == 0 else [], width, "past-banner--words")

    async def on_click(self) -> None:
        await self.run_action("app.now")
