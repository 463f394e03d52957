"""Toasts never bury the work: one for a run of decisions, two at most, none over a dialog or on the verbs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.sitting import sitting
from tests.ui.stores import kinds, store


async def test_a_run_of_decisions_is_one_toast_and_two_are_the_most(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("s", "r", "f")
            assert len(kinds(engine)) == 3
            await person.until(lambda: len(person.shown_toasts) == 1)
            assert person.shown_toasts[0].startswith("3 decisions, the last one: ")
            person.app.say("A warning.", severity="warning")
            for number in range(4):
                person.app.say(f"Word {number}.")
            await person.until(lambda: person.shown_toasts == ["A warning.", "Word 3."])
            rows = person.text.splitlines()
            assert "settled" in rows[0]
            assert "? Help" in rows[-1]
            person.app.say("A warning.", severity="warning")
            await person.until(lambda: sorted(person.shown_toasts) == ["A warning.", "Word 3."])
            assert "Word 0." in person.toasts


async def test_no_toast_lies_over_a_dialog_but_the_answer_to_a_key_there(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press("s")
            await person.until(lambda: person.shown_toasts)
            await person.press("question_mark")
            person.app.say("It came meanwhile.")
            await person.settled()
            assert person.shown_toasts == []
            await person.press("ctrl+c")
            await person.until(lambda: person.shown_toasts)
            assert "Esc closes this" in person.shown_toasts[0]
            await person.press("escape")
            await person.until(lambda: "It came meanwhile." in person.shown_toasts)


async def test_toasts_leave_the_verbs_free_at_every_width(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (120, 36)) as person:
            for size in ((80, 24), (60, 15)):
                await person.pilot.resize_terminal(*size)
                person.app.say(f"Said at {size}, " + "and it goes on " * 20)
                told = f"Said at {size}, "
                await person.until(lambda told=told: any(told in each for each in person.shown_toasts))  # type: ignore[misc]

                def verbs() -> str:
                    return "".join(person.text.splitlines()[-3:-1])

                await person.until(lambda: "a Abort" in verbs() and "s Supersede" in verbs())


@pytest.mark.parametrize("key", ["2", "3", "4", "5"])
async def test_toasts_leave_what_the_other_screens_say_in_place_free(tmp_path: Path, key: str) -> None:
    root, away = tmp_path / "project", tmp_path / "away"
    root.mkdir()
    with store(root) as engine:
        async with sitting(engine, (80, 24)) as person:
            await person.press(key)
            person.app.say("Said before, " + "and it goes on " * 20, timeout=60)
            await person.until(lambda: person.shown_toasts)
            root.rename(away)
            await person.until(lambda: "until it is back" in " ".join(person.text.split()))
            await person.settled()
            assert "Said before" in person.text
            assert "is gone: it was moved or removed" in " ".join(person.text.split())
            assert "? Help" in person.text.splitlines()[-1]
            away.rename(root)
