"""A store that is damaged, moved or replaced: said in place, nothing decided on it, and on again when it is back."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
from textual.widgets import TextArea

from tests.ui.sitting import Sitting, sitting
from tests.ui.stores import MARA, PAIRS, kinds, store
from tur_engine.engine import Engine
from tur_tui.app import Workbench
from tur_tui.screens.merge import MergeScreen
from tur_tui.widgets.diff_view import DiffView


def damage(engine: Engine) -> None:
    """Take a table out of the file, as a fault of the disk might."""
    with apsw.Connection(str(engine.path)) as db:
        db.execute("DROP TABLE conflicts")


def front(person: Sitting) -> str:
    """What stands where the conflict would be."""
    pane = person.triage.query_one(DiffView)
    rows = [pane.render_line(y).text.strip() for y in range(pane.size.height)]
    return " ".join(" ".join(rows).split())


async def test_a_store_that_is_damaged_at_the_start_ends_with_5_and_the_sentence(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        damage(engine)
        app = Workbench(engine)
        async with app.run_test() as pilot:
            for _ in range(200):
                await pilot.pause(0.02)
                if app.return_code:
                    break
        assert app.return_code == 5
        assert app.parting.startswith("tur-tui: ")
        assert "ledger.db is damaged" in app.parting


async def test_damage_found_later_stands_in_the_pane_and_the_verbs_are_dead(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            damage(engine)
            await person.press("s")
            await person.until(lambda: "is damaged" in front(person))
            assert "verbs are off" in front(person)
            assert "Alembic" not in front(person)
            before = engine.head()
            for key in ("s", "m", "b", "u"):
                await person.press(key)
                assert "is damaged" in person.toasts[-1]
                assert person.at_desk
            assert engine.head() == before
            assert "the store is damaged" in person.text.splitlines()[0]


async def test_a_store_that_was_moved_is_said_in_place_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    root, away = tmp_path / "project", tmp_path / "away"
    root.mkdir()
    with store(root) as engine:
        async with sitting(engine) as person:
            root.rename(away)
            await person.until(lambda: "moved or removed" in front(person))
            assert "out of reach" in person.text.splitlines()[0]
            await person.press("s")
            assert "moved or removed" in person.toasts[-1]
            assert kinds(engine) == []
            away.rename(root)
            await person.until(lambda: "Alembic" in front(person))
            await person.settled()
            assert "out of reach" not in person.text
            await person.press("s")
            assert kinds(engine) == ["resolved supersede"]
            assert "1 of 2, 1 settled" in person.text


async def test_another_store_at_the_path_is_not_decided_on(tmp_path: Path) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            shutil.rmtree(tmp_path / ".tur")
            with Engine.init(tmp_path, actor=MARA) as other:
                await person.until(lambda: "replaced by another file" in front(person))
                assert "Alembic" not in front(person)
                await person.press("s", "x", "u")
                assert other.head() == 1


async def test_the_editor_keeps_its_text_when_the_store_goes(tmp_path: Path) -> None:
    root, away = tmp_path / "project", tmp_path / "away"
    root.mkdir()
    with store(root, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("m")
            root.rename(away)
            await person.until(lambda: person.triage.lost)
            person.app.screen.query_one("#editor", TextArea).text = "Both tools are used"
            await person.press("f2")
            await person.until(lambda: "moved or removed" in " ".join(person.text.split()))
            assert isinstance(person.app.screen, MergeScreen)
            assert kinds(engine) == []
            away.rename(root)
