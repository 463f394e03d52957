"""The list of the history screen: memories by scope and type under headings, their texts read as they come in view."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.message import Message

from tur_engine.records import Belief, Remembered, Status
from tur_engine.text import visible

from ..desk.remembering import Heading, Listed
from ..drawing.grid import Piece
from ..drawing.wording import content
from ..drawing.wrapping import fit, pad
from .line_list import LineList
from .painting import components

WAITING: Final = {Status.PENDING: ("✧", "invariant"), Status.HELD: ("!", "suspect")}
"""What is not believed yet, and lost nothing: a proposal before its signatures, a memory at the gate."""
_AHEAD: Final = 40
"""Rows read before and after those in view."""
_KEPT: Final = 4000
"""Texts held in memory; others are read again when looked at."""
_TEXT: Final = 400
"""Characters of a text that a row can show at the most."""


class BelievedList(LineList):
    """One line a memory; headings between them are stepped over."""

    PREFIX: ClassVar[str] = "believed"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "believed", "plain", "dim", "id", "heading", "conflict", "suspect", "invariant"
    )

    DEFAULT_CSS = """
    BelievedList {
        & > .believed--plain { color: $foreground; }
        & > .believed--dim { color: $feed-dim; }
        & > .believed--id { color: $feed-dim; }
        & > .believed--heading { color: $text-primary; text-style: bold; }
        & > .believed--conflict { color: $conflict; text-style: bold; }
        & > .believed--suspect { color: $suspect; }
        & > .believed--invariant { color: $invariant; text-style: bold; }
        &:ansi > .believed--heading, &:ansi > .believed--id, &:ansi > .believed--dim { color: ansi_default; }
    }
    """

    @dataclass
    class Unread(Message):
        """Rows are in view whose texts are not there yet."""

        seqs: tuple[int, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, empty="Reading the store...")
        self._rows: Sequence[Listed] = ()
        self._texts: dict[int, tuple[str, str]] = {}
        self._stale: set[int] = set()
        self._asked: set[int] = set()
        self._looking = False

    def show(self, rows: Sequence[Listed], *, keep: int, empty: str) -> None:
        """List these; the cursor stays on the memory that event `keep` brought in, where it is still listed."""
        self._rows = rows
        self._stale, self._asked = set(self._texts), set()
        at = next((n for n, row in enumerate(rows) if isinstance(row, Remembered) and row.seq == keep), None)
        first = next((n for n, row in enumerate(rows) if isinstance(row, Remembered)), 0)
        self.show_rows(len(rows), cursor=first if at is None else at, empty=empty)

    def follow_to(self, seq: int) -> None:
        """Put the cursor on a memory where it is listed."""
        at = next((n for n, row in enumerate(self._rows) if isinstance(row, Remembered) and row.seq == seq), None)
        if at is not None and at != self.cursor:
            self._place(at, by_person=False)

    def take(self, asked: Iterable[int], beliefs: Iterable[Belief]) -> None:
        """The texts that were asked for; what could not be read is asked for again when it is looked at."""
        self._asked -= set(asked)
        for each in beliefs:
            memory = each.memory
            self._texts[memory.seq] = (memory.short_id, visible(content(memory)[:_TEXT], newlines=False))
            self._stale.discard(memory.seq)
        while len(self._texts) > _KEPT:
            self._texts.pop(next(iter(self._texts)))
        self.refresh()

    def at(self, index: int) -> Remembered | None:
        """The memory of a row; None for a heading."""
        row = self._rows[index] if 0 <= index < len(self._rows) else None
        return row if isinstance(row, Remembered) else None

    def key(self, index: int) -> Hashable:
        row = self.at(index)
        return row.seq if row else -1 - index

    def move_to(self, index: int) -> None:
        """Headings are stepped over, in the direction of the move."""
        index = max(0, min(index, len(self._rows) - 1))
        step = 1 if index >= self.cursor else -1
        for way in (step, -step):
            there = index
            while 0 <= there < len(self._rows):
                if self.at(there):
                    super().move_to(there)
                    if there and not self.at(there - 1) and there - 1 < self.scroll_offset.y:
                        self.scroll_to(y=there - 1, animate=False, immediate=True, force=True)
                    return
                there += way

    def row(self, index: int) -> list[Piece]:
        row, width = self._rows[index], self.scrollable_content_region.width
        if isinstance(row, Heading):
            number = f" {row.count:,}"
            title = fit(visible(row.title, newlines=False), max(0, width - cell_len(number)))
            return [(title, "heading"), (number, "dim")]
        if row.seq not in self._texts or row.seq in self._stale:
            self._look_soon()
        name, text = self._texts.get(row.seq, ("", "…"))
        mark, tone = _mark(row)
        pieces: list[Piece] = [(f" {pad(mark, 1)} ", tone), (f"{name} " if name else "", "id")]
        if not row.status.live:
            pieces.append((f"{row.status.value.replace('_', ' ')} ", "dim"))
        used = sum(cell_len(piece) for piece, _ in pieces)
        return [*pieces, (fit(text, max(0, width - used)), "plain" if row.status.live else "dim")]

    def _look_soon(self) -> None:
        if not self._looking:
            self._looking = True
            self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Ask for all that is in view and near it at once."""
        self._looking = False
        top = self.scroll_offset.y
        bottom = top + max(1, self.scrollable_content_region.height)
        seqs = [
            row.seq
            for row in self._rows[max(0, top - _AHEAD) : bottom + _AHEAD]
            if isinstance(row, Remembered)
            and (row.seq not in self._texts or row.seq in self._stale)
            and row.seq not in self._asked
        ]
        if seqs:
            self._asked.update(seqs)
            self.post_message(self.Unread(tuple(seqs)))


def _mark(row: Remembered) -> tuple[str, str]:
    """A glyph and a tone: no meaning by colour alone."""
    if row.contested:
        return "!", "conflict"
    if row.approved:
        return "✶", "invariant"
    if row.status is Status.SUSPECT:
        return "?", "suspect"
    if row.status in WAITING:
        return WAITING[row.status]
    return ("", "plain") if row.status.live else ("✗", "dim")
