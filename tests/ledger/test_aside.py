"""Notes beside the store: kept, bounded, and never in the way of what they note."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from tur_engine.ledger import guarded, served
from tur_engine.ledger.guarded import Guarded, Warned
from tur_engine.ledger.served import Served

STORE, OTHER = "ab" * 16, "cd" * 16
ONE, TWO = (sha256(word).hexdigest() for word in (b"one", b"two"))
WARNED = Warned("axiom-" + ONE, "", True, 0.9, "git push -f", "We force-push.")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"")
    path.chmod(0o640)
    return path


def test_servings_are_counted_by_memory_session_and_event(store: Path) -> None:
    notes = Served(store, STORE)
    assert notes.of(ONE, 0, 99) == []
    for _ in range(3):
        notes.note([(ONE, True), (TWO, True)], "agent:otter", "s-1", 5)
    notes.note([(ONE, False)], "agent:otter", "s-1", 9)
    notes.note([(ONE, True)], "human:mara", "", 7)
    found = Served(store, STORE).of(ONE, 5, 8)
    assert {(row.actor, row.session, row.head, row.live, row.times) for row in found} == {
        ("agent:otter", "s-1", 5, True, 3),
        ("human:mara", "", 7, True, 1),
    }
    assert [(row.head, row.live) for row in notes.of(ONE, 9, 9)] == [(9, False)]
    assert [row.times for row in notes.of(TWO, 0, 99)] == [3]
    assert stat.S_IMODE(notes.path.stat().st_mode) == 0o640
    assert sorted(each.name for each in store.parent.iterdir()) == ["ledger-served.db", "ledger.db"]


def test_the_oldest_go(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "KEPT_ROWS", 20)
    monkeypatch.setattr(served, "_AT_ONCE", 5)
    notes = Served(store, STORE)
    for head in range(100):
        notes.note([(ONE, True)], "agent:otter", f"s-{head}", head)
    heads = [row.head for row in notes.of(ONE, 0, 99)]
    assert max(heads) == 99
    assert 20 <= len(heads) <= 26
    monkeypatch.setattr("tur_engine.ledger.served.time.time", lambda: 4e9)
    notes.note([(TWO, True)], "agent:otter", "s", 100)
    assert notes.of(ONE, 0, 999) == []
    with closing(apsw.Connection(str(notes.path))) as db:
        assert db.execute("SELECT count(*) FROM voices").get == 1


def test_warnings_are_kept_cut_and_bounded(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded, "KEPT_ROWS", 5)
    notes = Guarded(store, STORE)
    assert (notes.state(), notes.last(9, 99)) == (None, [])
    for head in range(9):
        notes.note([WARNED._replace(action="x" * 9000)], "agent:otter", "s" * 500, head)
    first, *_, last = notes.last(99, 99)
    assert (first.head, last.head, len(first.warned.action), len(first.session)) == (8, 4, guarded.LONGEST, 256)
    assert [row.head for row in notes.last(2, 6)] == [6, 5]
    before = notes.state()
    notes.note([WARNED], "agent:\udcff", "half \udcff", 9)  # as an argument of another encoding arrives
    assert notes.state() != before


def test_another_store_in_its_place_and_damage_begin_anew(store: Path) -> None:
    Served(store, STORE).note([(ONE, True)], "agent:otter", "", 5)
    other = Served(store, OTHER)
    assert other.of(ONE, 0, 99) == []
    other.note([(TWO, True)], "agent:otter", "", 6)
    assert (other.of(ONE, 0, 99), [row.head for row in other.of(TWO, 0, 99)]) == ([], [6])
    other.path.write_bytes(b"no database at all " * 99)
    assert other.of(TWO, 0, 99) == []
    other.note([(TWO, True)], "agent:otter", "", 7)
    assert [row.head for row in other.of(TWO, 0, 99)] == [7]


def test_a_link_is_not_followed_and_a_lock_not_waited_for(store: Path, tmp_path: Path) -> None:
    notes = Served(store, STORE)
    target = tmp_path / "precious"
    notes.path.symlink_to(target)
    notes.note([(ONE, True)], "agent:otter", "", 5)
    assert not target.exists()
    target.write_text("mine")
    notes.note([(ONE, True)], "agent:otter", "", 5)
    assert (target.read_text(), notes.of(ONE, 0, 9)) == ("mine", [])
    notes.path.unlink()
    os.mkfifo(notes.path)
    notes.note([(ONE, True)], "agent:otter", "", 5)  # would wait for ever
    notes.path.unlink()
    notes.note([(ONE, True)], "agent:otter", "", 5)
    with closing(apsw.Connection(str(notes.path))) as held:
        held.execute("BEGIN IMMEDIATE")
        notes.note([(TWO, True)], "agent:otter", "", 5)
        held.execute("ROLLBACK")
    assert (notes.of(TWO, 0, 9), len(notes.of(ONE, 0, 9))) == ([], 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(store: Path) -> None:
    store.parent.chmod(0o500)
    try:
        Served(store, STORE).note([(ONE, True)], "agent:otter", "", 5)
    finally:
        store.parent.chmod(0o700)
    assert not Served(store, STORE).path.exists()


def test_no_folder_at_all(tmp_path: Path) -> None:
    notes = Guarded(tmp_path / "gone" / "ledger.db", STORE)
    notes.note([WARNED], "agent:otter", "", 5)
    assert notes.last(9, 9) == []


def test_the_pages_say_what_is_kept(repo_root: Path, store: Path) -> None:
    pages = {name: (repo_root / "docs" / name).read_text("utf-8") for name in ("guard.md", "truth-maintenance.md")}
    for page, notes, rows, seconds in (
        ("guard.md", Guarded(store, STORE), guarded.KEPT_ROWS, guarded.KEPT_SECONDS),
        ("truth-maintenance.md", Served(store, STORE), served.KEPT_ROWS, served.KEPT_SECONDS),
    ):
        for words in (f".tur/{notes.path.name}", f"{rows:,}", f"{seconds // 86400} days"):
            assert words in pages[page]
    assert f"first {guarded.LONGEST} characters" in pages["guard.md"]
