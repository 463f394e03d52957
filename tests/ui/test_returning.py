"""The next start begins where the last one ended, and a session that cannot be used costs nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, opened, store
from tur_tui.app import Workbench
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.graph import GraphScreen
from tur_tui.screens.history import HistoryScreen
from tur_tui.session import GraphView, HistoryView, Session, read_session, session_path, write_session
from tur_tui.settings import settings_path
from tur_tui.widgets.feed import Feed


async def test_screen_panes_filter_and_position_come_back(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        second = engine.conflicts()[1].id
        async with sitting(engine) as person:
            await person.press("n", "greater_than_sign", "tab", "tab", "plus")
            await person.press("slash", *"alembic", "enter")
            await person.press("3")
            assert isinstance(person.app.screen, HistoryScreen)
            history = person.app.screen
            await person.until(lambda: history.desk.known)
            await person.press("a", "slash", *"backups", "enter")
            await person.until(lambda: history.desk.known and "backups" in history.desk.known.belief.memory.content)
            front = history.desk.known
            assert front is not None
    with opened(tmp_path) as engine:
        async with sitting(engine) as person:
            await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
            again = person.app.screen
            assert isinstance(again, HistoryScreen)
            await person.until(lambda: again.desk.known)
            assert again.desk.known is not None
            assert again.desk.known.belief.id == front.belief.id
            assert (again.desk.typed, str(again.desk.page)) == ("backups", "ever")
            await person.press("1")
            triage = person.triage
            assert person.current.id == second
            assert (triage.typed, triage.feed_size, triage.pane, triage._radius) == ("alembic", 3, "feed", 2)
            assert triage.has_class("-feed-3")


async def test_the_graph_comes_back_around_the_same_memory(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1], dependants=2) as engine:
        async with sitting(engine) as person:
            await person.press("g")
            graph = person.app.screen
            assert isinstance(graph, GraphScreen)
            await person.until(lambda: graph.desk.part)
            await person.press("plus")
            centre = graph.desk.centre
    with opened(tmp_path, pairs=PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            again = person.app.screen
            assert isinstance(again, GraphScreen)
            await person.until(lambda: again.desk.part)
            assert (again.desk.centre, again.desk.radius) == (centre, 2)
            await person.press("1", "2")
            assert isinstance(person.app.screen, AdminScreen)
    with opened(tmp_path, pairs=PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            assert isinstance(person.app.screen, AdminScreen)


async def test_a_moment_of_the_past_is_not_gone_back_to(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("3", "left_square_bracket")
            await person.until(lambda: person.app.past)
        async with sitting(engine) as person:
            await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
            assert person.app.past is None


async def test_restore_false_begins_afresh_and_leaves_the_session_alone(tmp_path: Path) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("restore = false\nradius = 3\n")
    with store(tmp_path) as engine:
        write_session(session_path(engine.path), Session(filter="alembic", screen="history"))
        async with sitting(engine) as person:
            assert person.at_desk
            assert (person.triage.typed, person.triage._radius) == ("", 3)
            await person.press("3")
        assert read_session(session_path(engine.path)) == Session(filter="alembic", screen="history")


async def test_another_store_at_the_same_place_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        first = engine.conflicts()[0].id
        foreign = Session(
            store="another",
            conflict=engine.conflicts()[2].id,
            screen="history",
            history=HistoryView(memory="0" * 64),
            graph=GraphView(centre=("0" * 64,)),
        )
        write_session(session_path(engine.path), foreign)
        async with sitting(engine) as person:
            await person.until(lambda: isinstance(person.app.screen, HistoryScreen))
            history = person.app.screen
            assert isinstance(history, HistoryScreen)
            await person.until(lambda: history.desk.known)
            assert person.current.id == first
            assert person.toasts == []


async def test_a_conflict_that_was_settled_meanwhile_is_passed_over(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        first = engine.conflicts()[0].id
        write_session(session_path(engine.path), Session(store=engine.status().store_id, conflict="conflict-gone"))
        async with sitting(engine) as person:
            assert person.current.id == first


async def test_a_store_that_could_not_be_read_does_not_cost_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tur_engine.errors import TurError

    def fails() -> None:
        raise TurError("busy")

    with store(tmp_path, PAIRS[:1]) as engine:
        kept = Session(filter="alembic", store=engine.status().store_id)
        write_session(session_path(engine.path), kept)
        monkeypatch.setattr(engine, "conflicts", fails)
        app = Workbench(engine)
        async with app.run_test() as pilot:
            while not app.parting:
                await pilot.pause(0.02)
        assert read_session(session_path(engine.path)) == kept


async def test_the_feed_takes_less_or_more_and_the_texts_stay(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        for size in ((80, 24), (120, 36), (200, 50)):
            async with sitting(engine, size) as person:
                feed = person.triage.query_one(Feed)
                shares = []
                for _ in range(2):
                    await person.press("less_than_sign")
                    shares.append(feed.size.area if feed.is_on_screen else 0)
                await person.press("less_than_sign")
                assert any("not shown already" in said for said in person.toasts)
                for _ in range(4):
                    await person.press("greater_than_sign")
                    shares.append(feed.size.area)
                    assert "Prisma" in person.text
                assert shares[1] == 0
                assert shares[1] < shares[0] == shares[2] < shares[3] < shares[4] < shares[5]
                await person.press("greater_than_sign")
                assert any("half of the window" in said for said in person.toasts)
                for _ in range(2):
                    await person.press("less_than_sign")


def test_the_file_is_written_whole_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "session.json"
    write_session(path, Session(filter="one"))
    write_session(path, Session(filter="two"))
    assert read_session(path).filter == "two"
    assert [each.name for each in path.parent.iterdir()] == ["session.json"]
    assert path.stat().st_mode & 0o077 == 0
    (tmp_path / "file").touch()
    write_session(tmp_path / "file" / "session.json", Session())  # cannot be written: said to nobody


@pytest.mark.parametrize(
    "change",
    [
        {"version": 9},
        {"filter": 1},
        {"filter": "x" * 501},
        {"radius": 99},
        {"radius": "1"},
        {"screen": "cellar"},
        {"graph": {"centre": ["x" * 101]}},
        {"graph": {"hidden": [["node"]]}},
        {"unknown": 1},
    ],
)
def test_a_field_that_does_not_fit_is_a_fresh_session(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(json.loads(Session(filter="kept").model_dump_json()) | change))
    assert read_session(path) == Session()
