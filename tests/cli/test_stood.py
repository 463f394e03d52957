"""A store that is moved away, and another one in its place: it is told, for the invariants are gone with the first."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tests.govern.signing import put_in_force
from tur_engine.engine import Engine
from tur_engine.errors import BadInput
from tur_engine.ledger import stood
from tur_engine.mcp.visit import Visit
from tur_engine.records import Author, AuthorKind

RULE = "All service traffic must use TLS encryption"
BREACH = "Service traffic must not use TLS encryption"


@pytest.fixture
def gone(tur: Programs, invariant: str, store: Path, workdir: Path) -> str:
    """A store with an invariant was moved away; what is told of it."""
    assert tur("learn", BREACH).code == 4
    with Engine.open(store, actor=Author.parse("human:ann", AuthorKind.HUMAN)) as engine:
        id, events = engine.status().store_id, engine.head()
    store.parent.rename(workdir / "away")
    return (
        f"this machine knows another ledger at {store} (store {id[:8]}, {events} events, 1 invariant in force), and "
        f"nothing of it holds in the one that is there now; put it back, or remove {stood.place(store)} where this one "
        "is to take its place"
    )


def test_a_fresh_store_in_its_place_is_told_once_and_by_every_look(tur: Programs, gone: str, store: Path) -> None:
    warning = f"tur: warning: {gone}\n"
    founded = tur("init")
    assert (founded.code, founded.err) == (0, warning)
    for _ in range(2):  # what is written to the new one settles nothing
        assert tur("learn", BREACH).code == 0
        assert warning in tur("status").err
        verified = tur("verify")
        assert (verified.code, verified.err) == (0, warning)
        assert tur("status", "--json").json["former"] == gone
        assert tur("verify", "--json").json["former"] == gone
    with Engine.open(store, actor=Author.parse("human:ann", AuthorKind.HUMAN), read_only=True) as engine:
        assert engine.health().witness.endswith(f"; {gone}")


def test_the_doctor_tells_it(tur: Programs, gone: str, monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    assert tur("init", "--json").json["warnings"] == [gone]
    monkeypatch.setattr("tur_engine.wiring.stage.Stage.set_up", _no_stage)
    [ledger] = [each for each in tur("doctor", "--json").json["checks"] if each["surface"] == "ledger"]
    assert (ledger["ok"], f"{ledger['sentence']}; {ledger['mend']}") == (False, gone)


def _no_stage(stage: object) -> None:
    raise BadInput("not in this test")


def test_back_in_its_place_it_is_itself_again(tur: Programs, gone: str, store: Path, workdir: Path) -> None:
    tur("init")
    tur("learn", "The roof is red")
    shutil.rmtree(store.parent)
    (workdir / "away").rename(store.parent)
    assert tur("verify").err == ""
    assert tur("learn", BREACH).code == 4
    assert "former" not in tur("status", "--json").json


def test_where_the_new_one_is_meant_the_note_is_removed(tur: Programs, gone: str, store: Path) -> None:
    tur("init")
    stood.place(store).unlink()
    assert tur("verify").err == ""
    tur("learn", "The roof is red")
    assert tur("status").err == ""


def test_another_project_s_store_copied_into_its_place_is_told(
    tur: Programs, gone: str, store: Path, tmp_path: Path
) -> None:
    tur("init", str(tmp_path))
    tur("--store", str(tmp_path), "learn", "The roof is red")
    shutil.copytree(tmp_path / ".tur", store.parent)
    assert tur("verify").err == f"tur: warning: {gone}\n"
    assert tur("--store", str(tmp_path), "verify").err == ""


def test_an_unsigned_restore_of_another_store_does_not_hide_it(
    tur: Programs, gone: str, store: Path, tmp_path: Path
) -> None:
    tur("init", str(tmp_path))
    tur("--store", str(tmp_path), "learn", "The roof is red")
    backup = tmp_path / "copy.db"
    assert tur.adm("--store", str(tmp_path), "backup", str(backup)).code == 0
    assert tur.adm("--store", str(store), "restore", str(backup)).code == 0
    assert tur("verify").err == f"tur: warning: {gone}\n"
    assert len(list(stood.place(store).parent.iterdir())) == 2  # of the copy on its way there is none


def test_a_store_that_was_never_written_to_is_no_loss(tur: Programs, store: Path) -> None:
    shutil.rmtree(store.parent)
    assert tur("init").err == ""


def test_a_store_without_an_invariant_is_no_loss_and_its_place_goes_to_the_next(
    tur: Programs, store: Path, workdir: Path
) -> None:
    tur("learn", "The roof is red")
    store.parent.rename(workdir / "away")
    founded = tur("init", "--json")
    assert (founded.err, founded.json.get("warnings")) == ("", None)
    rule = tur("learn", RULE, "--type", "core", "--json").json["id"]
    assert [tur(command).err for command in ("status", "verify")] == ["", ""]
    with Engine.open(store, actor=Author.parse("human:ann", AuthorKind.HUMAN)) as engine:
        put_in_force(engine, rule)
    shutil.rmtree(store.parent)
    assert "1 invariant in force" in tur("init").err, "the next one's are missed"


def test_the_users_own_founded_anew_is_told_too(tur: Programs, home: Path) -> None:
    rule = tur("learn", RULE, "--type", "core", "--json").json["id"]
    with Engine.open(home / ".tur", actor=Author.parse("human:ann", AuthorKind.HUMAN)) as engine:
        put_in_force(engine, rule)
    (home / ".tur").rename(home / "away")
    told = tur("learn", "The gate is blue").err
    assert "so your own was made" in told
    assert "tur: warning: this machine knows another ledger at" in told
    shutil.rmtree(home / ".tur")
    visit = Visit(None, "bot")
    visit.open("bot", create=True)
    visit.close()
    assert "; this machine knows another ledger at" in visit.unsaid


def test_the_note_follows_the_invariants_in_force(tur: Programs, invariant: str, store: Path) -> None:
    known = stood.read(store)
    assert known is not None
    assert known.invariants == 1
    with Engine.open(store, actor=Author.parse("human:ann", AuthorKind.HUMAN)) as engine:
        put_in_force(engine, str(tur("propose", "Never force-push to main", "--json").json["id"]))
    known = stood.read(store)
    assert known is not None
    assert known.invariants == 2


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"store": 1, "invariants": "x"}', "\x00"])
def test_a_note_that_makes_no_sense_is_written_anew(tur: Programs, store: Path, content: str) -> None:
    tur("note", "hello")
    before = stood.place(store).read_text()
    stood.place(store).write_text(content)
    assert tur("verify").code == 0
    assert tur("note", "hello again").code == 0
    assert stood.place(store).read_text() == before


def test_a_place_that_cannot_be_noted_stops_no_write(tur: Programs, store: Path) -> None:
    stood.place(store).parent.write_text("no folder")
    assert tur("learn", "The roof is red").code == 0
