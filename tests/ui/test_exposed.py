"""Whom the losing side of a conflict reached: on the explanation, and on the event that settled it in the history."""

from __future__ import annotations

from pathlib import Path

from tests.ui.historian import remembering
from tests.ui.sitting import sitting
from tests.ui.stage import HOSTILE
from tests.ui.stores import PAIRS, store
from tur_engine.engine import Engine
from tur_engine.records import Verb
from tur_tui.screens.explain import ExplainScreen
from tur_tui.widgets.timeline import Timeline


def served(engine: Engine) -> str:
    """An agent is handed the incumbent, twice; its short id."""
    loser = engine.conflicts()[0].incumbent.memory
    for session in ("s-1", HOSTILE):
        engine._served.note([(loser.digest, True)], "agent:otter", session, engine.head())
    return loser.short_id


async def test_the_explanation_of_an_open_and_of_a_settled_conflict(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        conflict = engine.conflicts()[0].id
        async with sitting(engine, (120, 50)) as person:
            await person.press("e")
            await person.until(lambda: isinstance(person.app.screen, ExplainScreen))
            await person.settled()
            assert "Served meanwhile" not in person.text
            await person.press("escape")
            loser = served(engine)
            await person.press("e")
            await person.until(lambda: "Served meanwhile" in person.text)
            flat = " ".join(person.text.replace("│", " ").split())
            assert f"{loser} was served 2 times to 2 sessions (otter " in flat
            assert "\x1b" not in person.text
            await person.press("escape")
            engine.resolve(conflict, Verb.SUPERSEDE, reason="the spike went well")
            person.triage._explain(conflict)
            await person.until(lambda: "Stood open " in person.text)
            assert "meanwhile" in " ".join(person.text.split())


async def test_the_history_tells_it_where_the_conflict_was_settled(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        loser = served(engine)
        engine.resolve(engine.conflicts()[0].id, Verb.SUPERSEDE, reason="the spike went well")
        async with remembering(engine) as person:
            person.history.visit(loser)
            await person.until(lambda: f"{loser} was served 2 times" in " ".join(person.text.split()))
            await person.settled()
            person.history.query_one(Timeline).focus()
            await person.press("end")  # another event of its life
            await person.until(lambda: "Stood open" not in person.text)
