"""A store that is lost under the other screens: each says so in its own place, and reads anew when it is back."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from textual.widgets import Static

from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, PAIRS, learn, store
from tur_engine.engine import Engine
from tur_tui.screens.beside import BesideScreen

SCREENS = {"2": "AdminScreen", "3": "HistoryScreen", "4": "GraphScreen", "5": "HealthScreen"}


def told(person: Sitting) -> str:
    return str(person.app.screen.query_one("#told", Static).render())


async def shows(person: Sitting, words: str) -> None:
    """Wait until the words are on the screen."""
    await person.until(lambda: words in person.text)


async def test_a_store_that_was_moved_and_is_back(tmp_path: Path) -> None:
    root, away = tmp_path / "project", tmp_path / "away"
    root.mkdir()
    with store(root, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            for key, name in SCREENS.items():
                await person.press(key)
                assert type(person.app.screen).__name__ == name
                root.rename(away)
                await person.until(lambda: "moved or removed" in told(person))
                await person.pilot.press("down")  # what is said stays while it is so
                assert "moved or removed" in told(person)
                away.rename(root)
                await person.until(lambda: told(person) == "The store is back.")
                await person.press("down")
                assert told(person) == ""
            learn(engine, "It is read anew")
            await person.until(lambda: "active 2" in " ".join(person.text.split()))


@pytest.mark.parametrize("key", SCREENS)
async def test_a_screen_that_is_opened_on_a_lost_store_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setattr("tur_tui.screens.reaching.LOOK", 3600)
    root, away = tmp_path / "project", tmp_path / "away"
    root.mkdir()
    with store(root, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            root.rename(away)
            await person.press(key)
            assert "moved or removed" in told(person)
            away.rename(root)
            await person.press("1", key)
            assert "moved or removed" not in told(person)


@pytest.mark.parametrize("key", SCREENS)
async def test_another_store_at_the_path_is_said(tmp_path: Path, key: str) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press(key)
            shutil.rmtree(tmp_path / ".tur")
            with Engine.init(tmp_path, actor=MARA) as other:
                await person.until(lambda: "replaced by another file" in told(person))
                assert isinstance(person.app.screen, BesideScreen)
                await person.pilot.press("1")
                await person.until(lambda: person.at_desk)
                assert other.head() == 1


async def test_a_lock_of_another_process_stops_no_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tur_engine.ledger.connection.BUSY_MS", 50)
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            with closing(apsw.Connection(str(engine.path))) as other:
                other.execute("BEGIN IMMEDIATE")
                for key, words in (("3", "Alembic"), ("4", "Alembic"), ("5", "OPEN CONFLICTS"), ("2", "No proposal")):
                    await person.press(key)
                    await shows(person, words)
                other.execute("ROLLBACK")
