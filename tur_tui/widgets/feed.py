"""The live feed: everything the ledger records, newest on top, read only as far as it is looked at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.message import Message

from tur_engine.records import HistoryEntry
from tur_engine.text import visible

from ..drawing.wording import KIND_WIDTH, MARKS, age, now
from ..drawing.wrapping import fit, pad
from .following_list import FollowingList
from .line_list import LineList, Row
from .painting import components

Load = Callable[[Sequence[int]], list[HistoryEntry]]
"""Reads entries by sequence number; called in a thread."""

_KEPT: Final = 4_000
"""Entries held in memory; older ones are read again when looked at."""
_AHEAD: Final = 40
"""Rows read before and after those in view."""
ROOMY: Final = 56
"""Cells of a row that has room for who did it, and for the longest of the words as a column."""
ORDINARY: Final = 8
"""Cells of the words that stand in nearly every row."""


class Feed(FollowingList):
    """History entries by sequence number: glyph, word, age, actor and summary, one line each."""

    PREFIX = "feed"

    COMPONENT_CLASSES: ClassVar[set[str]] = components(
        "feed", "plain", "dim", "conflict", "settled", "suspect", "invariant", "actor", "mark"
    )

    DEFAULT_CSS = """
    Feed {
        & > .feed--plain { color: $foreground; }
        & > .feed--dim { color: $feed-dim; }
        & > .feed--actor { color: $feed-dim; }
        & > .feed--conflict { color: $conflict; text-style: bold; }
        & > .feed--settled { color: $settled; }
        & > .feed--suspect { color: $suspect; }
        & > .feed--invariant { color: $invariant; }
        & > .feed--mark { color: $text-accent; text-style: bold; }
    }
    """

    @dataclass
    class EntryHighlighted(Message):
        """The cursor stands on another entry; `by_person` is False where only an arrival put it there."""

        feed: Feed
        entry: HistoryEntry
        by_person: bool

        @property
        def control(self) -> Feed:
            return self.feed

    @dataclass
    class EntrySelected(Message):
        """Enter or a second click on an entry."""

        feed: Feed
        entry: HistoryEntry

        @property
        def control(self) -> Feed:
            return self.feed

    @dataclass
    class Failed(Message):
        """Entries could not be read: one sentence."""

        feed: Feed
        sentence: str

        @property
        def control(self) -> Feed:
            return self.feed

    @dataclass
    class _Loaded(Message, bubble=False):
        """A thread has read entries, or could not."""

        seqs: tuple[int, ...]
        entries: list[HistoryEntry]
        problem: str = ""

    def __init__(
        self,
        load: Load,
        *,
        empty: str = "Nothing recorded yet. What agents learn appears here as they learn it.",
        clock: Callable[[], datetime] = now,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        self._seqs: list[float] = []
        """Ascending, so that what arrives is appended; row 0 is the last one. Whole numbers are events."""
        self._entries: dict[int, HistoryEntry] = {}
        self._wanted: set[int] = set()
        """To be asked for once the whole view is known."""
        self._asked: set[int] = set()
        """On their way."""
        self._unread: set[int] = set()
        self._awaited: tuple[int, bool] | None = None
        self._load, self._clock = load, clock
        self._marked_conflicts: frozenset[str] = frozenset()
        super().__init__(empty=empty, name=name, id=id, classes=classes)

    def on_mount(self) -> None:
        self.set_interval(5, self.refresh)  # ages move on

    # what it shows -----------------------------------------------------------

    def set_index(self, seqs: Sequence[float], *, keep: bool = False, empty: str | None = None) -> None:
        """Show these sequence numbers, newest first. `keep` leaves a moved cursor on its entry if that is there."""
        held = self.key(self.cursor) if keep and self.count and not self.following else None
        self._seqs = sorted(seqs)
        self._unread.clear()
        row = self.row_of(held) if held is not None else None
        self.show_rows(len(self._seqs), cursor=row or 0, empty=empty)

    def prepend(self, entries: Sequence[HistoryEntry]) -> None:
        """Entries that were just recorded, in any order; those already shown are passed over."""
        newest = self.newest
        fresh = sorted((entry for entry in entries if entry.seq > newest), key=lambda entry: entry.seq)
        for entry in fresh:
            self._keep(entry)
        beyond = bool(fresh and self._seqs and self._seqs[-1] > fresh[0].seq)
        self._seqs += [entry.seq for entry in fresh]
        if beyond:  # what came after this event was told sooner
            self._seqs.sort()
        self.rows_arrived(len(fresh))

    @property
    def newest(self) -> int:
        """The last event that is shown, 0 for none."""
        return next((seq for seq in reversed(self._seqs) if isinstance(seq, int)), 0)

    def mark_conflicts(self, ids: Iterable[str]) -> None:
        """Mark the entries that are about these conflicts."""
        before, self._marked_conflicts = self._marked_conflicts, frozenset(ids)
        if changed := before ^ self._marked_conflicts:
            top = self.scroll_offset.y
            for row in range(top, min(self.count, top + self.size.height)):
                if (entry := self.entry_at(row)) and entry.conflict_id in changed:
                    self.refresh_lines(row, 1)

    def seq_at(self, index: int) -> int | None:
        """The sequence number of a row; None where it is no event's."""
        seq = self._seqs[-1 - index] if 0 <= index < len(self._seqs) else None
        return seq if isinstance(seq, int) else None

    def row_of(self, seq: float) -> int | None:
        """The row of a sequence number, None where it is not shown."""
        at = bisect_left(self._seqs, seq)
        return len(self._seqs) - 1 - at if at < len(self._seqs) and self._seqs[at] == seq else None

    def entry_at(self, index: int) -> HistoryEntry | None:
        """The entry of a row, None where it is not read yet."""
        seq = self.seq_at(index)
        return None if seq is None else self._entries.get(seq)

    def key(self, index: int) -> float:
        return self._seqs[-1 - index]

    # rows ----------------------------------------------------------------------

    def row(self, index: int) -> Row:
        entry = self.entry_at(index)
        width = self.scrollable_content_region.width
        seq = self._seqs[-1 - index]
        if entry is None:
            if seq in self._unread:
                return [("  ", ""), (fit(f"#{seq} could not be read", width - 2), "dim")]
            self._want(index)
            return [("  ", ""), (fit(f"#{seq} …", width - 2), "dim")]
        marked = seq in self._marks or entry.conflict_id in self._marked_conflicts
        return entry_row(entry, width, self._clock(), marked=marked)

    def _want(self, index: int) -> None:
        """Ask for the entries around a row that is looked at."""
        low, high = max(0, index - _AHEAD), min(self.count, index + _AHEAD)
        lacking = {
            seq
            for seq in map(self.seq_at, range(low, high))
            if seq is not None and seq not in self._entries and seq not in self._asked and seq not in self._unread
        }
        if lacking - self._wanted:
            if not self._wanted:
                self.call_later(self._ask)
            self._wanted |= lacking

    def _ask(self) -> None:
        seqs = tuple(sorted(self._wanted, reverse=True))
        self._asked |= self._wanted
        self._wanted.clear()
        if seqs:
            self.run_worker(partial(self._read, seqs), thread=True, group="feed-rows", exit_on_error=False)

    def _read(self, seqs: tuple[int, ...]) -> None:
        try:
            self.post_message(self._Loaded(seqs, self._load(seqs)))
        except Exception as error:  # whatever it is becomes one sentence in the pane
            self.post_message(self._Loaded(seqs, [], str(error) or type(error).__name__))

    def on_feed__loaded(self, message: _Loaded) -> None:
        message.stop()
        for read in message.entries:
            self._keep(read)
        self._asked.difference_update(message.seqs)
        self._unread.update(seq for seq in message.seqs if seq not in self._entries)
        if message.problem:
            self.post_message(self.Failed(self, message.problem))
        if self._awaited and (entry := self._entries.get(self._awaited[0])):
            self.post_message(self.EntryHighlighted(self, entry, self._awaited[1]))
            self._awaited = None
        self.refresh()

    def _keep(self, entry: HistoryEntry) -> None:
        self._entries[entry.seq] = entry
        while len(self._entries) > _KEPT:
            del self._entries[next(iter(self._entries))]

    # messages --------------------------------------------------------------------

    def on_line_list_highlighted(self, message: LineList.Highlighted) -> None:
        seq = self.seq_at(message.index)
        if seq is None:
            return
        if seq in self._entries:
            self._awaited = None
            self.post_message(self.EntryHighlighted(self, self._entries[seq], message.by_person))
        else:
            self._awaited = (seq, message.by_person)
            self._want(message.index)

    def on_line_list_selected(self, message: LineList.Selected) -> None:
        if entry := self.entry_at(message.index):
            self.post_message(self.EntrySelected(self, entry))


