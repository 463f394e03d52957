"""The palette: what it offers, in which order, and where a choice leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.sitting import Sitting, sitting
from tests.ui.stage import HOSTILE, belief
from tests.ui.stores import PAIRS, guarded, kinds, learn, store
from tur_engine.records import Status
from tur_tui.actions import ACTIONS
from tur_tui.desk.palette import Palette
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.screens.palette import PaletteScreen
from tur_tui.widgets.palette_list import PaletteList


def names(palette: Palette, typed: str) -> list[str]:
    palette.type(typed)
    return [each.name for each in palette.offers()]


def test_names_come_before_sentences_and_misspelt_names_last() -> None:
    palette = Palette(ACTIONS, ["tur-dark", "nord"], "nord")
    assert names(palette, "") == [each.label for each in ACTIONS]
    assert names(palette, "und")[0] == "Undo"
    assert names(palette, "DEFER") == ["Defer"]
    assert names(palette, "conflict.expo")[0] == "Export"
    assert names(palette, "osc")[0] == "Copy id"
    assert names(palette, "m")[:2] == ["Merge", "Mark"]
    assert names(palette, "tur-d") == ["Theme tur-dark"]
    assert names(palette, "theme") == ["Theme", "Palette", "Theme tur-dark", "Theme nord"]
    assert names(palette, "exprot") == ["Export"]
    assert names(palette, "[] (") == names(palette, "zzzz") == []


def test_memories_stand_behind_what_is_called_so_and_only_for_what_is_typed() -> None:
    palette = Palette(ACTIONS)
    palette.type("undo")
    fell = belief("undo is a key", status=Status.SUPERSEDED)
    assert palette.take_memories("undo", [belief("undo the migration"), fell])
    told = palette.offers()
    assert told[0].name == "Undo"
    assert [each.detail for each in told if each.ref] == ["undo the migration", "(superseded) undo is a key"]
    assert [each.struck for each in told if each.ref] == [False, True]
    palette.type("undo th")
    assert any(each.ref for each in palette.offers()), "what was found stays while more is typed"
    palette.type("def")
    assert not any(each.ref for each in palette.offers())
    assert not palette.take_memories("undo", [belief("late")])
    palette.type("x")
    assert palette.looks_for == ""


async def opened(person: Sitting, typed: str = "") -> PaletteList:
    await person.press("ctrl+p")
    await person.until(lambda: isinstance(person.app.screen, PaletteScreen))
    await person.press(*("space" if char == " " else char for char in typed))
    await person.settled()
    return person.app.screen.query_one(PaletteList)


async def test_it_does_what_is_chosen_on_the_screen_below(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:2]) as engine:
        first, second = engine.conflicts()
        async with sitting(engine, (80, 24)) as person:
            await opened(person, "next")
            await person.press("enter")
            assert person.current.id == second.id
            await opened(person, "not a clash")
            await person.press("enter")
            await person.until(lambda: kinds(engine) == ["resolved dismiss"])
            await opened(person)
            await person.press("escape")
            assert person.at_desk
            await opened(person, "s")
            assert "Supersede" in person.text
            await person.press("ctrl+p")
            assert person.at_desk
            assert [each.id for each in engine.conflicts()] == [first.id]
            await opened(person, "tur-light")
            await person.press("enter")
            assert person.app.current_theme.name == "tur-light"


async def test_only_what_works_now_is_offered(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            offered = {each.action.id for each in (await opened(person))._offers if each.action}
            assert {"conflict.refute", "conflict.propose", "screen.history", "help"} <= offered
            assert not {"conflict.supersede", "conflict.merge", "time.now", "palette"} & offered
            await person.press("escape", "3")
            await person.press("left_square_bracket")
            await person.until(lambda: person.app.past)
            offered = {each.action.id for each in (await opened(person))._offers if each.action}
            assert "time.now" in offered
            assert "memory.correct" not in offered


async def test_any_memory_is_a_few_letters_away(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:2]) as engine:
        learn(engine, HOSTILE.replace("\x1b]0;PWNED\x07", "").replace("\u202eRLO\u202c zero\u200bwidth", ""))
        wanted = learn(engine, "The lighthouse keeper brews Ceylon tea").id or ""
        async with sitting(engine) as person:
            offers = await opened(person, "ligthhouse")
            await person.until(lambda: offers.chosen and offers.chosen.ref)
            await person.press("enter")
            await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
            history = person.app.screen
            assert isinstance(history, HistoryScreen)
            await person.until(lambda: history.desk.known)
            assert history.desk.known is not None
            assert history.desk.known.belief.id == wanted
            await person.press("4")
            offers = await opened(person, "tea app.quit")
            await person.until(lambda: offers.chosen and offers.chosen.ref)
            assert "[/b] [@click=app.quit]x" in person.text
            await person.press("enter")
            await person.until(lambda: isinstance(person.app.screen, GraphScreen))
            graph = person.app.screen
            assert isinstance(graph, GraphScreen)
            await person.until(lambda: graph.desk.part)
            assert graph.desk.centre == (engine.find("tea app.quit")[0].memory.digest,)


async def test_a_store_that_cannot_be_searched_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tur_engine.errors import TurError

    with store(tmp_path, PAIRS[:1]) as engine:

        def fails(*_: object, **__: object) -> None:
            raise TurError("the store is [/b] busy")

        async with sitting(engine, (80, 24)) as person:
            monkeypatch.setattr(engine, "find", fails)
            await opened(person, "alembic")
            await person.until(lambda: "the store is [/b] busy" in person.text)


@pytest.mark.parametrize("size", [(20, 5), (1, 1)])
async def test_in_a_window_too_small_to_see_it_takes_nothing_that_writes(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine, size) as person:
            offers = await opened(person)
            assert not [each for each in offers._offers if each.action and each.action.danger]
            await person.press("escape")
        assert kinds(engine) == []
