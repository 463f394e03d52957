"""The merge editor: both texts above, one editable below, and what it would still contradict as one types."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static, TextArea
from textual.widgets.text_area import Selection

from tur_engine.engine import Engine
from tur_engine.errors import TurError, UnknownId
from tur_engine.records import Belief, Conflict, LearnResult, Outcome, Status, Verb
from tur_engine.text import excerpt

from ..calls import ask, one_line
from ..desk.merging import sentences, starting_text
from ..drawing.wording import content, standing
from ..messages import Rechecked
from ..widgets.fields import PlainTextArea
from ..widgets.problem import Problem
from .deciding import DecidingScreen

PAUSE = 0.25
"""Seconds of rest in typing before the text is checked."""


class MergeScreen(DecidingScreen):
    """ctrl+s or F2 saves, Esc leaves. A text that still clashes is saved only when asked twice."""

    CSS_PATH = "merge.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "save", "Save", priority=True),
        Binding("escape", "dismiss(None)", "Leave"),
    ]
    DRAFTED = ("editor",)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-beside")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-tall")]  # noqa: RUF012

    def __init__(self, engine: Engine, conflict: Conflict) -> None:
        super().__init__(engine, conflict)
        self._starting = starting_text(conflict.incumbent.memory.content, conflict.challenger.memory.content)
        self._checked: Rechecked | None = None
        self._warned_of: str | None = None
        self._timer: Timer | None = None

    @property
    def about(self) -> str:
        return f"merge {self.conflict.id}"

    def compose(self) -> ComposeResult:
        with Horizontal(id="sides"):
            yield from _side("Existing", self.conflict.incumbent)
            yield from _side("New", self.conflict.challenger)
        with Vertical(id="below"):
            editor = PlainTextArea(self._starting.text, id="editor", soft_wrap=True, show_line_numbers=False)
            editor.border_title = "Merged text: replaces both. F2 or ctrl+s saves, Esc leaves"
            yield editor
            yield Static("Checking...", id="check", markup=False)
            yield Problem(self._note())

    def on_mount(self) -> None:
        editor = self.query_one("#editor", TextArea)
        editor.selection = Selection(
            _location(self._starting.text, self._starting.start), _location(self._starting.text, self._starting.end)
        )
        editor.focus()
        self._check()

    @on(TextArea.Changed)
    def _check_soon(self) -> None:
        if self._timer:
            self._timer.stop()
        self.query_one("#check", Static).update("" if self.gone else "Checking...")
        self.tell(self.gone)
        self._timer = self.set_timer(PAUSE, self._check)

    def _check(self) -> None:
        engine, conflict, text = self.engine, self.conflict.id, self._text

        def check() -> Rechecked:
            try:
                result = engine.check_text(text, conflict=conflict)
                whole = Rechecked(text, result, held=_held(engine, result))
                return _by_sentence(engine, conflict, whole) if _clean(whole) else whole
            except TurError as error:
                return Rechecked(text, None, one_line(str(error)))

        ask(self, check, group="recheck", failed=lambda sentence: Rechecked(text, None, sentence))

    def on_rechecked(self, message: Rechecked) -> None:
        message.stop()
        if message.text != self._text or self.gone:
            return
        self._checked = message
        check = self.query_one("#check", Static)
        check.set_class(not _clean(message), "clash")
        check.update(verdict(message))

    def settled_elsewhere(self, sentence: str) -> None:
        super().settled_elsewhere(sentence)
        if self.gone:
            self.query_one("#check", Static).update("")
            self.query_one("#editor", TextArea).border_title = "F7 marks the text, ctrl+c copies it, Esc leaves"

    def action_save(self) -> None:
        if self.gone:
            self.tell(self.gone)
            return
        text = self._text
        checked = self._checked if self._checked and self._checked.text == text else None
        if checked and _refused(checked):
            self.tell("Not saved. Change the text, or leave with Esc.")
            self._check()  # what stood against it may be settled by now
            return
        if checked and not _clean(checked) and self._warned_of != text:
            self._warned_of = text
            self.tell("Save again to store it all the same, or change the text.")
            return
        self.settle(Verb.MERGE, text=text)

    @property
    def _text(self) -> str:
        return self.query_one("#editor", TextArea).text

    def _note(self) -> str:
        dropped = self._starting.dropped
        if not dropped:
            return ""
        return f"{dropped} hidden character{'s' if dropped > 1 else ''} of the two texts left out here."


def verdict(checked: Rechecked) -> str:
    """What the gate says to the text, in one sentence."""
    if checked.result is None:
        return checked.problem
    result = checked.result
    this = f'"{excerpt(checked.part, 60)}"' if checked.part else "This text"
    if result.outcome is Outcome.DUPLICATE:
        return f"This text says what {_named(result)} says already."
    if result.outcome is Outcome.INVARIANT and result.invariant:
        return f"{this} still contradicts the invariant {_quoted(result.invariant)}; it cannot be stored."
    if checked.held:
        return f"This text is what {_named(result)} says, which is held itself: settle that one first."
    if not result.conflicts:
        return "This text contradicts nothing that is believed."
    first, *more = result.conflicts
    others = f", and {len(more)} more" if more else ""
    against = f"{_quoted(first.conflict.incumbent)}{others}"
    return f"{this} still contradicts {against}; saved twice it is stored. {one_line(first.conflict.reason)}"


def _clean(checked: Rechecked) -> bool:
    result = checked.result
    if result is None or result.conflicts:
        return False
    return result.outcome in (Outcome.COMMITTED, Outcome.DUPLICATE)


def _by_sentence(engine: Engine, conflict: str, whole: Rechecked) -> Rechecked:
    """The first sentence of a text that contradicts something, where the whole seems not to."""
    for part in sentences(whole.text):
        result = engine.check_text(part, conflict=conflict)
        if result.conflicts or result.outcome is Outcome.INVARIANT:
            return Rechecked(whole.text, result, part=part)
    return whole


def _refused(checked: Rechecked) -> bool:
    """Whether the gate would not take the text however often it is saved."""
    result = checked.result
    return result is None or checked.held or result.outcome is Outcome.INVARIANT


def _held(engine: Engine, result: LearnResult) -> bool:
    """Whether a memory that waits at the gate says just this."""
    if result.outcome is not Outcome.CONFLICT or result.id is None:
        return False
    try:
        return engine.memory(result.id).status is Status.HELD
    except UnknownId:
        return False


def _named(result: LearnResult) -> str:
    name = result.duplicate_of or result.id or "another memory"
    kind, _, digest = name.partition("-")
    return f"{kind}-{digest[:8]}"


def _quoted(belief: Belief) -> str:
    return f'{belief.memory.short_id} ("{excerpt(belief.memory.content, 60)}")'


def _side(word: str, belief: Belief) -> ComposeResult:
    with VerticalScroll(classes="side") as side:
        side.border_title = Content(f"{word} {belief.memory.short_id}")
        side.border_subtitle = Content(standing(belief))
        yield Static(content(belief.memory), markup=False)


def _location(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset].split("\n")
    return len(before) - 1, len(before[-1])
