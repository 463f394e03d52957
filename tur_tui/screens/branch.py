"""The form of verb `b`: which side to narrow, and to which path or git branch."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Label, RadioButton, RadioSet, Static

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Belief, Conflict, Scope, Verb
from tur_engine.text import excerpt

from ..widgets.fields import PlainInput
from ..widgets.problem import Problem
from .deciding import DecidingScreen


class Choice(RadioButton):
    """`(x)` or `( )`: which one is chosen must not hang on a colour."""

    @property
    def _button(self) -> Content:
        return Content("(x)" if self.value else "( )")


class BranchScreen(DecidingScreen):
    """Enter or ctrl+s writes, Esc leaves."""

    CSS_PATH: ClassVar = ["dialogs.tcss", "branch.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "save", "Save", priority=True),
        Binding("escape", "dismiss(None)", "Leave"),
    ]
    DRAFTED = ("path", "branch")

    def __init__(self, engine: Engine, conflict: Conflict, *, path: str, branch: str) -> None:
        super().__init__(engine, conflict)
        self._path, self._branch = path, branch

    @property
    def about(self) -> str:
        return f"branch {self.conflict.id}"

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Narrow one side: F2 or Enter in a field writes, Esc leaves"
            yield Label("The memory to narrow; arrows and space choose", markup=False)
            with RadioSet(id="side"):
                yield Choice(_label("New", self.conflict.challenger), value=True)
                yield Choice(_label("Existing", self.conflict.incumbent))
            yield Label("Path below the store's root", markup=False)
            yield PlainInput(self._path, placeholder="for example src/api", id="path")
            yield Label("Git branch", markup=False)
            yield PlainInput(self._branch, placeholder="for example main", id="branch")
            yield Static("", id="effect", markup=False)
            yield Problem()

    def on_mount(self) -> None:
        self.query_one("#path", Input).focus()
        self._say()

    def on_key(self, event: events.Key) -> None:
        """Letters typed on the two sides are meant for the path: they go there instead of nowhere."""
        if event.is_printable and event.key != "space" and isinstance(self.focused, RadioSet):
            event.stop()
            path = self.query_one("#path", Input)
            self.set_focus(path)
            path.post_message(events.Key(event.key, event.character))

    @on(Input.Changed)
    @on(RadioSet.Changed)
    def _say(self) -> None:
        """Say what the form would do as it stands."""
        self.tell(self.gone)
        side, other = ("new", "existing") if self._side == "challenger" else ("existing", "new")
        try:
            scope = self._scope()
        except TurError as error:
            self.tell(str(error))
            scope = None
        if scope is None:
            text = "Give a path, a branch or both."
        else:
            places = [f"in {scope.path}"] if scope.path else []
            where = " ".join([*places, f"on branch {scope.branch}"] if scope.branch else places)
            text = f"The {side} memory would hold only {where}; everywhere else the {other} one alone."
        self.query_one("#effect", Static).update(text)

    @on(Input.Submitted)
    def action_save(self) -> None:
        try:
            scope = self._scope()
        except TurError as error:
            self.tell(str(error))
            return
        if scope is None:
            self.tell("Nothing is narrowed yet: give a path, a branch or both.")
            return
        self.settle(Verb.BRANCH, side=self._side, scope=scope)

    @property
    def _side(self) -> Literal["incumbent", "challenger"]:
        return "incumbent" if self.query_one("#side", RadioSet).pressed_index == 1 else "challenger"

    def _scope(self) -> Scope | None:
        """The scope the form stands for; None while both fields are empty. Raises BadInput."""
        path = self.query_one("#path", Input).value.strip()
        branch = self.query_one("#branch", Input).value.strip()
        if not path and not branch:
            return None
        narrowed = self.conflict.challenger if self._side == "challenger" else self.conflict.incumbent
        return Scope(level=narrowed.memory.scope.level, path=path or None, branch=branch or None)


def _label(word: str, belief: Belief) -> Content:
    return Content(f"{word}: {excerpt(belief.memory.content, 56)}")
