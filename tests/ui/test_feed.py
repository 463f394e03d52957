"""The feed: rows by sequence number, read in a thread as far as they are looked at."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from unicodedata import east_asian_width

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from tests.ui.stage import HOSTILE, MOMENT, SIZES, THEMES, Heard, Stage, entry, lines
from tur_engine.records import EventKind, HistoryEntry
from tur_tui.drawing.wording import MARKS
from tur_tui.widgets.feed import Feed, entry_row


class Ledger:
    """Entries to read, with a record of who asked for what."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.threads: set[int] = set()
        self.broken = ""

    def __call__(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        self.asked += seqs
        self.threads.add(threading.get_ident())
        if self.broken:
            raise OSError(self.broken)
        return [entry(seq) for seq in seqs]


def feed(ledger: Ledger) -> Feed:
    return Feed(ledger, clock=lambda: MOMENT)


async def settle(app: Stage, pilot: Pilot[None]) -> None:
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()


async def test_rows_are_read_in_a_thread_and_only_near_the_view() -> None:
    ledger = Ledger()
    pane = feed(ledger)
    app = Stage(pane)
    async with app.run_test(size=(80, 10)) as pilot:
        pane.set_index(range(100_000, 0, -1))
        await settle(app, pilot)
        assert "memory number 100000" in lines(pane)[0]
        assert len(ledger.asked) < 200
        assert threading.get_ident() not in ledger.threads
        pane.focus()
        await pilot.press("end")
        await settle(app, pilot)
        assert "memory number 1 " in lines(pane)[-1]
        assert len(ledger.asked) < 400
        assert len(ledger.asked) == len(set(ledger.asked))


async def test_a_hundred_thousand_rows_open_as_fast_as_a_hundred() -> None:
    took: dict[int, float] = {}
    for count in (100, 100_000):
        pane = feed(Ledger())
        app = Stage(pane)
        async with app.run_test(size=(80, 24)) as pilot:
            index = list(range(count, 0, -1))
            start = time.perf_counter()
            pane.set_index(index)
            lines(pane)
            took[count] = time.perf_counter() - start
            await pilot.pause()
    assert took[100_000] < 50 * (took[100] + 0.02)  # a thousand times the rows


async def test_rows_that_scroll_by_while_others_are_read_are_read_too() -> None:
    release = threading.Event()

    def slow(seqs: Sequence[int]) -> list[HistoryEntry]:
        release.wait(5)
        return [entry(seq) for seq in seqs]

    pane = Feed(slow, clock=lambda: MOMENT)
    app = Stage(pane)
    async with app.run_test(size=(80, 10)) as pilot:
        pane.set_index(range(5_000, 0, -1))
        await pilot.pause()
        pane.focus()
        await pilot.press("end")
        assert lines(pane)[-1].split() == ["#1", "…"]
        release.set()
        await settle(app, pilot)
        assert "memory number 1 " in lines(pane)[-1]


async def test_new_entries_come_on_top_whatever_their_order() -> None:
    pane = feed(Ledger())
    app = Stage(pane)
    async with app.run_test(size=(80, 10)) as pilot:
        pane.set_index([3, 2, 1])
        await settle(app, pilot)
        pane.prepend([entry(4), entry(6), entry(5), entry(3)])
        await pilot.pause()
        assert pane.count == 6
        assert [line.split()[-1] for line in lines(pane)[:6]] == ["6", "5", "4", "3", "2", "1"]


async def test_the_highlighted_entry_is_told_once_it_is_read() -> None:
    ledger, heard = Ledger(), Heard()
    pane = feed(ledger)
    app = Stage(pane)
    async with app.run_test(size=(80, 10), message_hook=heard) as pilot:
        pane.set_index(range(900, 0, -1))
        await settle(app, pilot)
        pane.focus()
        await pilot.press("end")
        await settle(app, pilot)
        await pilot.press("up", "enter")
        told = [(m.entry.seq, m.by_person) for m in heard.of(Feed.EntryHighlighted)]
        assert told == [(900, False), (1, True), (2, True)]
        assert [m.entry.seq for m in heard.of(Feed.EntrySelected)] == [2]


async def test_another_filter_keeps_the_entry_under_the_cursor() -> None:
    pane = feed(Ledger())
    app = Stage(pane)
    async with app.run_test(size=(80, 10)) as pilot:
        pane.set_index(range(100, 0, -1))
        pane.move_to(60)
        pane.set_index(range(100, 0, -2), keep=True)
        assert pane.seq_at(pane.cursor) == 40
        assert pane.row_of(41) is None
        pane.set_index([99], keep=True)
        assert pane.cursor == 0
        await pilot.pause()


async def test_a_feed_that_follows_goes_on_under_a_filter_and_when_the_filter_goes() -> None:
    pane = feed(Ledger())
    app = Stage(pane)
    async with app.run_test(size=(80, 10)) as pilot:
        pane.set_index(range(100, 0, -1))
        pane.set_index([90, 80], keep=True)
        pane.set_index([101, 90, 80], keep=True)  # one more arrived that the filter lets through
        assert (pane.seq_at(pane.cursor), pane.following) == (101, True)
        pane.set_index(range(105, 0, -1), keep=True)
        assert (pane.seq_at(pane.cursor), pane.following) == (105, True)
        await pilot.pause()


async def test_a_failure_is_one_sentence_and_not_asked_again_and_again() -> None:
    ledger, heard = Ledger(), Heard()
    ledger.broken = "the ledger is locked"
    pane = feed(ledger)
    app = Stage(pane)
    async with app.run_test(size=(80, 10), message_hook=heard) as pilot:
        pane.set_index([2, 1])
        await settle(app, pilot)
        await settle(app, pilot)
        assert "#2 could not be read" in lines(pane)[0]
        assert [m.sentence for m in heard.of(Feed.Failed)] == ["the ledger is locked"]
        assert ledger.asked == [2, 1]
        ledger.broken = ""
        pane.set_index([2, 1])
        await settle(app, pilot)
        assert "memory number 2" in lines(pane)[0]


@pytest.mark.parametrize("kind", list(EventKind))
def test_every_kind_has_a_glyph_and_its_word(kind: EventKind) -> None:
    row = "".join(text for text, _ in entry_row(entry(1, kind), 40, MOMENT))
    assert MARKS[kind].glyph in row.split()
    assert kind.value in row.split()


def test_glyphs_are_told_apart_and_one_cell_wide() -> None:
    glyphs = [mark.glyph for mark in MARKS.values()]
    assert len(set(glyphs)) == len(glyphs)
    assert [glyph for glyph in glyphs if cell_len(glyph) != 1 or east_asian_width(glyph) in "AWF"] == []


@pytest.mark.parametrize("width", [56, 72, 90, 200])
def test_a_row_holds_everything_in_one_line(width: int) -> None:
    row = entry_row(entry(7, EventKind.HELD, "Prisma is used for migrations in every service"), width, MOMENT)
    text = "".join(piece for piece, _ in row)
    assert cell_len(text) <= width
    words = text.split()
    assert words[:3] == ["!", "held", "1m"]
    assert words[3].removeprefix("agent:").startswith("claud")
    assert "Prisma" in words


def test_where_there_is_little_room_what_happened_comes_before_who_did_it() -> None:
    for kind, words in ((EventKind.HELD, "Prisma is used for"), (EventKind.QUARANTINED, "Prisma is used")):
        row = entry_row(entry(7, kind, "Prisma is used for migrations in every service"), 44, MOMENT)
        text = "".join(piece for piece, _ in row)
        assert cell_len(text) == 44
        assert words in text
        assert f" {kind.value}" in text
        assert "1m" in text.split()


@pytest.mark.parametrize("width", range(1, 56))
def test_a_narrow_row_fits(width: int) -> None:
    row = entry_row(entry(7, EventKind.REAFFIRMED, "田中さん本番"), width, MOMENT)
    text = "".join(piece for piece, _ in row)
    assert cell_len(text) <= max(width, 13)
    assert width < 20 or cell_len(text) <= width


async def test_hostile_text_is_shown_not_obeyed() -> None:
    pane = feed(Ledger())
    async with Stage(pane).run_test(size=(120, 5)) as pilot:
        pane.set_index([])
        pane.prepend([entry(1, summary=HOSTILE + "\nsecond line")])
        await pilot.pause()
        shown = lines(pane)[0]
        assert "[/b]" in shown
        assert "‹RLO›" in shown
        assert "‹U+001B›" in shown
        assert not any(char in shown for char in "\x1b\x07\u202e\u200b\n")


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme(theme: str) -> None:
    pane = feed(Ledger())
    app = Stage(pane, theme=theme)
    async with app.run_test() as pilot:
        pane.set_index(range(60, 0, -1))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(app, pilot)
            assert all(cell_len(line) == pane.scrollable_content_region.width for line in lines(pane))
