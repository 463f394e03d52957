"""The second process of `verify`: believed only where all fits, and nothing depends on its being there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ledger.test_verify import assert_reported, tampered
from tur_engine.ledger import away
from tur_engine.ledger import verify as verifying
from tur_engine.ledger.ledger import Ledger
from tur_engine.ledger.verify import verify


@pytest.fixture(scope="module")
def ledger(told_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    path = tmp_path_factory.mktemp("away") / "ledger.db"
    shutil.copyfile(told_once, path)
    ledger = Ledger(path)
    yield ledger
    ledger.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few the events and the cores."""
    monkeypatch.setattr(away, "worth", lambda events: True)


def alone(*_: object, **__: object) -> None:
    raise AssertionError("started over without the second process")


@pytest.mark.usefixtures("asked")
def test_a_whole_store_needs_no_second_look(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """The story holds every kind of event."""
    monkeypatch.setattr(verifying, "Replay", alone)
    report = verify(ledger)
    assert report.ok, report.problem
    assert report.head == ledger.tree_head()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memories SET content_key=zeroblob(32) WHERE mid=3",
        "DELETE FROM standing WHERE rowid=5",
        "UPDATE mentions SET seq=seq+1 WHERE seq=4",
        "DELETE FROM words WHERE rowid=4",
        "UPDATE vectors SET probed=7 WHERE mid=4",
        "UPDATE bodies SET body=body || 'x' WHERE ref=(SELECT min(ref) FROM bodies WHERE body IS NOT NULL)",
        "UPDATE events SET hash=zeroblob(32) WHERE seq=7",
    ],
)
def test_what_does_not_fit_is_named_as_without_it(
    ledger: Ledger, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tampered(ledger) as db:
        db.execute(statement)
        due = assert_reported(ledger, statement)
        monkeypatch.setattr(away, "worth", lambda events: True)
        assert verify(ledger) == due


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("serve", ["raise SystemExit(3)", "print('{')", "import sys; sys.stdin.buffer.read()"])
def test_one_that_dies_or_talks_nonsense_is_done_without(
    ledger: Ledger, serve: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(away, "_SERVE", serve)
    assert verify(ledger).ok
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert verify(ledger).ok


def test_it_is_started_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0, 1}, raising=False)
    assert away.worth(away.WORTH)
    assert not away.worth(away.WORTH - 1)
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {0}, raising=False)
    assert not away.worth(away.WORTH)
