"""The status line: what it says, and what gives way when there is little room."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.ui.stage import HOSTILE, SIZES, THEMES, Stage, lines
from tur_tui.widgets.status_line import StatusLine


def line(**facts: object) -> StatusLine:
    bar = StatusLine()
    for name, value in facts.items():
        bar.set_reactive(getattr(StatusLine, name), value)
    return bar


def text(bar: StatusLine, width: int) -> str:
    return "".join(piece for piece, _ in bar.pieces(width))


def test_where_you_are() -> None:
    bar = line(position=3, open_conflicts=17, settled=2, marked=4, filter_text="is:open", store="/w/.tur/ledger.db")
    assert text(bar, 100).split("   ")[0].strip() == "3 of 17, 2 settled, 4 marked"
    assert "/ is:open" in text(bar, 100)
    assert "following" in text(bar, 100)
    assert text(bar, 100).endswith("/w/.tur/ledger.db")
    assert text(line(open_conflicts=1), 80).startswith(" 1 open conflict")
    assert text(line(settled=5), 80).startswith(" no open conflict, 5 settled")


def test_whether_the_feed_follows() -> None:
    assert "37 new" in text(line(following=False, unseen=37), 80)
    assert "paused" in text(line(following=False), 80)


@pytest.mark.parametrize("width", range(0, 90))
def test_the_counter_stays_and_the_store_gives_way(width: int) -> None:
    bar = line(
        position=3,
        open_conflicts=17,
        filter_text="by:claude migrations",
        warning="the store is read-only",
        store="/home/dana/work/shop/.tur/ledger.db",
    )
    shown = text(bar, width)
    assert cell_len(shown) <= max(width, 1)
    if width >= 12:
        assert "3 of 17" in shown
    if 40 <= width < 70:
        assert "! the store is read-only" in shown


def test_text_from_outside_is_made_visible() -> None:
    shown = text(line(filter_text=HOSTILE, warning=HOSTILE, store=HOSTILE), 400)
    assert "[/b]" in shown
    assert not any(char in shown for char in "\x1b\x07\u202e\u200b\u200d")


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme(theme: str) -> None:
    bar = line(position=3, open_conflicts=17, settled=2, store="/home/dana/work/shop/.tur/ledger.db")
    async with Stage(bar, theme=theme).run_test() as pilot:
        for number, size in enumerate(SIZES):
            await pilot.resize_terminal(*size)
            bar.position = number
            await pilot.pause()
            assert [cell_len(row) for row in lines(bar)] == [bar.size.width]
            assert size[0] < 20 or number == 0 or f"{number} of 17" in lines(bar)[0]
