"""The virtual list: cursor, marks, follow mode, and that its size does not matter."""

from __future__ import annotations

import pytest

from tests.ui.stage import SIZES, Heard, Stage, lines, styled
from tur_tui.widgets.following_list import FollowingList
from tur_tui.widgets.line_list import LineList, Row


class Numbers(FollowingList):
    """Rows that name themselves, newest on top."""

    def __init__(self, count: int) -> None:
        self.drawn: set[int] = set()
        self.total = count
        super().__init__(count=count, empty="Nothing is here.")

    def row(self, index: int) -> Row:
        self.drawn.add(index)
        return [(f"row {self.total - 1 - index}", "")]

    def arrive(self, number: int) -> None:
        self.total += number
        self.rows_arrived(number)


async def test_only_rows_in_view_are_made() -> None:
    rows = Numbers(100_000)
    async with Stage(rows).run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert lines(rows)[0].rstrip() == "row 99999"
        assert len(rows.drawn) <= 10
        rows.focus()
        await pilot.press("end")
        assert rows.cursor == 99_999
        assert lines(rows)[-1].split() == ["row", "0"]
        assert len(rows.drawn) <= 20


async def test_end_and_home_go_there_at_once() -> None:
    rows = Numbers(500)
    async with Stage(rows).run_test(size=(40, 10)) as pilot:
        rows.focus()
        rows.action_last()
        assert rows.scroll_offset.y == 490
        rows.action_first()
        assert rows.scroll_offset.y == 0
        await pilot.pause()


async def test_it_follows_while_the_newest_row_is_on_top() -> None:
    rows, heard = Numbers(30), Heard()
    async with Stage(rows).run_test(size=(40, 10), message_hook=heard) as pilot:
        rows.arrive(5)
        await pilot.pause()
        assert (rows.cursor, rows.following, rows.unseen) == (0, True, 0)
        assert lines(rows)[0].rstrip() == "row 34"
        told = heard.of(LineList.Highlighted)
        assert [(m.index, m.by_person) for m in told] == [(0, False)]


async def test_the_selected_row_stays_selected_and_in_place() -> None:
    rows, heard = Numbers(30), Heard()
    async with Stage(rows).run_test(size=(40, 10), message_hook=heard) as pilot:
        rows.focus()
        await pilot.press("down", "down")
        before = lines(rows)
        heard.clear()
        rows.arrive(37)
        await pilot.pause()
        assert rows.cursor == 39
        assert not rows.following
        assert rows.unseen == 37
        assert "37 new" in lines(rows)[0]
        assert lines(rows)[1:] == before[1:]
        assert not heard.of(LineList.Highlighted)
        assert [(m.following, m.unseen) for m in heard.of(FollowingList.FollowChanged)] == [(False, 37)]
        await pilot.press("home")
        assert (rows.cursor, rows.following, rows.unseen) == (0, True, 0)
        assert "new" not in lines(rows)[0]


async def test_a_scrolled_view_does_not_jump() -> None:
    rows = Numbers(300)
    async with Stage(rows).run_test(size=(40, 10)) as pilot:
        rows.scroll_to(y=50, animate=False, immediate=True)
        await pilot.pause()
        before = lines(rows)
        rows.arrive(4)
        await pilot.pause()
        assert not rows.following
        assert lines(rows)[1:] == before[1:]


async def test_the_offer_of_new_rows_can_be_clicked() -> None:
    rows = Numbers(300)
    async with Stage(rows).run_test(size=(40, 10)) as pilot:
        rows.move_to(100)
        rows.arrive(2)
        await pilot.pause()
        await pilot.click(rows, offset=(35, 0))
        assert (rows.cursor, rows.unseen) == (0, 0)


async def test_clicks_move_and_open() -> None:
    rows, heard = Numbers(30), Heard()
    async with Stage(rows).run_test(size=(40, 10), message_hook=heard) as pilot:
        await pilot.click(rows, offset=(3, 4))
        assert rows.cursor == 4
        assert not heard.of(LineList.Selected)
        await pilot.click(rows, offset=(3, 6), times=2)
        assert [m.index for m in heard.of(LineList.Selected)] == [6]
        await pilot.press("enter")
        assert [m.index for m in heard.of(LineList.Selected)] == [6, 6]


async def test_marks_stay_on_their_rows() -> None:
    rows = Numbers(30)
    async with Stage(rows).run_test(size=(40, 10)) as pilot:
        rows.move_to(2)
        rows.toggle_mark()
        assert rows.marked == [27]
        rows.arrive(3)
        await pilot.pause()
        rows.move_to(0)
        await pilot.pause()
        assert "bold" in styled(rows, "row 27")
        assert "bold" not in styled(rows, "row 28")
        rows.toggle_mark(5)
        assert rows.marked == []


async def test_an_empty_list_says_what_it_is_for() -> None:
    rows = Numbers(0)
    async with Stage(rows).run_test(size=(40, 5)) as pilot:
        rows.focus()
        await pilot.press("down", "up", "end", "home", "pagedown", "enter")
        assert lines(rows)[0].strip() == "Nothing is here."
        rows.arrive(1)
        await pilot.pause()
        assert lines(rows)[0].strip() == "row 0"


async def test_the_cursor_shows_without_colour() -> None:
    rows = Numbers(3)
    async with Stage(rows, theme="tur-mono").run_test(size=(40, 5)) as pilot:
        rows.focus()
        await pilot.pause()
        assert "reverse" in styled(rows, "row 2")
        assert "reverse" not in styled(rows, "row 1")


@pytest.mark.parametrize("size", SIZES)
async def test_any_size_and_any_resize(size: tuple[int, int]) -> None:
    rows = Numbers(50)
    async with Stage(rows).run_test(size=size) as pilot:
        rows.move_to(25)
        rows.arrive(3)
        await pilot.pause()
        await pilot.resize_terminal(3, 2)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert any("row 24" in line for line in lines(rows))
