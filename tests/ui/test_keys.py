"""Where keys are alive: everywhere on the screen but in text fields; footer and bindings tell one story."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from tests.ui.acting import can_run
from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, kinds, store
from tur_tui.actions import ACTIONS, FOOTER, action
from tur_tui.screens.triage import PANES, TriageScreen
from tur_tui.widgets.key_bar import KeyBar


def test_every_action_of_the_table_can_be_run() -> None:
    for each in ACTIONS:
        assert can_run(TriageScreen, each), each.id


@pytest.mark.parametrize("pane", PANES)
async def test_a_verb_works_from_every_pane(tmp_path: Path, pane: str) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            person.triage.query_one(f"#{pane}").focus()
            await person.press("f")
            assert kinds(engine) == ["resolved force"]


async def test_no_verb_works_while_the_filter_is_typed(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.press("slash", *"srmfbxaunpdeytq?")
            assert person.triage.query_one("#filter", Input).value == "srmfbxaunpdeytq?"
            assert person.app.is_running
        assert kinds(engine) == []


async def test_tab_walks_the_panes_both_ways(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            walked = [person.triage.focused.id if person.triage.focused else None]
            for _ in PANES:
                await person.press("tab")
                walked.append(person.triage.focused.id if person.triage.focused else None)
            assert walked == [*PANES, PANES[0]]
            await person.press("shift+tab")
            assert person.triage.focused is not None
            assert person.triage.focused.id == PANES[-1]


@pytest.mark.parametrize("width", [200, 80, 60, 40, 12])
async def test_help_is_never_cut_from_the_footer(tmp_path: Path, width: int) -> None:
    bar = KeyBar([action(name) for name in FOOTER])
    assert "help" in [each.id for each in bar.fitting(width)]
    assert sum(len(each.shown) + len(each.label) + 3 for each in bar.fitting(width)) <= max(width, 8)


async def test_a_click_on_the_footer_runs_the_action(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        second = engine.conflicts()[1].id
        async with sitting(engine) as person:
            row = person.text.splitlines()[-1]
            await person.pilot.click(KeyBar, offset=(row.index("Next"), 0))
            await person.settled()
            assert person.current.id == second


async def test_tab_reaches_the_feed_when_nothing_is_open(tmp_path: Path) -> None:
    with store(tmp_path, ()) as engine:
        async with sitting(engine) as person:
            await person.press("tab")
            assert person.triage.focused is not None
            assert person.triage.focused.id == "feed"
            await person.press("tab")
            assert person.triage.focused.id == "diff"


async def test_left_and_right_show_what_other_verbs_would_do(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("right")
            assert "is refuted" in person.text
            await person.press("left")
            assert "is superseded by" in person.text
        assert kinds(engine) == []
