"""Reading leaves no trace: on a medium that cannot be written, and where the caller asked for reading only."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import apsw
import pytest

from tests.ledger.frail import FrailConnection
from tests.ledger.makings import MARA, content, draft
from tur_engine.engine import Engine
from tur_engine.errors import ReadOnlyStore, StoreBusy
from tur_engine.ledger import Ledger, connection
from tur_engine.ledger.connection import immutable
from tur_engine.ledger.verify import verify
from tur_engine.records import OnConflict, Verb


def look(engine: Engine) -> list[object]:
    return [
        engine.status(),
        engine.memories(),
        engine.conflicts(all=True),
        engine.history(),
        engine.recall("database choice"),
        engine.at(20).memories(),
        engine.verify(),
    ]


def test_a_medium_without_shared_memory_is_read_as_immutable(story: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLITE_CANTOPEN at the first read is what a read-only medium answers where WAL's index is not there yet."""
    opened: list[str] = []

    class Medium(SimpleNamespace):
        def __getattr__(self, name: str) -> Any:
            return getattr(apsw, name)

        def Connection(self, name: str, flags: int) -> Any:  # noqa: N802
            opened.append(name)
            assert not flags & (apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            real = apsw.Connection(name, flags=flags)
            return real if flags & apsw.SQLITE_OPEN_URI else FrailConnection(real, 1, apsw.CantOpenError)

    monkeypatch.setattr(connection, "apsw", Medium())
    files = {file: file.read_bytes() for file in story.parent.iterdir()}
    with Engine.open(story, actor=MARA, read_only=True) as engine:
        look(engine)
    assert opened == [str(story), f"{story.as_uri()}?immutable=1"]
    assert {file: file.read_bytes() for file in story.parent.iterdir()} == files


@pytest.mark.skipif(not hasattr(os, "fork"), reason="permissions and fork are POSIX")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_folder_that_may_not_be_written(told_once: Path) -> None:
    """In a process that permissions bind, whoever runs the tests."""
    with Engine.open(told_once, actor=MARA) as engine:
        look(engine)  # whatever Python loads late is loaded now
    folder = Path(tempfile.mkdtemp())
    path = Path(shutil.copyfile(told_once, folder / "ledger.db"))
    path.chmod(0o444)
    folder.chmod(0o555)
    child = os.fork()
    if child == 0:
        os._exit(_read_as_nobody(path))
    told = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = os.listdir(folder)
    folder.chmod(0o755)
    shutil.rmtree(folder)
    if told == 77:
        pytest.skip("this user may not become another one")
    assert told == 0
    assert left == ["ledger.db"]


def _read_as_nobody(path: Path) -> int:
    try:
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
    except OSError:
        return 77
    try:
        with Engine.open(path, actor=MARA, read_only=True) as engine:
            look(engine)
            if not engine.verify().ok:
                return 2
        with pytest.raises(ReadOnlyStore, match="cannot be written: it or its folder is read-only"):
            Engine.open(path, actor=MARA).note("hello")
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def test_reading_only_changes_nothing(story: Path) -> None:
    before = story.read_bytes()
    with Engine.open(story, actor=MARA, read_only=True) as engine:
        assert engine.read_only
        assert engine.status().read_only
        look(engine)
        cid = engine.conflicts()[0].id
        for change in (
            lambda: engine.learn(draft("a: b")),
            lambda: engine.learn_many([draft("a: b")]),
            lambda: engine.note("a"),
            lambda: engine.resolve(cid, Verb.FORCE),
            lambda: engine.undo(),
            lambda: engine.reaffirm(engine.memories()[0].id),
            lambda: engine.rebuild(),
        ):
            with pytest.raises(ReadOnlyStore, match="opened for reading only; nothing was written"):
                change()
        assert engine.learn(draft("weather: fog"), dry_run=True).conflicts
    assert story.read_bytes() == before


def test_reading_sees_what_others_write_meanwhile(story: Path) -> None:
    with Engine.open(story, actor=MARA) as writer, Engine.open(story, actor=MARA, read_only=True) as reader:
        head = reader.head()
        writer.note("hello")
        assert reader.head() == head + 1


def test_a_check_writes_nothing(engine: Engine) -> None:
    engine.learn(draft("database: one"))
    before = content(engine.path)
    for text in ("database: two", "database: one", "queue: one"):
        engine.check(draft(text))
        engine.learn(draft(text), dry_run=True, on_conflict=OnConflict.ALLOW)
    assert content(engine.path) == before


def test_one_writer_at_a_time(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_MS", 50)
    with Engine.open(engine.path, actor=MARA) as other, engine._ledger.writing():
        other.status()
        with pytest.raises(StoreBusy, match="is being written by another process") as refusal:
            other.note("hello")
        assert refusal.value.exit_code == 1
    engine.note("hello")
    assert engine.head() == 2


def test_the_other_writer_is_waited_for(engine: Engine) -> None:
    started = threading.Event()

    def slow() -> None:
        with Engine.open(engine.path, actor=MARA) as other, other._ledger.writing():
            started.set()
            threading.Event().wait(0.2)

    thread = threading.Thread(target=slow)
    thread.start()
    assert started.wait(5)
    engine.note("patience")
    thread.join()
    assert engine.head() == 2


def test_each_thread_has_its_own_connection(engine: Engine) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for round_ in range(5):
                engine.learn(draft(f"thread {number} {round_}: done"))
                engine.recall(f"thread {number}")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(engine.memories(limit=-1)) == 20
    assert engine.verify().ok


def test_a_backup_of_a_store_in_use(engine: Engine, tmp_path: Path) -> None:
    engine.learn(draft("database: one"))
    target = tmp_path / "copy.db"
    engine.backup(target)
    engine.learn(draft("queue: one"))
    with Engine.open(target, actor=MARA) as copy:
        assert [b.memory.content for b in copy.memories()] == ["database: one"]
        assert verify(copy._ledger, witnessed=False).ok
        assert "an older copy was put in its place" in copy.verify().problem


def test_a_store_path_may_hold_anything(tmp_path: Path) -> None:
    folder = tmp_path / "a b%20c?mode=memory#d 'é"
    folder.mkdir()
    with Engine.init(folder, actor=MARA) as engine:
        engine.learn(draft("database: one"))
    with Engine.open(folder, actor=MARA, read_only=True) as engine:
        assert len(engine.memories()) == 1
    with pytest.MonkeyPatch.context() as patch:
        flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY
        patch.setattr(connection, "_open_read_only", lambda path: apsw.Connection(immutable(path), flags=flags))
        with Engine.open(folder, actor=MARA, read_only=True) as engine:
            assert len(engine.memories()) == 1
    assert sorted(os.listdir(tmp_path)) == [folder.name]


def test_data_version_moves_with_others_only(engine: Engine) -> None:
    other = Ledger(engine.path)
    version = other.data_version()
    engine.note("hello")
    assert other.data_version() != version
    other.close()
