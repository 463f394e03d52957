"""Every size from one cell to 200x50: what is shown, what is dead, and that nothing breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, kinds, store


@pytest.mark.parametrize("size", [(200, 50), (80, 24), (59, 15), (20, 5), (1, 1)])
async def test_every_key_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path, PAIRS[:2], dependants=1) as engine:
        async with sitting(engine, size) as person:
            for keys in ("tab tab tab down", "e", "escape", "question_mark", "escape", "slash x escape"):
                await person.press(*keys.split())
            for keys in ("space asterisk x", "escape", "escape", "h", "escape", "P", "E", "escape", "o Y"):
                await person.press(*keys.split())
            for keys in ("n d plus minus t y", "b", "escape", "m", "escape", "s u p"):
                await person.press(*keys.split())
            assert person.app.is_running
            assert all(cell_len(row) <= size[0] for row in person.text.splitlines())


@pytest.mark.parametrize(("size", "alive"), [((60, 15), True), ((59, 15), False), ((60, 14), False), ((20, 5), False)])
async def test_verbs_are_dead_where_one_cannot_see_what_they_act_on(
    tmp_path: Path, size: tuple[int, int], alive: bool
) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, size) as person:
            await person.press("s", "u")
            assert kinds(engine) == (["resolved supersede", "undone"] if alive else [])
            assert ("verbs are off" in person.text) is (not alive)


async def test_80x24_shows_the_conflict_the_reasons_and_the_latest_entries(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            for words in ("EXISTING", "NEW", "WHY", "WHAT WOULD HAPPEN", "Feed", "s Supersede", "? Help", "q Quit"):
                assert words in person.text
            assert "Neighbourhood" not in person.text


async def test_80x24_shows_other_panes_beside_the_two_texts(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("tab", "tab")
            assert "Neighbourhood" in person.text
            assert "Alembic" in person.text
            await person.press("tab")
            assert person.text.count("held") >= 3
            assert "Alembic" in person.text
            assert "EXISTING" in person.text


@pytest.mark.parametrize("size", [(60, 15), (79, 19), (100, 15), (80, 24), (160, 20)])
async def test_wherever_a_verb_is_alive_both_texts_can_be_read(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, size) as person:
            assert "Alembic" in person.text
            assert "Prisma" in person.text


async def test_resizing_rearranges_while_it_runs(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.pilot.resize_terminal(200, 50)
            await person.settled()
            assert "Neighbourhood" in person.text
            await person.pilot.resize_terminal(1, 1)
            await person.settled()
            await person.pilot.resize_terminal(80, 24)
            await person.settled()
            assert "EXISTING" in person.text
            await person.press("s")
        assert kinds(engine) == ["resolved supersede"]


async def test_the_texts_stand_beside_each_other_at_80_and_below_each_other_at_60(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            row = next(row for row in person.text.splitlines() if "EXISTING" in row)
            assert "NEW" in row
            await person.pilot.resize_terminal(62, 24)
            await person.settled()
            row = next(row for row in person.text.splitlines() if "EXISTING" in row)
            assert "NEW" not in row
