"""The memory in front in full: its text, where it stands and why, and the event under the timeline's cursor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from tur_engine.records import Belief, LifeStep
from tur_engine.text import visible

from ..desk.remembering_life import happened, told
from ..drawing.wording import content, now
from ..drawing.wrapping import wrapped
from .belief_facts import belief_facts, in_short
from .painting import components
from .rows_view import Row, RowsView


class MemoryCard(RowsView):
    """Everything wraps, nothing is cut."""

    PREFIX = "card"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "card", "id", "text", "dim", "plain", "conflict", "settled", "suspect", "invariant", "problem"
    )

    DEFAULT_CSS = """
    MemoryCard {
        & > .card--id { color: $text-primary; text-style: bold; }
        & > .card--text { color: $foreground; text-style: bold; }
        & > .card--plain { color: $foreground; }
        & > .card--dim { color: $feed-dim; }
        & > .card--conflict { color: $conflict; text-style: bold; }
        & > .card--settled { color: $settled; }
        & > .card--suspect { color: $suspect; }
        & > .card--invariant { color: $invariant; }
        & > .card--problem { color: $suspect; }
        &:ansi > .card--id, &:ansi > .card--dim { color: ansi_default; }
    }
    """

    def __init__(self, *, clock: Callable[[], datetime] = now, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock
        self._belief: Belief | None = None
        self._step: LifeStep | None = None
        self._exposed = ""
        self._empty = ""

    def show(self, belief: Belief) -> None:
        """Show a memory."""
        another = self._belief is None or self._belief.memory.digest != belief.memory.digest
        if another:
            self._step = None
        self._belief = belief
        self.rebuild(to_top=another)

    def show_step(self, step: LifeStep | None, exposed: str = "") -> None:
        """Tell an event of its life in full below the text, and of a conflict that it settled, whom that reached."""
        self._step, self._exposed = step, exposed
        self.rebuild()

    def clear(self, sentence: str) -> None:
        """Show no memory, and why."""
        self._belief = self._step = None
        self._empty = sentence
        self.rebuild(to_top=True)

    def build(self, width: int, height: int) -> list[Row]:
        if self._belief is None:
            return [[(line, "dim")] for line in wrapped(visible(self._empty), width)]
        memory = self._belief.memory
        name = memory.id if width >= len(memory.id) else memory.short_id
        rows: list[Row] = [[(line, "id")] for line in wrapped(name, width)]
        rows += [[(line, "text")] for line in wrapped(content(memory), width)]
        facts = ", ".join(words for words, _ in in_short(belief_facts(self._belief, None, self._clock())))
        rows += [[(line, "dim")] for line in wrapped(facts, width)]
        if self._step:
            _, word, tone = happened(self._step)
            head, *rest = wrapped(f"{word}: {told(self._step)}", width)
            cut = min(len(word) + 1, len(head))
            rows += [[(head[:cut], tone), (head[cut:], "plain")], *([(line, "plain")] for line in rest)]
            rows += [[(line, "dim")] for line in wrapped(visible(self._exposed, newlines=False), width) if line]
        return rows
