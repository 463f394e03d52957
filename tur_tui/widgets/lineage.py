"""A memory's lineage as a tree: what holds on top, below it what it superseded, merged or refuted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rich.cells import cell_len

from tur_engine.records import Belief, Lineage
from tur_engine.text import visible

from ..desk.remembering_life import Branch, branches
from ..drawing.grid import Piece
from ..drawing.wording import content, standing
from ..drawing.wrapping import fit
from .line_list import LineList
from .painting import components

_STEMS = 30
"""Cells of lines before a memory at the most; deeper ones are drawn there."""


class LineageTree(LineList):
    """One line a memory, the one in front marked. Enter on another one puts it in front."""

    PREFIX: ClassVar[str] = "lineage"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "lineage", "plain", "dim", "stem", "id", "front", "how", "conflict"
    )

    DEFAULT_CSS = """
    LineageTree {
        & > .lineage--plain { color: $foreground; }
        & > .lineage--dim { color: $feed-dim; }
        & > .lineage--stem { color: $graph-edge; }
        & > .lineage--id { color: $text-primary; }
        & > .lineage--front { color: $text-accent; text-style: bold; }
        & > .lineage--how { color: $suspect; }
        & > .lineage--conflict { color: $conflict; text-style: bold; }
        &:ansi > .lineage--dim, &:ansi > .lineage--id, &:ansi > .lineage--front { color: ansi_default; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="No memory is in front.")
        self._branches: Sequence[Branch] = ()
        self._focus = ""

    def show(self, lineage: Lineage | None, *, keep: bool = False) -> None:
        """Show a lineage, the cursor on the memory that was asked about."""
        marks = self.marked if keep else []
        self._branches = branches(lineage) if lineage else ()
        self._focus = lineage.focus if lineage else ""
        at = next((n for n, each in enumerate(self._branches) if each.belief.memory.digest == self._focus), 0)
        self.show_rows(len(self._branches), cursor=at)
        self.set_marks(marks)

    def belief(self, index: int) -> Belief | None:
        """The memory of a row."""
        return self._branches[index].belief if 0 <= index < len(self._branches) else None

    def named(self, digest: Hashable) -> Belief | None:
        """The memory with this digest."""
        return next((each.belief for each in self._branches if each.belief.memory.digest == digest), None)

    def kin(self, index: int) -> tuple[Belief, Belief] | None:
        """A memory and the one it gave way to, or the latest that gave way to it: older first."""
        if not 0 <= index < len(self._branches):
            return None
        here = self._branches[index]
        digest = here.belief.memory.digest
        if here.descent and (newer := self.named(here.descent.newer)):
            return here.belief, newer
        below = (each for each in self._branches if each.descent and each.descent.newer == digest)
        older = next(below, None)
        return (older.belief, here.belief) if older else None

    def key(self, index: int) -> Hashable:
        return self._branches[index].belief.memory.digest if index < len(self._branches) else -1 - index

    def row(self, index: int) -> list[Piece]:
        each, width = self._branches[index], self.scrollable_content_region.width
        memory = each.belief.memory
        mark = "◆" if memory.digest in self.marked else "▸" if memory.digest == self._focus else " "
        where = "see above" if each.again else standing(each.belief)
        pieces: list[Piece] = [
            (mark, "front"),
            (each.stem[-_STEMS:], "stem"),
            (f"{each.how} " if each.how else "", "how"),
            (f"{memory.short_id} ", "front" if memory.digest == self._focus else "id"),
            (f"{where} " if where != each.how else "", "dim"),
        ]
        used = sum(cell_len(text) for text, _ in pieces)
        return [*pieces, (fit(visible(content(memory), newlines=False), max(0, width - used)), "plain")]
