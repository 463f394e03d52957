"""A question before a verb that reaches far: what would happen, yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from ..widgets.problem import Problem
from .modal import TOO_SMALL, Modal

KEYS = "y yes   n no, change nothing"


class ConfirmScreen(Modal[bool]):
    """Answers True only for an explicit yes."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
    ]

    def __init__(self, question: str, effects: Sequence[str]) -> None:
        super().__init__()
        self._question, self._effects = question, effects

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.can_focus = True
            yield Static(self._question, classes="question", markup=False)
            for effect in self._effects:
                yield Static(f"- {effect}", classes="effect", markup=False)
            yield Problem(spare=True)
            yield Static(KEYS, classes="keys", markup=False)

    def action_answer(self, yes: bool) -> None:
        if yes and self.too_small:
            self.tell(TOO_SMALL)
        else:
            self.dismiss(yes)
