"""A memory written anew: the old text above, the new one below, and what the gate says to it as one types."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static, TextArea

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Belief, Draft, LearnResult, OnConflict, Outcome
from tur_engine.text import excerpt

from ..calls import ask, one_line
from ..desk.merging import plain
from ..drawing.wording import content, standing
from ..messages import Rechecked
from ..widgets.fields import PlainInput, PlainTextArea
from ..widgets.problem import Problem
from .history_dialog import HistoryDialog
from .history_messages import Corrected, Refused
from .modal import TOO_SMALL

PAUSE = 0.25
"""Seconds of rest in typing before the text is checked."""
UNCHANGED = "The text is as it was: change it, or leave with Esc."


class CorrectScreen(HistoryDialog):
    """ctrl+s or F2 saves, Esc leaves. What still clashes is held at the gate, not stored over it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "save", "Save", priority=True),
        Binding("escape", "leave", "Leave"),
    ]
    DRAFTED = ("text", "reason")

    def __init__(self, engine: Engine, belief: Belief) -> None:
        super().__init__()
        self._engine, self._belief = engine, belief
        self._starting = plain(belief.memory.content)
        self._timer: Timer | None = None
        self.made = ""
        """Id of the memory that the new text became; "" for none yet."""

    @property
    def about(self) -> str:
        return f"correct {self._belief.id}"

    def compose(self) -> ComposeResult:
        memory, law = self._belief.memory, self._belief.approved
        with Vertical(classes="dialog tall") as dialog:
            dialog.border_title = Content(f"Propose {memory.short_id} anew" if law else f"Correct {memory.short_id}")
            dialog.border_subtitle = Content(f"F2 or ctrl+s {'proposes' if law else 'saves'}, Esc leaves")
            yield Static(f"As it stands ({standing(self._belief)}):", classes="dim", markup=False)
            with VerticalScroll(id="old") as old:
                old.can_focus = False
                yield Static(content(memory), markup=False)
            yield Static(
                "The text proposed in its place; reviewers decide:"
                if law
                else "The new text; it supersedes the old one:",
                classes="dim",
                markup=False,
            )
            yield PlainTextArea(self._starting, id="text", soft_wrap=True, show_line_numbers=False)
            if law:
                yield PlainInput(placeholder="why, for the reviewers", id="reason")
            yield Static("", id="check", markup=False)
            yield Problem(spare=True)

    def on_mount(self) -> None:
        self.tell("")
        text = self.query_one("#text", TextArea)
        text.move_cursor(text.document.end)
        text.focus()

    @property
    def _text(self) -> str:
        return self.query_one("#text", TextArea).text

    @property
    def _draft(self) -> Draft:
        """The same memory with another text, in the name of whoever sits here. Raises BadInput."""
        old = self._belief.memory
        return Draft(
            content=self._text,
            type=old.type,
            scope=old.scope,
            topic=old.topic,
            fields=old.fields,
            tags=old.tags,
            relations=old.relations,
            node_type=old.node_type,
            author=self._engine.actor,
            provenance=self._engine.stamp(),
        )

    @on(TextArea.Changed)
    def _check_soon(self) -> None:
        if self._timer:
            self._timer.stop()
        self.tell("")
        if not self._belief.approved:
            self._timer = self.set_timer(PAUSE, self._check)

    def _check(self) -> None:
        text, engine, ref = self._text, self._engine, self._belief.id
        if text == self._starting or self.writing:
            self.query_one("#check", Static).update("")
            return
        try:
            draft = self._draft
        except TurError as error:
            self.on_rechecked(Rechecked(text, None, one_line(str(error))))
            return
        ask(
            self,
            lambda: Rechecked(text, engine.learn(draft, supersedes=[ref], dry_run=True)),
            group="recheck",
            failed=lambda sentence: Rechecked(text, None, sentence),
        )

    def on_rechecked(self, message: Rechecked) -> None:
        message.stop()
        if message.text != self._text:
            return
        check = self.query_one("#check", Static)
        check.update(one_line(foreseen(message.result, self._belief) if message.result else message.problem))
        clean = message.result is not None and message.result.outcome is Outcome.COMMITTED
        check.set_class(not clean or bool(message.result and message.result.conflicts), "clash")

    def action_save(self) -> None:
        if self.writing:
            return
        if self.too_small:
            self.tell(TOO_SMALL)
        elif self._text.strip() == self._starting.strip():
            self.tell(UNCHANGED)
        else:
            self._write()

    def _write(self) -> None:
        engine, old = self._engine, self._belief
        try:
            draft = self._draft
        except TurError as error:
            self.tell(str(error))
            return
        reason = self.query_one("#reason", Input).value if old.approved else ""

        def write() -> Corrected:
            if old.approved:
                return Corrected(engine.propose(draft, replaces=[old.id], reason=reason))
            return Corrected(engine.learn(draft, on_conflict=OnConflict.HOLD, supersedes=[old.id]))

        self.writing = True
        self.tell("Saving...")
        ask(self, write, group="correct", failed=Refused)

    def on_corrected(self, message: Corrected) -> None:
        message.stop()
        self.writing = False
        result = message.result
        if result.outcome in (Outcome.DUPLICATE, Outcome.INVARIANT):
            self.tell(f"Not saved. {foreseen(result, self._belief)}")
        else:
            self.made = result.id or "" if result.outcome is Outcome.COMMITTED else ""
            self.dismiss(outcome(result, self._belief))


def foreseen(result: LearnResult, old: Belief) -> str:
    """What the gate says to the text, before it is saved."""
    if result.outcome is Outcome.DUPLICATE:
        return f"{_named(result)} says this already."
    if result.outcome is Outcome.INVARIANT and result.invariant:
        law = result.invariant.memory
        return f'It contradicts the invariant {law.short_id} ("{excerpt(law.content, 60)}"); it cannot be stored.'
    if result.conflicts:
        against = result.conflicts[0].conflict.incumbent.memory
        said = f'{against.short_id} ("{excerpt(against.content, 60)}")'
        return f"It contradicts {said}: saved, it is held until that is settled."
    return f"It contradicts nothing else; saved, it supersedes {old.memory.short_id}."


def outcome(result: LearnResult, old: Belief) -> str:
    """What was done, in a sentence."""
    name = old.memory.short_id
    if result.outcome is Outcome.PROPOSED:
        return f"Proposed in place of {name}; it waits for reviewers on the admin screen (2)."
    if result.outcome is Outcome.COMMITTED:
        return f"{_named(result)} supersedes {name} (event {result.seq})."
    return f"{_named(result)} is held: it contradicts what is believed. The conflict waits on the triage screen (1)."


def _named(result: LearnResult) -> str:
    kind, _, digest = (result.duplicate_of or result.id or "another memory").partition("-")
    return f"{kind}-{digest[:8]}" if digest else kind
