"""The form behind `P`: ask people to put the new text in the invariant's place."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Conflict, Draft, Outcome

from ..actions import key
from ..calls import ask, one_line
from ..drawing.wording import content
from ..messages import Failed, Filed
from ..widgets.fields import PlainInput
from ..widgets.problem import Problem
from .drafting import DraftingScreen
from .modal import TOO_SMALL


class ProposeScreen(DraftingScreen[Filed | None]):
    """Enter files the proposal, Esc leaves. Nothing changes before it is signed."""

    CSS_PATH = "asking.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Leave")]
    DRAFTED = ("reason",)

    def __init__(self, engine: Engine, conflict: Conflict) -> None:
        super().__init__()
        self.engine, self.conflict = engine, conflict
        self._filing = False

    @property
    def about(self) -> str:
        return f"propose {self.conflict.id}"

    def compose(self) -> ComposeResult:
        old, new = self.conflict.incumbent.memory, self.conflict.challenger.memory
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(f"Propose in place of {old.short_id}")
            dialog.border_subtitle = "Enter files it   Esc leaves"
            yield Static("In force now", markup=False)
            yield Static(content(old), classes="quote", markup=False)
            yield Static("Proposed in its place", markup=False)
            yield Static(content(new), classes="quote", markup=False)
            yield PlainInput(placeholder="Why; reviewers read this", id="reason")
            yield Problem()

    def on_mount(self) -> None:
        self.query_one("#reason", Input).focus()

    @on(Input.Submitted, "#reason")
    def file(self, message: Input.Submitted) -> None:
        message.stop()
        reason = message.value.strip()
        if self._filing:
            return
        if self.too_small:
            self.tell(TOO_SMALL)
            return
        if not reason:
            self.tell("Say why: people decide on it.")
            return
        self._filing = True
        engine, conflict = self.engine, self.conflict

        def call() -> Message:
            old, new = conflict.incumbent.memory, conflict.challenger.memory
            draft = Draft(
                content=new.content,
                type=old.type,
                scope=old.scope,
                topic=old.topic,
                author=engine.actor,
                provenance=engine.stamp(),
            )
            try:
                result = engine.propose(draft, replaces=[old.id], reason=reason)
            except TurError as error:
                return Filed(one_line(str(error)), False)
            if result.outcome is Outcome.PROPOSED:
                signed = f"{key('screen.admin')} opens the admin screen"
                return Filed(f"The proposal is filed and waits for signatures; {signed}.", True)
            return Filed(f"Nothing was filed: the gate answers {result.outcome.replace('_', ' ')}.", False)

        ask(self, call, group="propose", newest_only=False)

    def on_filed(self, message: Filed) -> None:
        message.stop()
        self._filing = False
        if message.filed:
            self.dismiss(message)
        else:
            self.tell(message.sentence)

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self._filing = False
        self.tell(message.sentence)
