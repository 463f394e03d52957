"""The passphrase of a reviewer's key, typed into a masked field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Label, RadioSet, Static

from tur_engine.records import ReviewerKey

from ..calls import ask
from ..desk.reviewing import KeyLock
from ..drawing.governing import name, short
from ..widgets.passphrase import Passphrase
from ..widgets.problem import Problem
from .admin_messages import Refused, Unlocked
from .admin_modal import TOO_SMALL, ReviewerModal
from .branch import Choice

if TYPE_CHECKING:
    from tur_engine.governor import Governor, Signer

LOOK = 0.5
"""Seconds between two looks at the clock: a passphrase half typed is not left lying about."""


class UnlockScreen(ReviewerModal[bool]):
    """Enter unlocks, Esc leaves. A wrong passphrase is said, and costs nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]

    def __init__(
        self, governor: Governor, key_lock: KeyLock[Signer], keys: Sequence[ReviewerKey], purpose: str = ""
    ) -> None:
        super().__init__(governor, key_lock)
        self._keys, self._purpose = tuple(keys), purpose

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Unlock a key"
            dialog.border_subtitle = "Enter unlocks, Esc leaves"
            if self._purpose:
                yield Static(self._purpose, classes="purpose", markup=False)
            if len(self._keys) > 1:
                yield Label("The key; arrows and space choose", markup=False)
                with RadioSet(id="key"):
                    for number, each in enumerate(self._keys):
                        yield Choice(Content(f"{name(each.name)}, {short(each.id)}"), value=number == 0)
            yield Label(self._asked(), id="asked", markup=False)
            yield Passphrase(id="passphrase")
            yield Problem(spare=True)

    def on_mount(self) -> None:
        self.query_one("#passphrase", Input).focus()
        self.set_interval(LOOK, self._look)

    def _look(self) -> None:
        if self.key_lock.idle_for >= self.key_lock.idle and not self.writing:
            self.dismiss(None)

    def _asked(self) -> str:
        key = self._key
        return f"Passphrase of {name(key.name)}, {short(key.id)}"

    @property
    def _key(self) -> ReviewerKey:
        chosen = self.query("#key").results(RadioSet)
        index = next((each.pressed_index for each in chosen), 0)
        return self._keys[max(0, index)]

    @on(RadioSet.Changed)
    def _say_whose(self) -> None:
        self.query_one("#asked", Label).update(self._asked())

    @on(Input.Changed)
    def _typing(self) -> None:
        self.key_lock.touch()
        if not self.writing and self.query_one("#passphrase", Input).value:
            self.tell("")

    @on(Input.Submitted)
    def _unlock(self) -> None:
        field = self.query_one("#passphrase", Input)
        if self.writing:
            return
        if self.too_small:
            self.tell(TOO_SMALL)
            return
        if not field.value:
            self.tell("Type the passphrase, then Enter; Esc leaves.")
            return
        passphrase, key, governor = field.value, self._key.id, self.governor
        field.value = ""
        self.writing = True
        self.tell("Checking...")

        def unlock() -> Message:
            return Unlocked(governor.unlock(passphrase, key))

        ask(self, unlock, group="unlock", failed=Refused)

    def on_unlocked(self, message: Unlocked) -> None:
        message.stop()
        self.writing = False
        self.key_lock.unlock(message.signer)
        self.dismiss(True)

    def refusal(self, sentence: str) -> str:
        return f"{sentence} Nothing was signed; try again, or leave with Esc."
