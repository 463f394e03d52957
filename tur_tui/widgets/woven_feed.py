"""The feed with what is no event among its events, where it came: drift of rule files, warnings of the guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from rich.cells import cell_len
from textual.message import Message

from tur_engine.text import visible

from ..desk.asides import Aside
from ..drawing.wrapping import fit, fit_end
from .feed import Feed, word_and_age
from .line_list import LineList, Row

_STEP: Final = 2.0**-20
"""Between two rows that stand between the same two events."""
_KEPT: Final = 500


class WovenFeed(Feed):
    """An aside has no sequence number of its own: it is kept for this sitting, between the events it came between."""

    @dataclass
    class AsideHighlighted(Message):
        """The cursor stands on an aside; `by_person` is False where only an arrival put it there."""

        feed: WovenFeed
        aside: Aside
        by_person: bool

        @property
        def control(self) -> WovenFeed:
            return self.feed

    @dataclass
    class AsideSelected(Message):
        """Enter or a second click on an aside."""

        feed: WovenFeed
        aside: Aside

        @property
        def control(self) -> WovenFeed:
            return self.feed

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._asides: dict[float, Aside] = {}
        self._numbered = 0
        self.lets_through: Callable[[Aside], bool] = lambda aside: True
        """Whether the filter in force shows it."""
        super().__init__(*arguments, **named)

    def weave(self, asides: Sequence[Aside]) -> None:
        """Asides that were just seen, in their order."""
        newest, arrived, among = self.newest, 0, False
        for aside in asides:
            self._numbered += 1
            key = (newest if aside.after is None else aside.after) + self._numbered * _STEP
            self._asides[key] = aside
            if not self.lets_through(aside):
                continue
            if not self._seqs or key > self._seqs[-1]:
                arrived += 1
            else:
                among = True
            if not among:
                self._seqs.append(key)
        if among:  # older than what is shown
            self.set_index([seq for seq in self._seqs if isinstance(seq, int)], keep=not self.following)
        else:
            self.rows_arrived(arrived)

    def unweave(self, kind: type[Aside]) -> None:
        """Take all of a kind out."""
        self._asides = {key: aside for key, aside in self._asides.items() if not isinstance(aside, kind)}
        self.set_index([seq for seq in self._seqs if isinstance(seq, int)], keep=True)

    def set_index(self, seqs: Sequence[float], *, keep: bool = False, empty: str | None = None) -> None:
        self._asides = dict(list(self._asides.items())[-_KEPT:])
        among = [key for key, aside in self._asides.items() if self.lets_through(aside)]
        super().set_index([*seqs, *among], keep=keep, empty=empty)

    def aside_at(self, index: int) -> Aside | None:
        """The aside of a row, None where it is an event."""
        return self._asides.get(self._seqs[-1 - index]) if 0 <= index < len(self._seqs) else None

    def row(self, index: int) -> Row:
        aside = self.aside_at(index)
        if aside is None:
            return super().row(index)
        return aside_row(aside, self.scrollable_content_region.width, self._clock())

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        if aside := self.aside_at(message.index):
            self._awaited = None
            self.post_message(self.AsideHighlighted(self, aside, message.by_person))

    def on_line_list_selected(self, message: LineList.Selected) -> None:
        if aside := self.aside_at(message.index):
            self.post_message(self.AsideSelected(self, aside))


def aside_row(aside: Aside, width: int, moment: datetime) -> Row:
    """An aside in one row, shaped as an event's: glyph, word, age, its place where an actor stands, the sentence."""
    glyph, tone = aside.mark
    pieces = [(" ", ""), (f"{glyph} ", tone)]
    if width < 16:
        return [*pieces, (aside.word, tone)]
    pieces += word_and_age(aside.word, tone, aside.at, width, moment)
    place = visible(aside.place, newlines=False)
    left = width - sum(cell_len(text) for text, _ in pieces)
    told = visible(aside.sentence, newlines=False)
    if place and left >= 40:
        cells = min(max(12, left // 4), cell_len(place))
        pieces.append((fit_end(place, cells) + " ", "actor"))
        left -= cells + 1
    elif place:
        told = f"{place} {told}"
    return [*pieces, (fit(told, left), "dim" if tone == "dim" else "plain")]
