"""A memory taken back: its text, what would be doubted, and the reason that stays on record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from tur_engine.engine import Engine
from tur_engine.records import Belief, Verb

from ..calls import ask, one_line
from ..drawing.wording import content, counted, standing
from ..widgets.fields import PlainInput
from ..widgets.problem import Problem
from .history_dialog import HistoryDialog
from .history_messages import Foreseen, Refused, Retired
from .modal import TOO_SMALL

if TYPE_CHECKING:
    from tur_engine.governor import Governor

NO_REASON = "Say why, in a sentence: the reason stays on record."


class RetireScreen(HistoryDialog):
    """Enter or F2 retires once a reason stands in it; Esc leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "retire", "Retire", priority=True),
        Binding("escape", "leave", "Leave"),
    ]
    DRAFTED = ("reason",)

    def __init__(self, engine: Engine, belief: Belief, governor: Callable[[], Governor]) -> None:
        super().__init__()
        self._engine, self._belief, self._governor = engine, belief, governor

    @property
    def about(self) -> str:
        return f"retire {self._belief.id}"

    def compose(self) -> ComposeResult:
        memory = self._belief.memory
        with Vertical(classes="dialog") as dialog:
            asks = "Propose the retirement of" if self._belief.approved else "Retire"
            dialog.border_title = Content(f"{asks} {memory.short_id}")
            does = "proposes" if self._belief.approved else "retires"
            dialog.border_subtitle = Content(f"Enter or F2 {does}, Esc leaves")
            with VerticalScroll(id="old") as old:
                old.can_focus = False
                yield Static(content(memory), markup=False)
            yield Static(standing(self._belief), classes="dim", markup=False)
            yield Static("Looking what rests on it...", id="check", markup=False)
            yield PlainInput(placeholder="why it no longer holds", id="reason")
            yield Problem(spare=True)

    def on_mount(self) -> None:
        self.tell("")
        self.query_one("#reason", Input).focus()
        engine, ref, law = self._engine, self._belief.id, self._belief.approved

        def look() -> Foreseen:
            if law:
                return Foreseen("It is an invariant: reviewers decide about its retirement; it holds until then.")
            suspects = engine.what_if(ref, Verb.REFUTE).suspects
            if not suspects:
                return Foreseen("Nothing rests on it. It stays readable in the history.")
            names = ", ".join(each.belief.memory.short_id for each in suspects[:3])
            more = ", ..." if len(suspects) > 3 else ""
            told = counted(len(suspects), "memory rests on it and becomes", "memories rest on it and become")
            return Foreseen(f"{told} suspect: {names}{more}.")

        ask(self, look, group="foresee", failed=Foreseen)

    def on_foreseen(self, message: Foreseen) -> None:
        message.stop()
        self.query_one("#check", Static).update(one_line(message.sentence))

    @on(Input.Submitted)
    def action_retire(self) -> None:
        if self.writing:
            return
        reason = self.query_one("#reason", Input).value.strip()
        if self.too_small or not reason:
            self.tell(TOO_SMALL if self.too_small else NO_REASON)
            return
        engine, belief, governor = self._engine, self._belief, self._governor

        def write() -> Retired:
            name = belief.memory.short_id
            if belief.approved:
                engine.propose_retirement(belief.id, reason)
                return Retired(f"The retirement of {name} is proposed; it waits for reviewers on the admin screen (2).")
            seq = governor().retract(belief.id, reason)
            return Retired(f"{name} is retired (event {seq}).")

        self.writing = True
        self.tell("Retiring...")
        ask(self, write, group="retire", failed=Refused)

    def on_retired(self, message: Retired) -> None:
        message.stop()
        self.dismiss(message.sentence)
