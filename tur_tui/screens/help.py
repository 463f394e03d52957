"""The help screen, made of the action table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ..actions import ACTIONS, Action, Group, shown, with_keys
from ..widgets.diff_view import DiffView
from ..widgets.line_list import LineList
from ..widgets.neighbourhood import NeighbourhoodPane
from ..widgets.rows_view import RowsView
from ..widgets.verb_bar import VerbBar
from .modal import Modal

INTRODUCTION = (
    "The gate stopped a new memory because it contradicts an existing one, or let both in and marked them as "
    "contested. Here a person decides. A verb acts at once, on the conflict in front; Undo takes it back. "
    "Verbs are dead in text fields and where the window is smaller than 60 by 15."
)


MARKS = (
    "In front of a line of the two texts: ~ the same line with changed words, - only in the existing memory, "
    "+ only in the new one. Underlined words are those the evidence points at."
)


PANES = (
    ("In the feed", LineList),
    ("In the conflict and the reasons", RowsView),
    ("In the conflict", DiffView),
    ("In the neighbourhood", NeighbourhoodPane),
    ("On the verbs", VerbBar),
)
"""Panes with keys of their own."""


class HelpScreen(Modal[None]):
    """Every key, by group. Esc, q or ? leaves."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "dismiss(None)", "Close")]

    def __init__(
        self,
        actions: Sequence[Action] = ACTIONS,
        introduction: str = INTRODUCTION,
        panes: Sequence[tuple[str, type[Widget]]] = PANES,
    ) -> None:
        super().__init__()
        self._actions, self._introduction, self._own_panes = actions, introduction, panes

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog tall") as dialog:
            dialog.can_focus = True
            dialog.border_title = "Keys"
            dialog.border_subtitle = "Esc closes"
            yield Static(with_keys(self._introduction), classes="prose", markup=False)
            for group, actions in groupby(_ordered(self._actions), key=lambda each: each.group):
                yield Static(group, classes="heading", markup=False)
                for each in actions:
                    with Horizontal(classes="row"):
                        yield Static(each.shown, classes="key", markup=False)
                        yield Static(Content.assemble((f"{each.label}. ", "bold"), with_keys(each.help)), markup=False)
            for title, widget in self._own_panes:
                yield Static(title, classes="heading", markup=False)
                yield Static(_keys_of(widget), markup=False)
                if widget is DiffView:
                    yield Static(MARKS, classes="prose", id="marks", markup=False)


def _keys_of(widget: type[Widget]) -> Content:
    """The keys that a pane takes while it has the focus, from its bindings."""
    parts: list[str | tuple[str, str]] = []
    for binding in widget.BINDINGS:
        if isinstance(binding, Binding):
            parts += [(shown(binding.key.split(",")), "bold"), f" {binding.description}   "]
    return Content.assemble(*parts)


def _ordered(actions: Sequence[Action]) -> list[Action]:
    order = list(Group)
    return sorted(actions, key=lambda each: order.index(each.group))
