"""A store that is damaged, moved or replaced: said in place, nothing decided on it, and on again when it is back."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from textual.widgets import Input, TextArea

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
                await looked(person, 4)
                await person.settled()
                assert not person.app.anew


async def test_the_former_store_put_back_is_decided_on_again(tmp_path: Path) -> None:
    folder, aside = tmp_path / ".tur", tmp_path / ".former"
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            folder.rename(aside)
            Engine.init(tmp_path, actor=MARA).close()
            await person.until(lambda: "replaced by another file" in front(person))
            assert "ctrl+r opens anew" in front(person)
            shutil.rmtree(folder)
            aside.rename(folder)
            await person.until(lambda: "Alembic" in front(person))
            await person.settled()
            await person.press("s")
            assert kinds(engine) == ["resolved supersede"]


def put_back(root: Path) -> None:
    """Another store in the place of the one that is open, then a copy of that one."""
    folder, kept = root / ".tur", root / "kept"
    shutil.copytree(folder, kept)
    shutil.rmtree(folder)
    Engine.init(root, actor=MARA).close()
    shutil.rmtree(folder)
    shutil.copytree(kept, folder)


async def test_a_copy_of_the_store_put_back_is_opened_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            monkeypatch.setattr(person.app, "exit", lambda: None)
            put_back(tmp_path)
            await person.until(lambda: person.app.anew)


async def test_nothing_is_opened_by_itself_under_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store(tmp_path) as engine:
        async with sitting(engine) as person:
            monkeypatch.setattr(person.app, "exit", lambda: None)
            await person.press("m")
            put_back(tmp_path)
            await looked(person, 4)
            assert not person.app.anew
            await person.press("escape")
            await person.until(lambda: person.app.anew)


async def looked(person: Sitting, times: int) -> None:
    """Wait until it was looked so often at what lies at the path."""
    file, looks = person.app._file, 0

    def noted() -> tuple[int, ...]:
        nonlocal looks
        looks += 1
        return file()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(person.app, "_file", noted)
        await person.until(lambda: looks >= times)


async def test_what_cannot_be_opened_anew_is_said_and_nothing_ends(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            (tmp_path / ".tur").rename(tmp_path / "away")
            await person.until(lambda: person.triage.lost)
            await person.press("ctrl+r")
            await person.until(lambda: "no store at" in person.toasts[-1])
            assert person.at_desk
            (tmp_path / "away").rename(tmp_path / ".tur")


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


async def test_a_store_that_another_process_locks_is_said_and_the_verb_works_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tur_engine.ledger.connection.BUSY_MS", 50)
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            with closing(apsw.Connection(str(engine.path))) as other:
                other.execute("BEGIN IMMEDIATE")
                await person.press("s")
                assert kinds(engine) == []
                assert person.current.incumbent.memory.content == PAIRS[0][0]
                assert person.toasts
                other.execute("ROLLBACK")
            await person.press("s")
            assert kinds(engine) == ["resolved supersede"]


async def test_waiting_for_another_writer_is_said(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:2]) as engine:
        async with sitting(engine) as person:
            with closing(apsw.Connection(str(engine.path))) as other:
                other.execute("BEGIN IMMEDIATE")
                await person.pilot.press("s")
                await person.until(lambda: any("waiting for another writer" in said for said in person.toasts))
                assert kinds(engine) == []
                other.execute("ROLLBACK")
            await person.settled()
            assert kinds(engine) == ["resolved supersede"]
            await person.press("b")
            person.app.screen.query_one("#path", Input).value = "src"
            with closing(apsw.Connection(str(engine.path))) as other:
                other.execute("BEGIN IMMEDIATE")
                await person.pilot.press("f2")
                await person.until(lambda: "waiting for another writer" in " ".join(person.text.split()))
                other.execute("ROLLBACK")
            await person.until(lambda: person.at_desk)
            assert kinds(engine) == ["resolved supersede", "resolved scope_branch"]


async def test_a_store_that_a_newer_version_migrates_meanwhile_is_not_written_to(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            before = engine.head()
            with closing(apsw.Connection(str(engine.path))) as other:
                version = other.execute("PRAGMA user_version").get
                other.execute(f"PRAGMA user_version={version + 1}")
                await person.until(lambda: any("newer version" in said for said in person.toasts))
                await person.press("s")
                assert "newer version" in person.toasts[-1]
                other.execute(f"PRAGMA user_version={version}")
            assert engine.head() == before
            await person.until(lambda: not person.triage.lost)
            await person.settled()
            await person.press("s")
            assert kinds(engine) == ["resolved supersede"]


async def test_a_newer_format_stands_in_the_header_and_goes_when_it_is_readable_again(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            await person.press("3")
            with closing(apsw.Connection(str(engine.path))) as other:
                version = other.execute("PRAGMA user_version").get
                other.execute(f"PRAGMA user_version={version + 1}")
                await person.until(lambda: "newer version" in person.text)
                await person.press("1")
                await person.until(lambda: "the store cannot be read" in person.text.splitlines()[0])
                person.app.clear_notifications()
                await person.press("s")
                assert person.at_desk
                assert "verbs are off" in front(person)
                other.execute(f"PRAGMA user_version={version}")
            await person.until(lambda: "Alembic" in front(person))
            assert "cannot be read" not in person.text.splitlines()[0]
            assert kinds(engine) == []


async def test_garbage_over_the_file_is_noticed_without_a_verb(tmp_path: Path) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            engine.path.write_bytes(b"garbage " * 4096)
            await person.until(lambda: "the store is damaged" in person.text.splitlines()[0])
            assert "verbs are off" in front(person)
