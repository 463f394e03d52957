"""The verbs in a row: one is under the cursor, those that are not allowed are struck out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from tur_engine.records import Preview, Verb

from ..actions import action, key
from ..drawing.grid import Piece
from .painting import components, strip

VERBS: tuple[Verb, ...] = tuple(Verb)
_GAP = 2


class VerbBar(Widget, can_focus=True):
    """Keys and words of the verbs, in one row where they fit, in more where they do not."""

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "verb-bar", "key", "word", "cursor", "struck", "off", "suggested"
    )

    DEFAULT_CSS = """
    VerbBar {
        height: auto;
        min-height: 1;
        color: $foreground;
        & > .verb-bar--key { color: $text-accent; text-style: bold; }
        & > .verb-bar--word { color: $foreground; }
        & > .verb-bar--suggested { color: $foreground; text-style: underline; }
        & > .verb-bar--off { color: $feed-dim; }
        & > .verb-bar--struck { color: $feed-dim; text-style: strike; }
        & > .verb-bar--cursor {
            color: $block-cursor-blurred-foreground;
            background: $block-cursor-blurred-background;
        }
        &:focus > .verb-bar--cursor { color: $block-cursor-foreground; background: $block-cursor-background; }
        &:ansi > .verb-bar--key { color: ansi_default; }
        &:ansi > .verb-bar--off, &:ansi > .verb-bar--struck { color: ansi_default; }
        &:ansi > .verb-bar--off { text-style: dim; }
        &:ansi > .verb-bar--cursor { color: ansi_default; background: transparent; text-style: reverse; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1)", "Next verb", show=False),
        Binding("left", "move(-1)", "Previous verb", show=False),
        Binding("enter", "choose", "Do it", show=False),
    ]

    verb: reactive[Verb] = reactive(Verb.SUPERSEDE)
    """The verb under the cursor."""

    @dataclass
    class VerbHighlighted(Message):
        """Another verb is under the cursor: show what it would do."""

        bar: VerbBar
        verb: Verb

        @property
        def control(self) -> VerbBar:
            return self.bar

    @dataclass
    class VerbChosen(Message):
        """Enter, or a click on the verb under the cursor: do it."""

        bar: VerbBar
        verb: Verb

        @property
        def control(self) -> VerbBar:
            return self.bar

    def __init__(
        self, *, room: str = "conflict", name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        """`room`: whose keys give the verbs here."""
        super().__init__(name=name, id=id, classes=classes)
        self._room = room
        self._refused: dict[Verb, str] = {}
        self._suggested: Verb | None = None
        self._ready = False

    def show(self, suggested: Verb, previews: Mapping[Verb, Preview] | None = None) -> None:
        """A conflict is at hand: the cursor goes to the suggested verb."""
        self._ready, self._suggested = True, suggested
        self._refused = {verb: p.reason for verb, p in (previews or {}).items() if not p.allowed}
        self.set_reactive(VerbBar.verb, suggested)
        self.refresh()
        self.post_message(self.VerbHighlighted(self, suggested))

    def set_previews(self, previews: Mapping[Verb, Preview]) -> None:
        """What is allowed is known now; the cursor stays where it is."""
        self._refused = {verb: preview.reason for verb, preview in previews.items() if not preview.allowed}
        self.refresh()

    def refuse(self, verb: Verb, reason: str) -> None:
        """Strike a verb out that turned out not to be allowed."""
        self._refused[verb] = reason
        self.refresh()

    def clear(self) -> None:
        """No conflict is at hand: all verbs are dimmed."""
        self._ready, self._suggested, self._refused = False, None, {}
        self.refresh()

    @property
    def reason(self) -> str:
        """Why the verb under the cursor is not allowed; empty where it is."""
        return self._refused.get(self.verb, "")

    def watch_verb(self, verb: Verb) -> None:
        if self._ready:
            self.post_message(self.VerbHighlighted(self, verb))

    def action_move(self, step: int) -> None:
        """The next or previous verb under the cursor, round and round."""
        self.verb = VERBS[(VERBS.index(self.verb) + step) % len(VERBS)]

    def action_choose(self) -> None:
        if self._ready and not self.reason:
            self.post_message(self.VerbChosen(self, self.verb))

    # painting --------------------------------------------------------------

    def _lines(self, width: int) -> list[list[tuple[Verb, str]]]:
        """The verbs by row, with their words; the keys alone where two rows would not do."""
        words = {verb: action(f"conflict.{verb}").label for verb in VERBS}
        for padding, rows in ((1, 1), (0, 1), (0, 2)):
            lines: list[list[tuple[Verb, str]]] = [[]]
            used = 0
            for verb, word in words.items():
                cells = cell_len(self._key(verb)) + 1 + cell_len(word) + 2 * padding
                if lines[-1] and used + cells > width:
                    lines.append([])
                    used = 0
                lines[-1].append((verb, f" {word}" + " " * padding))
                used += cells + _GAP
            if len(lines) <= rows:
                return lines
        return [[(verb, "") for verb in VERBS]]

    def _key(self, verb: Verb) -> str:
        """The key that gives a verb here; nothing where none does."""
        try:
            return key(f"{self._room}.{verb}")
        except KeyError:
            return ""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        lines = self._lines(self.size.width)
        pieces: list[Piece] = []
        for verb, word in lines[y] if y < len(lines) else ():
            pieces += [*self._verb(verb, word), (" " * _GAP, "")]
        return strip(self, "verb-bar", pieces[:-1], self.size.width)

    def _verb(self, verb: Verb, word: str) -> list[Piece]:
        cursor = " cursor" if self._ready and verb is self.verb else ""
        if not self._ready:
            return [(self._key(verb) + word, "off")]
        if verb in self._refused:
            return [(self._key(verb) + word, "struck" + cursor)]
        head = " " if word.endswith(" ") else ""
        tone = "suggested" if verb is self._suggested else "word"
        inner = word.strip()
        pieces = [(head + self._key(verb), "key" + cursor)]
        if inner:
            pieces += [(" ", "word" + cursor), (inner, tone + cursor)]
        return [*pieces, (head, "word" + cursor)] if head else pieces

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or not self._ready:
            return
        lines = self._lines(self.size.width)
        x = 0
        for verb, word in lines[offset.y] if offset.y < len(lines) else ():
            wide = sum(cell_len(text) for text, _ in self._verb(verb, word))
            if x <= offset.x < x + wide:
                if verb is self.verb:
                    self.action_choose()
                else:
                    self.verb = verb
                return
            x += wide + _GAP
