"""The verbs in a row: cursor, keys, mouse, what is not allowed."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.ui.stage import SIZES, THEMES, Heard, Stage, lines, styled
from tur_engine.records import Preview, Verb
from tur_tui.actions import action
from tur_tui.widgets.verb_bar import VerbBar

REFUSED = {Verb.MERGE: Preview(verb=Verb.MERGE, allowed=False, reason="An invariant changes by proposal only.")}


async def test_every_verb_with_its_key_in_one_row_at_80_columns() -> None:
    bar = VerbBar()
    async with Stage(bar).run_test(size=(80, 10)) as pilot:
        bar.show(Verb.SUPERSEDE)
        await pilot.pause()
        assert bar.size.height == 1
        assert lines(bar)[0].split("  ")[:7] == [f"{verb.key} {action(f'conflict.{verb}').label}" for verb in Verb][:7]


async def test_the_keys_are_those_of_the_screen_it_stands_on() -> None:
    """On the scan screen `r` reads the files anew: no key refutes there."""
    bar = VerbBar(room="scan")
    async with Stage(bar).run_test(size=(80, 10)) as pilot:
        bar.show(Verb.SUPERSEDE)
        await pilot.pause()
        assert lines(bar)[0].lstrip().startswith("s Supersede")
        assert " Refute" in lines(bar)[0]
        assert "r Refute" not in lines(bar)[0]


@pytest.mark.parametrize(("width", "height"), [(120, 1), (60, 2), (30, 1), (12, 1)])
async def test_narrow_bars_take_two_rows_then_the_keys_alone(width: int, height: int) -> None:
    bar = VerbBar()
    async with Stage(bar).run_test(size=(width, 10)) as pilot:
        bar.show(Verb.SUPERSEDE)
        await pilot.pause()
        assert bar.size.height == height
        assert all(cell_len(line) == width for line in lines(bar))


async def test_the_cursor_starts_on_the_suggested_verb_and_goes_round() -> None:
    bar, heard = VerbBar(), Heard()
    async with Stage(bar).run_test(size=(80, 10), message_hook=heard) as pilot:
        bar.show(Verb.SUPERSEDE)
        bar.focus()
        await pilot.press("left", "right", "right")
        assert [m.verb for m in heard.of(VerbBar.VerbHighlighted)] == [
            Verb.SUPERSEDE,
            Verb.ABORT,
            Verb.SUPERSEDE,
            Verb.REFUTE,
        ]
        await pilot.press("enter")
        assert [m.verb for m in heard.of(VerbBar.VerbChosen)] == [Verb.REFUTE]


async def test_the_same_suggestion_for_the_next_conflict_is_told_again() -> None:
    bar, heard = VerbBar(), Heard()
    async with Stage(bar).run_test(size=(80, 10), message_hook=heard) as pilot:
        bar.show(Verb.SUPERSEDE)
        bar.show(Verb.SUPERSEDE)
        await pilot.pause()
        assert len(heard.of(VerbBar.VerbHighlighted)) == 2


async def test_what_is_not_allowed_is_struck_out_and_not_done() -> None:
    bar, heard = VerbBar(), Heard()
    async with Stage(bar, theme="tur-mono").run_test(size=(80, 10), message_hook=heard) as pilot:
        bar.show(Verb.MERGE)
        bar.set_previews(REFUSED)
        bar.focus()
        await pilot.press("enter")
        assert bar.reason == "An invariant changes by proposal only."
        assert not heard.of(VerbBar.VerbChosen)
        assert "strike" in styled(bar, "Merge")
        assert "strike" not in styled(bar, "Refute")
        bar.refuse(Verb.FORCE, "No.")
        assert "strike" in styled(bar, "Force")


async def test_a_click_highlights_and_a_second_one_chooses() -> None:
    bar, heard = VerbBar(), Heard()
    async with Stage(bar).run_test(size=(80, 10), message_hook=heard) as pilot:
        bar.show(Verb.SUPERSEDE)
        await pilot.pause()
        x = lines(bar)[0].index("Branch")
        await pilot.click(bar, offset=(x, 0))
        assert bar.verb is Verb.BRANCH
        assert not heard.of(VerbBar.VerbChosen)
        await pilot.click(bar, offset=(x, 0))
        assert [m.verb for m in heard.of(VerbBar.VerbChosen)] == [Verb.BRANCH]
        await pilot.click(bar, offset=(79, 0))


async def test_without_a_conflict_nothing_can_be_chosen() -> None:
    bar, heard = VerbBar(), Heard()
    async with Stage(bar).run_test(size=(80, 10), message_hook=heard) as pilot:
        bar.focus()
        await pilot.press("enter", "right")
        await pilot.click(bar, offset=(3, 0))
        bar.show(Verb.FORCE)
        bar.clear()
        await pilot.press("enter")
        assert not heard.of(VerbBar.VerbChosen)


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme(theme: str) -> None:
    bar = VerbBar()
    async with Stage(bar, theme=theme).run_test() as pilot:
        bar.show(Verb.REFUTE, REFUSED)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(cell_len(line) == bar.size.width for line in lines(bar))
