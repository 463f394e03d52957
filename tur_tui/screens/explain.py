"""One conflict in full: both texts, every piece of evidence, what each verb would change, what happened so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tur_engine.records import Belief, Conflict, Evidence, Exposure, Preview
from tur_engine.text import visible

from ..actions import verb_key
from ..drawing.wording import content, standing, when
from ..messages import Explained
from .modal import Modal

Paragraph = tuple[str, str | Content]
"""A style class of dialogs.tcss and the text; nothing in it is markup."""


class ExplainScreen(Modal[None]):
    """Read only; Esc, q or e leaves."""

    CSS_PATH = "dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,e,enter", "dismiss(None)", "Close")]

    def __init__(self, told: Explained) -> None:
        super().__init__()
        self._told = told

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog tall") as dialog:
            dialog.can_focus = True
            dialog.border_title = "Explained"
            dialog.border_subtitle = "Esc closes"
            for style, text in paragraphs(self._told):
                yield Static(text, classes=style, markup=False)


def paragraphs(told: Explained) -> Iterator[Paragraph]:
    """The explanation, top to bottom."""
    if told.conflict:
        yield from _conflict(told.conflict, told.exposure)
    if told.memory:
        yield from _side(told.memory)
    if told.previews:
        yield "heading", "What each verb would do"
        yield from (("row", _effects(preview)) for preview in told.previews.values())
    yield "heading", "So far"
    for entry in told.history:
        reason = f" ({visible(entry.reason, newlines=False)})" if entry.reason else ""
        actor, summary = visible(str(entry.actor), newlines=False), visible(entry.summary, newlines=False)
        yield "row", f"#{entry.seq} {when(entry.at)} {entry.kind} by {actor}: {summary}{reason}"


def _conflict(conflict: Conflict, exposure: Exposure | None) -> Iterator[Paragraph]:
    yield "prose", _opening(conflict)
    yield "heading", "Existing"
    yield from _side(conflict.incumbent)
    yield "heading", "New"
    yield from _side(conflict.challenger)
    yield "heading", "Why"
    for piece in sorted(conflict.evidence, key=lambda each: -abs(each.weight)):
        yield "row", _evidence(piece)
    if not conflict.evidence:
        yield "row", "No evidence is kept with this conflict."
    if done := conflict.settlement:
        reason = f": {visible(done.reason, newlines=False)}" if done.reason else ", without a reason"
        yield "heading", "Settled"
        yield "row", f"{done.verb} by {visible(str(done.by), newlines=False)} on {when(done.at)}{reason}"
    if exposure and exposure.sentence:
        if not conflict.settlement:
            yield "heading", "Served meanwhile"
        yield "row", visible(exposure.sentence, newlines=False)


def _effects(preview: Preview) -> Content:
    label = (f"{verb_key(preview.verb)} {preview.verb}: ", "bold")
    if not preview.allowed:
        return Content.assemble(label, f"not possible. {visible(preview.reason, newlines=False)}")
    effects = [visible(effect.sentence, newlines=False) for effect in preview.effects]
    return Content.assemble(label, "; ".join(effects) or "nothing changes")


def _opening(conflict: Conflict) -> str:
    dependants = f"{conflict.dependants} memories rest" if conflict.dependants != 1 else "1 memory rests"
    reopened = f" It reopens {conflict.reopens}." if conflict.reopens else ""
    return (
        f"{conflict.id}\n{conflict.probability:.0%} likely that the two cannot both hold; {conflict.conflict_type}, "
        f"found by {conflict.detected_by} evidence on {when(conflict.detected_at)}. State: {conflict.state}, "
        f"revision {conflict.revision}. {dependants} on the existing one.{reopened}"
    )


def _side(belief: Belief) -> Iterator[Paragraph]:
    memory = belief.memory
    yield "quote", content(memory)
    facts = [
        f"{belief.id}",
        f"{standing(belief)}; scope {visible(str(memory.scope), newlines=False)}",
        f"by {visible(str(memory.author), newlines=False)}, true since {when(memory.occurred_at)}, "
        f"recorded {when(memory.recorded_at)}, confidence {memory.confidence.score:.2f}",
    ]
    if memory.tags:
        facts.append("tags " + ", ".join(visible(tag, newlines=False) for tag in memory.tags))
    if memory.provenance:
        facts.append(
            "from " + ", ".join(f"{visible(k)} {visible(v, newlines=False)}" for k, v in memory.provenance.items())
        )
    yield "facts", "\n".join(facts)


def _evidence(piece: Evidence) -> Content:
    side = "against" if piece.guard else "for"
    words = [f'"{visible(each, newlines=False)}"' for each in (piece.incumbent_words, piece.challenger_words) if each]
    quoted = f" [{' / '.join(words)}]" if words else ""
    return Content.assemble(
        (f"{piece.weight:+.2f} {side} a clash, {visible(piece.kind)}: ", "bold"), visible(piece.sentence), quoted
    )
