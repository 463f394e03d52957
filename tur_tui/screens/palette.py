"""The palette: type a few letters of what is wanted, Enter does it, shows it, or opens the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from tur_engine.engine import Engine
from tur_engine.records import Belief

from ..actions import action
from ..calls import ask, one_line
from ..desk.palette import Offer, Palette
from ..messages import Failed
from ..widgets.fields import PlainInput
from ..widgets.line_list import LineList
from ..widgets.palette_list import PaletteList
from .modal import Modal

_PAUSE: Final = 0.06
"""Seconds of rest in typing before memories are looked for."""
MOST_FOUND: Final = 12


@dataclass
class MemoriesFound(Message):
    """The memories that are meant by what was typed."""

    typed: str
    beliefs: Sequence[Belief]


class PaletteScreen(Modal[Offer]):
    """Dismissed with what was chosen; Esc chooses nothing."""

    CSS_PATH = "palette.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Close", show=False),
        Binding("ctrl+p", "dismiss(None)", "Close", show=False, id="palette"),
        Binding("down,tab", "row(1)", "Down", show=False),
        Binding("up,shift+tab", "row(-1)", "Up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
    ]

    def __init__(self, engine: Engine | None, palette: Palette) -> None:
        """Without an engine no memories are looked for."""
        super().__init__()
        self.engine, self.palette = engine, palette
        self._moved = False
        self._resting: Timer | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="palette") as frame:
            frame.border_title = Content(action("palette").label)
            frame.border_subtitle = "Enter takes it   Esc closes"
            memories = ", words or the id of a memory" if self.engine else ""
            yield PlainInput(placeholder=f"an action, a theme{memories}", id="typed")
            yield PaletteList(id="offers")
            yield Static("", id="told", markup=False)

    def on_mount(self) -> None:
        self.query_one("#told").display = False
        self._show()

    @on(Input.Changed, "#typed")
    def look(self, message: Input.Changed) -> None:
        self.palette.type(message.value)
        self._moved = False
        self._show()
        if self._resting:
            self._resting.stop()
        if self.palette.looks_for:
            self._resting = self.set_timer(_PAUSE, self._look)

    def _look(self) -> None:
        engine, typed = self.engine, self.palette.looks_for
        if engine is not None and typed:
            ask(self, lambda: MemoriesFound(typed, engine.find(typed, limit=MOST_FOUND)), group="find")

    def on_memories_found(self, message: MemoriesFound) -> None:
        message.stop()
        if self.palette.take_memories(message.typed, message.beliefs):
            self._tell("")
            self._show()

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self._tell(message.sentence)

    def _tell(self, text: str) -> None:
        told = self.query_one("#told", Static)
        told.update(one_line(text))
        told.display = bool(text)

    def _show(self) -> None:
        self.query_one(PaletteList).show(self.palette.offers(), keep=self._moved)

    def action_row(self, step: int) -> None:
        self._moved = True
        self.query_one(PaletteList).action_cursor(step)

    def action_page(self, direction: int) -> None:
        self._moved = True
        self.query_one(PaletteList).action_page(direction)

    @on(Input.Submitted, "#typed")
    def take(self, message: Input.Submitted) -> None:
        message.stop()
        if chosen := self.query_one(PaletteList).chosen:
            self.dismiss(chosen)

    @on(LineList.Selected)
    def take_clicked(self, message: LineList.Selected) -> None:
        message.stop()
        if chosen := self.query_one(PaletteList).chosen:
            self.dismiss(chosen)
