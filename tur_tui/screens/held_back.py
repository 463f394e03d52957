"""What is held back for people though no conflict stops it: a quarantined agent's memories; let in or dropped here."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import HeldBack
from tur_engine.text import excerpt, visible

from ..calls import ask, one_line
from ..desk.as_of import locked
from ..drawing.wording import content
from ..drawing.wrapping import fit
from ..messages import Failed, HeldBackRead
from ..widgets.line_list import LineList, Row
from ..widgets.problem import Problem
from .modal import TOO_SMALL, Modal


class HeldBackScreen(Modal[None]):
    """`a` lets the memory under the cursor in, `d` drops it; Esc leaves."""

    CSS_PATH = "asking.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "admit", "Let in"),
        Binding("d,delete", "drop", "Drop"),
        Binding("escape,q,h", "dismiss(None)", "Leave"),
    ]

    def __init__(self, engine: Engine, held: list[HeldBack], drop: Callable[[str, str], object]) -> None:
        super().__init__()
        self.engine, self._held, self._drop = engine, held, drop
        self._working = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall") as dialog:
            dialog.border_title = "Held back"
            dialog.border_subtitle = "a lets in   d drops   Esc leaves"
            yield LineList(self._row, len(self._held), empty="Nothing is held back.", id="held")
            with VerticalScroll(id="whole", can_focus=False):
                yield Static("", id="text", markup=False)
            yield Problem()

    def on_mount(self) -> None:
        self.query_one(LineList).focus()
        self._show()

    @property
    def _current(self) -> HeldBack | None:
        place = self.query_one(LineList).cursor
        return self._held[place] if place < len(self._held) else None

    def _row(self, index: int) -> Row:
        each = self._held[index]
        memory = each.belief.memory
        head = f" {memory.short_id}  {fit(visible(str(memory.author), newlines=False), 20)}  "
        width = max(8, self.query_one(LineList).size.width - len(head))
        return [(head, ""), (fit(excerpt(memory.content, 200), width), "")]

    def on_line_list_highlighted(self) -> None:
        self._show()

    def _show(self) -> None:
        each = self._current
        reason = f"\n{visible(each.reason, newlines=False)}" if each and each.reason else ""
        self.query_one("#text", Static).update(content(each.belief.memory) + reason if each else "")

    def action_admit(self) -> None:
        engine = self.engine
        self._do(lambda ref: engine.admit(ref, reason="looked at in the workbench"), "let in")

    def action_drop(self) -> None:
        self._do(lambda ref: self._drop(ref, "dropped in the workbench"), "dropped")

    def _do(self, call: Callable[[str], object], word: str) -> None:
        each, engine = self._current, self.engine
        if each is None or self._working:
            return
        if self.too_small:
            return self.tell(TOO_SMALL)
        if engine.read_only:
            return self.tell(locked(engine, "changed"))
        self._working = True
        ref, name = each.belief.id, each.belief.memory.short_id

        def work() -> Message:
            problem = ""
            try:
                call(ref)
            except TurError as error:
                problem = one_line(str(error))
            return HeldBackRead(engine.held_back(), "" if problem else f"{name} is {word}.", problem)

        ask(self, work, group="held-back", newest_only=False)

    def on_held_back_read(self, message: HeldBackRead) -> None:
        message.stop()
        self._working = False
        place = self.query_one(LineList).cursor
        self._held = message.held
        self.query_one(LineList).show_rows(len(self._held), cursor=min(place, max(0, len(self._held) - 1)))
        self._show()
        self.tell(message.problem or message.told)

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self._working = False
        self.tell(message.sentence)
