"""A dialog that is left keeps what was typed in it, and has it back when it is opened on the same thing again."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input, TextArea

from tests.ui.governing import PASSPHRASE, PROMOTING, RETIRING, StandIn
from tests.ui.historian import remembering
from tests.ui.reviewer import reviewing
from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, guarded, kinds, learn, store
from tur_engine.records import Verb
from tur_tui.desk.drafts import Drafts
from tur_tui.screens.admin_unlock import UnlockScreen
from tur_tui.screens.deciding import DecidingScreen
from tur_tui.screens.drafting import BACK, KEPT
from tur_tui.screens.propose import ProposeScreen


def area(person: Sitting) -> TextArea:
    return person.app.screen.query_one(TextArea)


def line(person: Sitting, name: str) -> Input:
    return person.app.screen.query_one(f"#{name}", Input)


def test_what_is_kept_gives_way_to_what_is_kept_later() -> None:
    drafts = Drafts()
    drafts.keep("a", {"text": "one"})
    drafts.keep("b", {"text": "two"})
    assert (drafts.of("a"), drafts.of("b"), drafts.of("c")) == ({"text": "one"}, {"text": "two"}, {})
    drafts.keep("a", {})
    assert drafts.of("a") == {}


async def test_the_merge_editor_brings_the_text_back_and_undo_the_first_one(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            first = area(person).text
            await person.press("end", *" as agreed", "escape")
            typed = f"{first} as agreed"
            assert person.at_desk
            assert person.toasts[-1] == KEPT
            await person.press("n", "m")
            assert "agreed" not in area(person).text  # another conflict
            await person.press("escape", "p", "m")
            assert area(person).text == typed
            assert BACK in person.text
            await person.until(lambda: "contradicts nothing" in person.text)
            await person.press("ctrl+z")
            assert area(person).text == first
            await person.press("ctrl+y", "f2")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved merge"]
            await person.press("u", "m")
            assert area(person).text == first  # what was written is no draft any more


async def test_an_untouched_editor_is_left_without_a_word(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m", "escape", "b", "escape")
            assert person.toasts == []


async def test_nothing_is_promised_of_a_conflict_that_was_settled_elsewhere(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m", "x")
            dialog = person.app.screen
            assert isinstance(dialog, DecidingScreen)
            engine.resolve(dialog.conflict.id, Verb.FORCE)
            await person.until(lambda: dialog.gone)
            await person.press("escape")
            assert person.at_desk
            assert KEPT not in person.toasts


async def test_the_forms_of_triage(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("b", *"src/api", "escape", "b")
            assert line(person, "path").value == "src/api"
            assert "would hold only in src/api" in person.text
            await person.press(*"/v2", "enter")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved scope_branch"]


async def test_the_reason_of_a_proposal(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("P", *"inside", "escape", "P")
            assert isinstance(person.app.screen, ProposeScreen)
            assert line(person, "reason").value == "inside"


async def test_the_dialogs_of_history(tmp_path: Path) -> None:
    with store(tmp_path, ()) as engine:
        learn(engine, "Tests run with pytest", MARA)
        async with remembering(engine) as person:
            await person.press("c", *", always", "escape", "r", *"gone", "escape", "c")
            assert area(person).text == "Tests run with pytest, always"
            await person.press("escape", "r")
            assert line(person, "reason").value == "gone"


async def test_the_reason_of_a_rejection_but_never_a_passphrase() -> None:
    async with reviewing(StandIn([RETIRING, PROMOTING])) as person:
        await person.press("U", *PASSPHRASE[:3], "escape", "U")
        assert isinstance(person.app.screen, UnlockScreen)
        assert person.app.screen.query_one(Input).value == ""
        await person.fill(PASSPHRASE)
        await person.press("R", *"not yet", "escape", "n", "R")
        assert line(person, "reason").value == ""  # another proposal
        await person.press("escape", "p", "R")
        assert line(person, "reason").value == "not yet"
