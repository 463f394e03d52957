"""A dialog that writes is dead in a window too small to show what would change, and says so in sight."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from tests.ui.governing import PROMOTING, StandIn
from tests.ui.historian import remembering
from tests.ui.reviewer import reviewing
from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, guarded, kinds, learn, store
from tur_engine.engine import Engine
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.modal import TOO_SMALL, Modal

Opened = Callable[[Path], AbstractAsyncContextManager[Sitting]]

SMALL = ((20, 6), (40, 10), (59, 15), (60, 14))


def on_top(make: Callable[[Path], Engine], *opens: str) -> Opened:
    """A dialog on the start screen."""

    @asynccontextmanager
    async def there(root: Path) -> AsyncIterator[Sitting]:
        with make(root) as engine:
            async with sitting(engine) as person:
                await person.press(*opens)
                yield person

    return there


def on_history(text: str, *opens: str) -> Opened:
    @asynccontextmanager
    async def there(root: Path) -> AsyncIterator[Sitting]:
        with store(root, ()) as engine:
            learn(engine, text, MARA)
            async with remembering(engine) as person:
                await person.press(*opens)
                yield person

    return there


@asynccontextmanager
async def unlocking(_: Path) -> AsyncIterator[Sitting]:
    async with reviewing(StandIn([PROMOTING])) as person:
        await person.press("U")
        yield person


@asynccontextmanager
async def rejecting(_: Path) -> AsyncIterator[Sitting]:
    async with reviewing(StandIn([PROMOTING])) as person:
        await person.unlock()
        await person.press("R")
        yield person


LONG = " ".join(f"Tests of part {number} run with pytest and nothing else." for number in range(12))
DIALOGS = {
    "confirm": (on_top(store, "space", "s"), "y", ""),
    "merge": (on_top(store, "m", *" x"), "f2", ""),
    "branch": (on_top(store, "b"), "f2", "Nothing is narrowed yet"),
    "propose": (on_top(guarded, "P"), "enter", "Say why"),
    "correct": (on_history(LONG, "c"), "f2", "The text is as it was"),
    "retire": (on_history(LONG, "r"), "f2", "Say why"),
    "unlock": (unlocking, "enter", "Type the passphrase"),
    "reject": (rejecting, "f2", "Not rejected: say why"),
}


def words(person: Sitting) -> str:
    return " ".join("".join(" " if char in "│┃▌█▎▐▊▔▁╭╮╰╯─▂▃▄▅▆▇" else char for char in person.text).split())


@pytest.mark.parametrize("name", DIALOGS)
async def test_a_refusal_is_in_sight_in_any_window_and_goes_when_there_is_room(tmp_path: Path, name: str) -> None:
    opened, writes, refusal = DIALOGS[name]
    async with opened(tmp_path) as person:
        dialog = person.app.screen
        assert isinstance(dialog, Modal)
        if name == "branch":
            dialog.query_one("#path", Input).value = "src"
        for size in SMALL:
            await person.pilot.resize_terminal(*size)
            await person.press(writes)
            if name == "merge":
                await person.press(writes)  # what still clashes is refused at first
            assert person.app.screen is dialog
            assert words(person).count("too small"), f"{size}\n{person.text}"
        await person.pilot.resize_terminal(120, 36)
        await person.settled()
        assert "too small" not in words(person)
        if refusal:
            for field in dialog.query(Input):
                field.value = ""
            for size in ((60, 15), (80, 24)):
                await person.pilot.resize_terminal(*size)
                await person.press(writes)
                assert refusal in words(person), f"{size}\n{person.text}"


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
                assert str(screen.query_one("#problem", Static).render()) == TOO_SMALL
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
