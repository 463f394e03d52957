"""A dialog that writes is dead in a window too small to show what would change, and says so."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from tests.ui.sitting import sitting
from tests.ui.stores import kinds, store
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.modal import TOO_SMALL, Modal


async def test_the_question_the_editor_and_the_form_write_nothing_while_too_small(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            for opens, saves in (("space s", "y"), ("m", "f2"), ("b", "enter")):
                await person.press(*opens.split())
                screen = person.app.screen
                assert isinstance(screen, Modal)
                if opens == "b":
                    screen.query_one("#path", Input).value = "src/api"
                for size in ((1, 1), (20, 5), (40, 10), (59, 15), (60, 14)):
                    await person.pilot.resize_terminal(*size)
                    await person.press(*(saves, saves) if opens == "m" else saves.split())
                    assert person.app.screen is screen
                    assert kinds(engine) == []
                told = screen.query_one(".keys" if isinstance(screen, ConfirmScreen) else "#problem")
                assert TOO_SMALL in str(told.render())
                await person.pilot.resize_terminal(120, 36)
                await person.press("escape", "escape")
                assert person.at_desk


async def test_only_the_named_keys_answer_a_question(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("space", "s", "enter")
            assert isinstance(person.app.screen, ConfirmScreen)
            assert kinds(engine) == []
            await person.press("y")
            assert kinds(engine) == ["resolved supersede"]
