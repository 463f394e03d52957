"""The merge editor and the branch form: they write, refuse in place, and leave without a trace."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from textual import events
from textual.widgets import Input, RadioSet, TextArea

from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import PAIRS, kinds, learn, scripted, store
from tur_engine.engine import Engine
from tur_engine.records import Verb
from tur_tui.messages import NotDone
from tur_tui.screens.branch import BranchScreen
from tur_tui.screens.confirm import ConfirmScreen
from tur_tui.screens.deciding import DecidingScreen
from tur_tui.screens.merge import MergeScreen

BOTH = "Database migrations run via Prisma Migrate, Alembic only for the archive"


def editor(person: Sitting) -> TextArea:
    return person.app.screen.query_one("#editor", TextArea)


async def write(person: Sitting, text: str) -> None:
    """Replace what is in the editor, and wait for the check."""
    editor(person).text = text
    screen = person.app.screen
    assert isinstance(screen, MergeScreen)
    await person.until(lambda: screen._checked is not None and screen._checked.text == text)
    await person.settled()


async def test_it_opens_with_both_texts_and_the_difference_selected(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            assert isinstance(person.app.screen, MergeScreen)
            assert editor(person).selected_text == "Alembic / Prisma Migrate"
            for words in ("Existing", "New", "Database migrations run via Alembic", "contradicts nothing"):
                assert words in person.text


@pytest.mark.parametrize("key", ["ctrl+s", "f2"])
async def test_the_merged_text_replaces_both(tmp_path: Path, key: str) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, BOTH)
            await person.press(key)
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved merge"]
            live = [each.memory.content for each in engine.memories()]
            assert BOTH in live
            assert not {*PAIRS[0]} & {*live}
            assert "1 of 2, 1 settled" in person.text
            await person.press("u")
            assert PAIRS[0][0] in [each.memory.content for each in engine.memories()]


async def test_typed_letters_are_text_and_no_verbs(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await person.press(*"srfxaqu")
            assert "srfxaqu" in editor(person).text
            assert isinstance(person.app.screen, MergeScreen)
            await person.press("escape")
            assert person.at_desk
        assert kinds(engine) == []


async def test_a_text_that_still_clashes_says_with_what_and_is_saved_only_when_asked_twice(tmp_path: Path) -> None:
    clash = ("Database migrations of the archive never use Alembic", BOTH)
    with store(tmp_path) as engine:
        learn(engine, clash[0])
        scripted(engine, [*PAIRS, clash])
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, BOTH)
            assert "still contradicts" in person.text
            assert "never use Alembic" in person.text
            await person.press("f2")
            assert "Save again" in person.text
            assert kinds(engine) == []


async def test_a_sentence_that_clashes_is_found_beside_others(tmp_path: Path) -> None:
    clash = ("The API listens on port 8080", "The API listens on port 1234.")
    with store(tmp_path) as engine:
        learn(engine, clash[0])
        scripted(engine, [*PAIRS, clash])
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, f"{clash[1]} {BOTH}")
            assert '"The API listens on port 1234." still contradicts' in " ".join(person.text.split())
            await person.press("f2")
            assert "Save again" in person.text
            assert kinds(engine) == []


async def test_a_conflict_that_is_settled_elsewhere_is_said_and_nothing_saved(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            for number, (opens, saves) in enumerate((("m", "f2 f2"), ("b", "enter f2")), 1):
                conflict = person.current.id
                await person.press(opens)
                if opens == "m":
                    await write(person, BOTH)
                else:
                    person.app.screen.query_one("#path", Input).value = "src"
                engine.resolve(conflict, Verb.FORCE)
                # A toast of the first may still be there when the second is settled.
                await person.until(lambda: cast(DecidingScreen, person.app.screen).gone)
                assert "settled elsewhere" in " ".join(person.text.split())
                await person.press(*saves.split())
                assert not person.at_desk
                assert kinds(engine) == ["resolved force"] * number
                if opens == "m":
                    assert editor(person).text == BOTH
                    await person.press("x")
                assert "Nothing can be saved here any more" in " ".join(person.text.split())
                assert "Save again" not in person.text
                await person.press("escape")


async def test_an_empty_text_is_refused_in_place(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, "")
            assert "empty" in person.text
            await person.press("f2", "f2")
            assert isinstance(person.app.screen, MergeScreen)
            assert kinds(engine) == []


async def test_a_merge_that_reaches_far_asks_first(tmp_path: Path) -> None:
    with store(tmp_path, dependants=2) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, BOTH)
            await person.press("f2")
            await person.until(lambda: isinstance(person.app.screen, ConfirmScreen))
            await person.press("n")
            assert isinstance(person.app.screen, MergeScreen)
            await person.press("f2")
            await person.until(lambda: isinstance(person.app.screen, ConfirmScreen))
            await person.press("y")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved merge"]


async def test_what_is_pasted_loses_what_could_steer_a_terminal(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            editor(person).post_message(events.Paste("a\x1b]0;PWNED\x07b\u202ec"))
            await person.settled()
            assert "a]0;PWNEDbc" in editor(person).text


async def test_it_works_in_small_windows(tmp_path: Path) -> None:
    for size in ((60, 15), (30, 8), (1, 1)):
        place = tmp_path / str(size[0])
        place.mkdir()
        with store(place, PAIRS[:1]) as engine:
            async with sitting(engine, (80, 24)) as person:
                await person.press("m")
                await person.pilot.resize_terminal(*size)
                await person.settled()
                assert isinstance(person.app.screen, MergeScreen)


async def test_branch_is_prefilled_from_where_the_person_stands(tmp_path: Path) -> None:
    here = tmp_path / "services" / "api"
    here.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/prisma\n")
    with store(tmp_path) as engine:
        async with sitting(engine, here=here) as person:
            await person.press("b")
            screen = person.app.screen
            assert isinstance(screen, BranchScreen)
            assert screen.query_one("#path", Input).value == "services/api"
            assert screen.query_one("#branch", Input).value == "prisma"
            assert "would hold only in services/api on branch prisma" in person.text
            await person.press("enter")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved scope_branch"]
            assert scope_of(engine, PAIRS[0][1]) == "incarnation:services/api@prisma"
            assert scope_of(engine, PAIRS[0][0]) == "incarnation"


async def test_branch_of_the_existing_side(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("b")
            sides = person.app.screen.query_one("#side", RadioSet)
            sides.focus()
            await person.press("down", "space", "tab")
            await person.press(*"legacy", "f2")
            await person.until(lambda: person.at_desk)
            assert scope_of(engine, PAIRS[0][0]) == "incarnation:legacy"


@pytest.mark.parametrize(("path", "sentence"), [("", "give a path, a branch or both"), ("../up", "leaves the store")])
async def test_branch_refuses_in_place(tmp_path: Path, path: str, sentence: str) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("b")
            field = person.app.screen.query_one("#path", Input)
            field.value = path
            await person.press("enter")
            assert isinstance(person.app.screen, BranchScreen)
            assert sentence in " ".join(person.text.split())
            await person.press("escape")
            assert person.at_desk
        assert kinds(engine) == []


def scope_of(engine: Engine, text: str) -> str:
    return next(str(each.memory.scope) for each in engine.memories() if each.memory.content == text)


async def test_the_side_that_is_chosen_is_told_without_colour_and_typing_goes_to_the_path(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("b")
            assert "(x) New" in person.text
            assert "( ) Existing" in person.text
            sides = person.app.screen.query_one("#side", RadioSet)
            sides.focus()
            await person.press("down", "space")
            assert "( ) New" in person.text
            assert "(x) Existing" in person.text
            await person.press(*"docs/a")
            assert person.app.screen.query_one("#path", Input).value == "docs/a"
            assert person.app.screen.query_one("#path", Input).has_focus


async def test_a_text_that_waits_at_the_gate_is_refused_without_a_promise(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, PAIRS[1][1])
            assert "which is held itself: settle that one first" in " ".join(person.text.split())
            await person.press("f2")
            await person.press("f2")
            assert "Not saved." in person.text
            assert "Save again" not in person.text
            assert isinstance(person.app.screen, MergeScreen)
        assert kinds(engine) == []


async def test_where_each_side_stands_is_whole_at_80_columns(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("m")
            assert " active, contested " in person.text
            assert " held, contested " in person.text
            assert "…" not in person.text


async def test_the_rule_is_told_before_the_first_save_and_how_to_save_stands_on_top(tmp_path: Path) -> None:
    clash = ("Database migrations of the archive never use Alembic", BOTH)
    with store(tmp_path) as engine:
        learn(engine, clash[0])
        scripted(engine, [*PAIRS, clash])
        async with sitting(engine, (80, 24)) as person:
            await person.press("m")
            title = next(row for row in person.text.splitlines() if "Merged text" in row)
            assert "F2 or ctrl+s saves, Esc leaves" in title
            await write(person, BOTH)
            assert "saved twice it is stored" in " ".join(person.text.split())
            await person.press("f2", "f2")
            await person.until(lambda: person.at_desk)
        assert kinds(engine) == ["resolved merge"]


async def test_a_decision_that_comes_too_late_says_so_and_nothing_can_be_saved_any_more(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            await write(person, BOTH)
            dialog = cast(DecidingScreen, person.app.screen)
            dialog._writing = True  # as between the key and the answer
            engine.resolve(dialog.conflict.id, Verb.FORCE)
            await person.until(lambda: "settled elsewhere" in " ".join(person.toasts))
            assert dialog.gone == ""
            dialog.post_message(NotDone("It is settled already."))
            await person.until(lambda: "Nothing can be saved here any more" in dialog.gone)
            assert "Nothing can be saved here any more" in " ".join(person.text.split())
