"""What is worked out ahead: one question at a time, forgotten when the ledger moves, and painted with the key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.ui.making import conflict
from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import PAIRS, learn, store
from tur_engine.errors import TurError
from tur_engine.records import Neighbourhood, Verb
from tur_tui.desk.queue import Desk
from tur_tui.desk.studies import MOST, Studies, Study, question
from tur_tui.drawing.wording import now
from tur_tui.screens.studying import REST
from tur_tui.widgets.diff_view import DiffView
from tur_tui.widgets.feed import Feed

A, B, C = (conflict(name) for name in "ABC")


def study() -> Study:
    return Study({}, Neighbourhood(focus=(), nodes=(), edges=(), hidden={}))


def answer(studies: Studies, about: Any) -> None:
    studies.asked = question(about, 1)
    assert studies.take(question(about, 1), study())


def test_one_question_at_a_time_and_none_twice() -> None:
    studies = Studies()
    assert studies.next((A, B), 1) is A
    studies.asked = question(A, 1)
    assert studies.next((A, B), 1) is None
    assert studies.take(question(A, 1), made := study())
    assert studies.of(A, 1) is made
    assert studies.next((A, B), 1) is B
    studies.asked = question(B, 1)
    assert studies.take(question(B, 1), None)
    assert studies.of(B, 1) is None
    assert studies.next((A, B), 1) is None
    studies.again(A, 1)
    studies.again(B, 1)
    assert studies.next((A, B), 1) is B


def test_another_radius_or_revision_is_another_question() -> None:
    studies = Studies()
    answer(studies, A)
    assert studies.next((A,), 2) is A
    newer = conflict("A", revision=2)
    assert studies.next((newer,), 1) is newer


def test_what_the_ledger_moved_is_forgotten_and_a_late_answer_with_it() -> None:
    studies = Studies()
    answer(studies, A)
    studies.asked = question(B, 1)
    studies.forget()
    assert studies.of(A, 1) is None
    assert not studies.take(question(B, 1), study())
    assert studies.of(B, 1) is None
    assert studies.next((A, B), 1) is A


def test_the_oldest_are_forgotten() -> None:
    studies = Studies()
    many = [conflict(str(number)) for number in range(MOST + 1)]
    for each in many:
        answer(studies, each)
    assert studies.of(many[0], 1) is None
    assert all(studies.of(each, 1) for each in many[1:])


def test_one_step_leads_to_the_next_and_the_one_before() -> None:
    desk = Desk()
    assert [*desk.beside] == []
    for queue, beside in (([A], []), ([A, B], [B]), ([A, B, C], [B, C])):
        desk.load(queue)
        assert [*desk.beside] == beside


# on the screen -----------------------------------------------------------------------------


@asynccontextmanager
async def paintings(person: Sitting) -> AsyncIterator[list[str]]:
    """The screen at each painting that shows something else than before; meanwhile nothing grows older."""
    moment = now()
    for pane in (person.triage.query_one(Feed), person.triage.query_one(DiffView)):
        pane._clock = lambda: moment
        pane.refresh()
    await person.settled()
    seen = [person.text]
    with pytest.MonkeyPatch.context() as patch:
        display = person.app._display

        def noted(*what: Any) -> None:
            display(*what)
            if person.text != seen[-1]:
                seen.append(person.text)

        patch.setattr(person.app, "_display", noted)
        yield seen
        await person.until(lambda: len(seen) > 1)
        await person.settled()


async def test_the_next_conflict_comes_whole_in_one_painting(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (200, 50)) as person:
            for key in ("n", "p", "space"):
                async with paintings(person) as seen:
                    await person.press(key)
                assert len(seen) == 2, key
                assert "working it out" not in seen[1]


async def test_another_verb_comes_with_its_effects_in_one_painting(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            for pane in ("diff", "verbs"):
                person.triage.show_pane(pane)
                await person.settled()
                async with paintings(person) as seen:
                    await person.press("right")
                assert len(seen) == 2, pane


async def test_a_step_in_the_feed_comes_in_one_painting(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (200, 50)) as person:
            person.triage.show_pane("feed")
            await person.press("down")
            before = person.current
            async with paintings(person) as seen:
                await person.press("down")
            assert person.current != before
            assert len(seen) == 2


async def test_another_pane_in_focus_repaints_no_more_than_the_two(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine, (200, 50)) as person:
            screen = person.triage
            screen.show_pane("diff")
            await person.settled()
            painted: list[object] = []
            with pytest.MonkeyPatch.context() as patch:
                update = screen._compositor.update_widgets

                def noted(widgets: set[Any]) -> None:
                    painted.extend(widgets)
                    update(widgets)

                patch.setattr(screen._compositor, "update_widgets", noted)
                await person.press("tab")
            assert screen not in painted
            assert {each.id for each in painted if each.id} == {"diff", "why"}  # type: ignore[attr-defined]


async def test_news_of_the_ledger_has_the_preview_worked_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tur_tui.screens.studying.REST", 0.05)
    assert REST > 0.05
    with store(tmp_path, PAIRS[:2]) as engine:
        async with sitting(engine) as person:
            asked: list[str] = []
            preview = engine.preview

            def noted(ref: str, verb: Verb, **more: Any) -> Any:
                asked.append(ref)
                return preview(ref, verb, **more)

            monkeypatch.setattr(engine, "preview", noted)
            await person.press("n", "p", "n")
            assert asked == []
            learn(engine, "Reviews take one day")
            await person.until(lambda: {*asked} == {each.id for each in engine.conflicts()})


async def test_what_cannot_be_worked_out_ahead_is_said_when_it_is_in_front(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store(tmp_path) as engine:
        first, *others = (each.id for each in engine.conflicts())
        preview = engine.preview

        def fails(ref: str, verb: Verb, **more: Any) -> Any:
            if ref != first:
                raise TurError("It cannot be foreseen.")
            return preview(ref, verb, **more)

        monkeypatch.setattr(engine, "preview", fails)
        async with sitting(engine) as person:
            assert person.toasts == []
            await person.press("n")
            await person.until(lambda: "It cannot be foreseen." in person.toasts)
            assert person.current.id in others
