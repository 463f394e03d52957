"""The help screen names every key and lets go."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, kinds, store
from tur_tui.actions import ACTIONS, Group, with_keys
from tur_tui.screens.help import HelpScreen


async def test_it_names_every_action_under_its_heading(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (120, 60)) as person:
            await person.press("question_mark")
            told = "\n".join(str(each.render()) for each in person.app.screen.query(Static))
            for each in ACTIONS:
                assert with_keys(each.help) in told
                assert each.shown in told
            for group in Group:
                assert group in told
            for words in ("In the neighbourhood", "Centre here", "[ Previous change"):
                assert words in told


@pytest.mark.parametrize("key", ["escape", "q", "question_mark", "f1"])
async def test_it_closes(tmp_path: Path, key: str) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("f1")
            assert isinstance(person.app.screen, HelpScreen)
            await person.press(key)
            assert person.at_desk


async def test_verbs_do_nothing_behind_it(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("question_mark", "s", "r", "f", "x", "a", "u")
            assert kinds(engine) == []


async def test_it_explains_the_marks_before_the_texts(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, (80, 60)) as person:
            await person.press("question_mark")
            told = str(person.app.screen.query_one("#marks", Static).render())
            for mark in ("~ the same line", "- only in the existing", "+ only in the new"):
                assert mark in told