def word_and_age(word: str, tone: str, at: datetime, width: int, moment: datetime) -> Row:
    """In a narrow row the few long words move the rest to the right: as a column they would take it from every text."""
    pieces = [(pad(word, KIND_WIDTH + 1 if width >= ROOMY else max(ORDINARY, cell_len(word)) + 1), tone)]
    return [*pieces, (pad(age(at, moment), 4, right=True) + " ", "dim")] if width >= 30 else pieces


def entry_row(entry: HistoryEntry, width: int, moment: datetime, *, marked: bool = False) -> Row:
    """One entry in one row: mark, glyph, kind, age, actor, summary; with little room the actor, then the age goes."""
    glyph, tone = MARKS[entry.kind]
    pieces = [("*" if marked else " ", "mark"), (f"{glyph} ", tone)]
    if width < 16:
        return [*pieces, (entry.kind.value, tone)]
    pieces += word_and_age(entry.kind.value, tone, entry.at, width, moment)
    if width >= ROOMY:
        cells = 12 if width < 90 else 18
        actor = entry.actor.name if width < 72 else str(entry.actor)
        pieces.append((pad(visible(actor, newlines=False), cells) + " ", "actor"))
    summary = visible(entry.summary, newlines=False).removeprefix(f"{entry.kind.value} ")  # the word stands there
    if entry.reason and width >= 60:
        summary += f" ({visible(entry.reason, newlines=False)})"
    used = sum(len(text) for text, _ in pieces[:2]) + sum(cell_len(text) for text, _ in pieces[2:])
    return [*pieces, (fit(summary, width - used), "dim" if tone == "dim" else "plain")]
