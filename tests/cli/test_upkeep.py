"""`tur verify`, `tur prove`, and `tur-adm` backup, restore, migrate and rebuild, as people type them."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Terminal
from tests.ledger.makings import bare
from tests.ledger.test_migrations import age
from tur_engine.cli.progress import bar


@pytest.fixture
def store(tur: Programs, workdir: Path) -> Path:
    assert tur("init").code == 0
    assert tur("note", "the first").code == 0
    return workdir / ".tur" / "ledger.db"


def test_verify_says_what_was_compared(tur: Programs, store: Path, home: Path) -> None:
    told = tur("verify").out
    assert "The ledger verifies: 2 events" in told
    assert "agrees: this machine saw 2 events" in told
    for file in home.rglob("witness/*.json"):
        file.unlink()
    assert tur("verify", "--json").json["witness"] == "no witness on this machine"


def test_an_older_copy_put_back_fails(tur: Programs, store: Path, tmp_path: Path) -> None:
    assert tur.adm("backup", str(tmp_path / "old.db")).code == 0
    assert tur("note", "the second").code == 0
    store.with_name("ledger.db-wal").unlink(missing_ok=True)
    (tmp_path / "old.db").replace(store)
    ran = tur("verify", "--json")
    assert ran.code == 5
    assert ran.json["first_bad"] == 3
    assert "does not verify at event 3: this machine saw 3 events of this store, it holds 2" in ran.err
    assert tur.adm("rebuild").code == 0
    assert tur("verify").code == 5


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END", "a trigger that tur did not make"),
        ("UPDATE bodies SET body=x'ff'", "at event 2: a text of event 2 was altered"),
    ],
)
def test_what_rebuild_cannot_mend_is_told(tur: Programs, store: Path, damage: str, told: str) -> None:
    with bare(store) as db:
        db.execute(damage)
    ran = tur.adm("rebuild")
    assert ran.code == 5
    assert "2 events is made anew, but the ledger does not verify" in ran.err
    assert told in ran.err


@pytest.mark.parametrize("name", ["zz", "", "9:zz", "-1", "../../x"])
def test_a_store_under_another_name(tur: Programs, store: Path, home: Path, name: str) -> None:
    """No file of this machine is called by it."""
    with bare(store) as db:
        db.execute("UPDATE meta SET value=? WHERE key='store_id'", (name,))
    before = sorted(home.rglob("*"))
    for command in (["list"], ["status"], ["note", "the second"], ["verify"], ["recall", "first"]):
        ran = tur(*command)
        assert ran.code == 5, command
        assert "the store_id kept in the store is not that of its events" in ran.err
    assert sorted(home.rglob("*")) == before
    assert tur.adm("rebuild").code == 0
    assert tur("verify").code == 0


def test_restore(tur: Programs, store: Path, tmp_path: Path) -> None:
    backup = tmp_path / "old.db"
    assert tur.adm("backup", str(backup)).code == 0
    assert tur("note", "the second").code == 0
    ran = tur.adm("restore", str(backup), "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["status"], ran.json["events"], ran.json["signed"]) == ("restored", 2, False)
    assert Path(ran.json["kept"]).is_file()
    assert tur("verify").code == 0
    told = tur.adm("restore", str(backup))
    assert told.out == f"Restored 2 events to {store}\n"
    assert "what stood there is kept" in told.err
    assert "nobody signed" in told.err


def test_a_backup_that_does_not_verify_is_refused(tur: Programs, store: Path, tmp_path: Path) -> None:
    backup = tmp_path / "old.db"
    assert tur.adm("backup", str(backup)).code == 0
    with bare(backup) as db:
        db.execute("UPDATE events SET actor='human:mallory' WHERE seq=2")
    before = store.read_bytes()
    ran = tur.adm("restore", str(backup))
    assert ran.code == 5
    assert "does not verify at event 2" in ran.err
    assert "nothing was changed" in ran.err
    assert store.read_bytes() == before
    assert tur.adm("restore", str(tmp_path / "nowhere.db")).code == 1
    for bytes_ in (b"", b"noise" * 1000, backup.read_bytes()[:20_000]):
        damaged = tmp_path / "damaged.db"
        damaged.write_bytes(bytes_)
        ran = tur.adm("restore", str(damaged))
        assert (ran.code, "take another backup" in ran.err, "restore it" in ran.err) == (5, True, False), ran.err


def test_a_store_that_is_gone_is_restored_where_it_is_named(tur: Programs, store: Path, tmp_path: Path) -> None:
    backup = tmp_path / "old.db"
    assert tur.adm("backup", str(backup)).code == 0
    for file in store.parent.iterdir():
        file.unlink()
    assert tur.adm("restore", str(backup), "--store", str(store.parent.parent)).code == 0
    assert tur("verify").code == 0


def test_restoring_with_reviewers_is_signed(
    tur: Programs, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def passphrase(*words: str) -> None:
        reading, writing = os.pipe()
        os.write(writing, "".join(word + "\n" for word in words).encode())
        os.close(writing)
        monkeypatch.setenv("TUR_PASSPHRASE_FD", str(reading))

    passphrase("correct horse")
    assert tur.adm("key", "init", "--name", "mara").code == 0
    backup = tmp_path / "old.db"
    assert tur.adm("backup", str(backup)).code == 0
    assert tur("note", "the second").code == 0
    before = store.read_bytes()
    assert tur.adm("restore", str(backup)).code == 2
    passphrase("wrong horse")
    assert tur.adm("restore", str(backup), "--reason", "a day was lost").code == 1
    assert store.read_bytes() == before
    assert sorted(os.listdir(store.parent))[0] == "ledger.db"
    passphrase("correct horse")
    ran = tur.adm("restore", str(backup), "--reason", "a day was lost", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["signed"]
    assert tur("verify").code == 0
    assert tur("history", "--json").json["events"][-1]["kind"] == "restored"


def test_migrate(tur: Programs, store: Path) -> None:
    assert tur.adm("migrate").out.endswith("there is nothing to do\n")
    age(store)
    for refused in (tur("list"), tur("note", "x"), tur("verify")):
        assert refused.code == 1
        assert "`tur-adm migrate` brings it up to date" in refused.err
    ran = tur.adm("migrate", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["status"] == "migrated"
    assert Path(ran.json["backup"]).is_file()
    assert tur("verify").code == 0


def test_prove(tur: Programs, store: Path) -> None:
    id = tur("learn", "The harbour opens at six", "--json").json["id"]
    proof = tur("prove", id, "--json", "--since", "2").json
    assert proof["memory"] == id
    assert proof["content"] == "The harbour opens at six"
    assert proof["consistency"]["size"] == 2
    told = tur("prove", id[:14], "--since", "2")
    assert "came in by event 3 of 3" in told.out
    assert '"The harbour opens at six"' in told.out
    assert proof["root"] in told.out
    assert tur("prove", "abcdef").code == 2
    assert tur("prove", id, "--since", "9").code == 2


def test_a_bar_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with bar("verify") as progress:
            assert (progress is not None) is shown
            if progress:
                progress(3, 7)
        assert ("3/7" in stream.getvalue()) is shown


def test_a_place_that_cannot_be_made_is_told_by_the_name_it_was_given(
    tur: Programs, store: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "b.db"
    tur.adm("backup", str(backup))
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "x.db"
    ran = tur.adm("restore", str(backup), "--store", str(place))
    assert ran.code == 1
    assert ran.err == (
        f"tur-adm: {place} cannot be made: there is no folder {place.parent}; make it, or name another place\n"
    )


def test_a_restore_names_no_file_on_the_way(tur: Programs, store: Path, tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self"):
        pytest.skip("needs a folder that nobody can write in")
    backup = tmp_path / "b.db"
    tur.adm("backup", str(backup))
    ran = tur.adm("restore", str(backup), "--store", "/proc/self/x.db")
    assert ran.err == (
        "tur-adm: /proc/self/x.db cannot be made; its folder must be there, and you must be allowed to write in it\n"
    )
