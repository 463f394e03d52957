"""Every action of every screen does what its table says. A new action without a case here fails the first test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui import (
    cases_everywhere,
    cases_of_admin,
    cases_of_graph,
    cases_of_health,
    cases_of_history,
    cases_of_triage,
)
from tests.ui.acting import CASES, act, run_all
from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, guarded, learn, store
from tur_engine.engine import Engine
from tur_tui.screens.propose import ProposeScreen
from tur_tui.screens.tables import TABLES

FILLED = (cases_everywhere, cases_of_admin, cases_of_graph, cases_of_health, cases_of_history, cases_of_triage)
"""Loading them fills `CASES`."""
ELSEWHERE = {"scan": "test_every_action_of_scan.py"}
"""A screen of a program of its own."""


def test_every_action_has_a_case() -> None:
    for screen, actions in TABLES.items():
        if screen not in ELSEWHERE:
            assert [each.id for each in actions if each.id not in CASES[screen]] == [], screen
            assert CASES[screen].keys() - {each.id for each in actions} == set(), screen


MORE = (
    *PAIRS,
    ("The cache holds 100 entries", "The cache holds 200 entries"),
    ("Logs are kept in Loki", "Logs are kept in Elastic"),
    ("The gateway times out after 5 s", "The gateway times out after 9 s"),
    ("Builds run on Linux", "Builds run on Windows"),
    ("Reviews take one day", "Reviews take two days"),
)


def lived(root: Path) -> Engine:
    """Eight open conflicts and what rests on one side."""
    return store(root, MORE, dependants=1)


@pytest.mark.parametrize("screen", ["triage", "admin", "history", "graph", "health"])
async def test_every_key_does_what_its_table_says(tmp_path: Path, screen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    with lived(tmp_path) as engine:
        async with sitting(engine, (100, 30), here=tmp_path) as person:
            leaves = CASES[screen].pop("quit")
            try:
                await run_all(person, screen)
            finally:
                CASES[screen]["quit"] = leaves
            getattr(person.app, f"show_{screen}")()
            await person.settled()
            await leaves(person)


async def test_a_proposal_begins_where_an_invariant_stands_in_the_way(tmp_path: Path) -> None:
    with guarded(tmp_path) as engine:
        async with sitting(engine) as person:
            await act(person, "triage", "conflict.propose")
            assert isinstance(person.app.screen, ProposeScreen)


@pytest.mark.parametrize("size", [(20, 5), (1, 1)])
async def test_in_a_window_too_small_to_see_no_key_writes(tmp_path: Path, size: tuple[int, int]) -> None:
    with store(tmp_path) as engine:
        learn(engine, "Reviews take one day")
        before = engine.head()
        async with sitting(engine, size) as person:
            for screen in ("triage", "admin", "history", "graph"):
                getattr(person.app, f"show_{screen}")()
                await person.settled()
                for each in TABLES[screen]:
                    if each.danger:
                        await person.press(each.keys[0], "enter", "y", "escape")
        assert engine.head() == before
