"""Every text of the screens can be read in every theme that is shipped: measured on what is painted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import PAIRS, store
from tools.contrast import PLACES, Places, Read, floor, foreign, readings, survey
from tur_tui.resources import themes_dir
from tur_tui.themes import load_theme, load_themes

SCREENS: Places = (
    ("triage", ()),
    ("palette", ("ctrl+p",)),
    ("admin", ("escape", "2")),
    ("history", ("3",)),
    ("graph", ("4",)),
)


async def faint(person: Sitting, places: Places) -> list[tuple[str, str, Read]]:
    """What is below the floor of its theme."""
    themes = [each.name for each in load_themes([themes_dir()])[0] if not each.ansi]
    return [
        (place, theme, each)
        async for place, theme, read in survey(person.app, person.pilot, themes, places)
        for each in read
        if each.ratio < floor(theme)
    ]


async def test_every_text_of_the_screens_is_strong_enough(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:2], dependants=1) as engine:
        async with sitting(engine, (100, 30)) as person:
            assert await faint(person, SCREENS) == []


@pytest.mark.soak
async def test_every_text_of_every_dialog_is_strong_enough(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:2], dependants=1) as engine:
        async with sitting(engine) as person:
            assert await faint(person, PLACES) == []


@pytest.mark.parametrize("theme", ["tur-ansi", "tur-mono"])
async def test_a_theme_of_the_terminal_sends_no_other_colour(tmp_path: Path, theme: str) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, theme=theme) as person:
            for key in ("ctrl+p", "escape", "2", "3", "4"):
                await person.press(key)
                assert readings(person.app) == []
                assert foreign(person.app) == set()


async def test_a_faint_theme_is_found_out(tmp_path: Path) -> None:
    file = tmp_path / "faint.toml"
    file.write_text('primary = "#446688"\nbackground = "#202020"\nforeground = "#484848"\n')
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            person.app.register_theme(load_theme(file))
            person.app.theme = "faint"
            await person.pilot.pause()
            assert readings(person.app)[0].ratio < 3
