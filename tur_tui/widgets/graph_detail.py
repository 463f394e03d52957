"""The memory under the cursor of the graph screen in full: id, kinds, status, text, and every edge with who and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import ClassVar

from tur_engine.records import Belief
from tur_engine.text import visible

from ..desk.exploring import Told
from ..drawing.belief_graph import clashing, kinds, marked
from ..drawing.wording import age_in_words, content, now, standing
from ..drawing.wrapping import wrapped
from .painting import components
from .rows_view import Row, RowsView


class DetailPane(RowsView):
    """Everything wraps, nothing is cut."""

    PREFIX = "detail"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "detail", "id", "text", "plain", "dim", "edge", "conflict", "problem"
    )

    DEFAULT_CSS = """
    DetailPane {
        & > .detail--id { color: $text-primary; text-style: bold; }
        & > .detail--text { color: $foreground; }
        & > .detail--plain { color: $foreground; }
        & > .detail--dim { color: $feed-dim; }
        & > .detail--edge { color: $foreground; text-style: bold; }
        & > .detail--conflict { color: $conflict; text-style: bold; }
        & > .detail--problem { color: $suspect; }
        &:ansi > .detail--id, &:ansi > .detail--dim { color: ansi_default; }
    }
    """

    def __init__(self, *, clock: Callable[[], datetime] | None = None, id: str | None = None) -> None:
        super().__init__(id=id)
        self._clock = clock or now
        self._belief: Belief | None = None
        self._told: Sequence[Told] | None = None
        self._problem = ""

    @property
    def digest(self) -> str:
        """The memory that is shown; "" for none."""
        return self._belief.memory.digest if self._belief else ""

    def show(self, belief: Belief | None) -> None:
        """Show a memory; what is known of its edges is kept where it is the same one."""
        if belief is None or belief.memory.digest != self.digest:
            self._told, self._problem = None, ""
        another = (belief.memory.digest if belief else "") != self.digest
        self._belief = belief
        self.rebuild(to_top=another)

    def show_edges(self, digest: str, told: Sequence[Told]) -> None:
        """Its edges, once they are read."""
        if digest == self.digest:
            self._told, self._problem = tuple(told), ""
            self.rebuild()

    def show_problem(self, digest: str, sentence: str) -> None:
        """Why its edges could not be read."""
        if digest == self.digest:
            self._problem = sentence
            self.rebuild()

    def build(self, width: int, height: int) -> list[Row]:
        belief = self._belief
        if belief is None:
            return [[("No memory is under the cursor.", "dim")]]
        memory = belief.memory
        name = [(line, "id") for line in wrapped(belief.id if width >= len(belief.id) else memory.short_id, width)]
        facts = ", ".join(
            [
                kinds(memory),
                standing(belief),
                f"scope {visible(str(memory.scope), newlines=False)}",
                f"by {visible(str(memory.author), newlines=False)} {age_in_words(memory.occurred_at, self._clock())}",
            ]
        )
        rows: list[Row] = [[piece] for piece in name]
        rows += [[(line, "dim")] for line in wrapped(facts, width)]
        rows += [[(line, "text")] for line in wrapped(content(memory), width)]
        return rows + self._edges(width)

    def _edges(self, width: int) -> list[Row]:
        if self._problem:
            return [[(line, "problem")] for line in wrapped(f"Its edges could not be read. {self._problem}", width)]
        if self._told is None:
            return [[("Reading its edges...", "dim")]]
        if not self._told:
            return [[("No edge begins or ends here.", "dim")]]
        rows: list[Row] = []
        for each in self._told:
            arrow = "▸" if each.outgoing else "◂"
            head = f"{arrow} {marked(each.type)} "
            lines = wrapped(f"{head}{each.other} {each.text}", max(1, width - 2))
            tone = "conflict" if clashing(each.type) else "edge"
            cut = len(head) if lines[0].startswith(head) else 0
            rows.append([(lines[0][:cut], tone), (lines[0][cut:], "plain")])
            rows += [[("  " + line, "plain")] for line in lines[1:]]
            said = ", ".join(filter(None, (f"by {each.by}" if each.by else "", each.when)))
            told = f"{said}: {each.reason}" if said and each.reason else said or each.reason
            rows += [[("  " + line, "dim")] for line in wrapped(told, max(1, width - 2)) if told]
        return rows
