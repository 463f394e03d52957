"""What is typed right behind a key that opens something goes into it: in one chunk, as a quick hand or a slow line."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.widgets import Input, TextArea

from tests.ui.governing import PASSPHRASE, PROMOTING, StandIn
from tests.ui.historian import remembering
from tests.ui.reviewer import reviewing
from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, guarded, kinds, learn, store
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.merge import MergeScreen
from tur_tui.typed_ahead import Sent

WORDS = "as xruqsf agreed"


async def at_once(person: Sitting, *keys: str) -> None:
    """All of it is there before the first key is looked at."""
    for key in keys:
        letter = " " if key == "space" else key if len(key) == 1 else None
        person.app.post_message(Key("space" if key == " " else key, letter))
    await person.settled()


def value(person: Sitting, name: str) -> str:
    return person.app.screen.query_one(f"#{name}", Input).value


async def test_text_behind_m_is_in_the_editor_and_no_verb(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await at_once(person, "m", *WORDS)
            assert person.app.screen.query_one(TextArea).text.endswith(WORDS)
            await at_once(person, "escape", "n", "m", *"another", "f2")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved merge"]
            assert any("another" in each.memory.content for each in engine.memories())


async def test_what_comes_while_the_editor_is_being_made_is_in_it_in_order(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            app = person.app
            app.post_message(Key("m", "m"))
            await person.until(lambda: isinstance(app.screen, MergeScreen))
            for letter in "ab":
                app.post_message(Key(letter, letter))
            app.post_message(Paste("cd"))
            app.post_message(Key("e", "e"))
            await person.settled()
            assert "abcde" in app.screen.query_one(TextArea).text


async def test_text_behind_an_m_that_waits_for_a_decision_to_be_written(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await at_once(person, "s", "m", *WORDS)
            assert kinds(engine) == ["resolved supersede"]
            assert person.app.screen.query_one(TextArea).text.endswith(WORDS)


async def test_text_for_an_editor_that_did_not_open_answers_no_question(tmp_path: Path) -> None:
    with store(tmp_path, dependants=2) as engine:
        async with sitting(engine) as person:
            await at_once(person, "s", "m", *"many yes")
            assert isinstance(person.app.screen, ConfirmScreen)
            assert kinds(engine) == []
            await person.press("n", "n")
            assert person.at_desk


async def test_text_behind_an_m_that_is_refused_is_no_row_of_verbs(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        before = kinds(engine)
        async with sitting(engine) as person:
            await at_once(person, "m", "x", "a", "q")
            assert "invariant" in person.toasts[-1]
            assert person.app.return_code is None
            assert kinds(engine) == before
            await person.press("question_mark")
            assert not person.at_desk


async def test_f2_behind_m_does_no_harm(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await at_once(person, "m", "f2", "escape")
            assert person.app.return_code is None


@pytest.mark.parametrize(("opens", "field"), [("b", "path"), ("slash", "filter"), ("ctrl+p", "typed")])
async def test_the_fields_of_the_start_screen(tmp_path: Path, opens: str, field: str) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await at_once(person, opens, *WORDS)
            assert value(person, field) == WORDS
            assert kinds(engine) == []


async def test_the_reason_of_a_proposal(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            await at_once(person, "P", *WORDS)
            assert value(person, "reason") == WORDS


@pytest.mark.parametrize(("opens", "field"), [("r", "reason"), ("slash", "find"), ("at", "moment")])
async def test_the_fields_of_the_history_screen(tmp_path: Path, opens: str, field: str) -> None:
    with store(tmp_path, ()) as engine:
        learn(engine, "Tests run with pytest", MARA)
        async with remembering(engine) as person:
            await at_once(person, opens, *WORDS)
            assert value(person, field) == WORDS


async def test_a_passphrase_is_no_row_of_keys() -> None:
    async with reviewing(StandIn([PROMOTING])) as person:
        for letter in ("A", *PASSPHRASE):
            person.app.post_message(Key(letter, letter))
        await person.pilot.pause()
        assert value(person, "passphrase") == PASSPHRASE


async def test_a_key_that_never_comes_back_is_waited_for_once(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            lost = Key("escape", None)
            person.app._handed[lost] = Sent(-1, person.app._in_front)
            await at_once(person, "n")
            assert person.current.id == engine.conflicts()[1].id
            assert lost not in person.app._handed
