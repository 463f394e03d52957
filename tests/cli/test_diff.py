"""`tur diff`: two moments, and what stands otherwise."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests import standins
from tests.cli.conftest import Programs
from tests.engine.scripted import MARA, OTHER, Store
from tests.engine.scripted import store as scripted
from tur_engine.cli.diff import point
from tur_engine.errors import BadInput
from tur_engine.records import Verb

__all__ = ["scripted"]

A, B, C = "The port is 8080", "The port is 9090", "The port is 7070"


@pytest.fixture
def lived(scripted: Store) -> Store:
    """Events: 2 learns A, 3 what rests on it, 4 holds B, 5 supersedes A with it, 6 learns and refutes C."""
    scripted.script.clash(A, B, C)
    first = scripted.known(A)
    scripted.known("The proxy forwards to the port", rests_on=[first])
    scripted.settle(scripted.held(B, OTHER), Verb.SUPERSEDE, reason="it moved")
    scripted.settle(scripted.held(C), Verb.REFUTE)
    return scripted


def test_what_stands_otherwise_is_grouped_by_what_became_of_it(lived: Store) -> None:
    whole = lived.engine.diff(0)
    texts = {name: [each.belief.memory.content for each in group] for name, group in whole.memories.items() if group}
    assert texts == {
        "learned": ["The proxy forwards to the port", B],
        "superseded": [A],
        "refuted": [C],
        "suspect": ["The proxy forwards to the port"],
    }
    assert (whole.since_at, len(whole.settled), whole.opened) == (None, 2, ())
    (fell,) = lived.engine.diff(3).superseded
    assert (str(fell.was), fell.seq, fell.by, fell.reason) == ("active", 5, MARA, "it moved")
    held = lived.engine.diff(3, 4)
    assert [each.belief.memory.content for each in held.held] == [B]
    assert [conflict.incumbent.memory.content for conflict in held.opened] == [A]
    assert lived.engine.diff(7).empty


def test_what_comes_back_is_restored_and_what_is_sound_again_cleared(lived: Store) -> None:
    lived.engine.undo("#7")
    lived.engine.undo("#5")
    found = lived.engine.diff(7)
    assert [each.belief.memory.content for each in found.restored] == [A]
    assert [each.belief.memory.content for each in found.cleared] == ["The proxy forwards to the port"]
    assert {conflict.id for conflict in found.opened} == {conflict.id for conflict in lived.engine.conflicts()}
    assert lived.engine.diff(4).superseded == ()


def test_what_was_undone_is_not_told_and_a_conflict_that_came_back_is_one(scripted: Store) -> None:
    """Events: 2 learns A, 3 holds B, 4 supersedes A with it, 5 takes that back, 6 brings it back, and so on."""
    scripted.script.clash(A, B)
    scripted.known(A)
    first = scripted.held(B)
    scripted.settle(first, Verb.SUPERSEDE, reason="it moved")
    for at in (4, 5, 6, 7):
        scripted.engine.undo(f"#{at}")
    engine = scripted.engine
    counts = {
        (since, until): (len(found.opened), len(found.settled))
        for since in (2, 3, 4, 5)
        for until in (4, 5, 6, 7, 8)
        if since < until
        for found in [engine.diff(since, until)]
    }
    opened, settled, neither = (1, 0), (0, 1), (0, 0)
    assert [counts[2, until] for until in (4, 5, 6, 7, 8)] == [settled, opened, settled, opened, settled]
    assert [counts[3, until] for until in (4, 5, 6, 7, 8)] == [settled, neither, settled, neither, settled]
    assert [counts[4, until] for until in (5, 6, 7, 8)] == [opened, neither, opened, neither]
    assert [counts[5, until] for until in (6, 7, 8)] == [settled, neither, settled]
    once = engine.conflict(first.id)
    (last,) = engine.diff(3).settled
    assert once.settlement is not None
    assert (once.settlement.undone, once.reopened_as) == (True, last.id)
    assert last.settlement is not None
    assert (last.settlement.undone, last.reopened_as, last.settlement.reason) == (False, None, "it moved")


def test_moments(lived: Store) -> None:
    engine, now = lived.engine, datetime.now().astimezone()
    head = engine.head()
    assert [point(engine, text, now) for text in ("3", "#3", "0", "now", " Head ")] == [3, 3, 0, head, head]
    assert [point(engine, text, now) for text in ("today", "yesterday", "2d", "1w ago", "999999w")] == [0, 0, 0, 0, 0]
    assert point(engine, f"{now:%Y-%m-%d}", now) == 0
    assert point(engine, (now + timedelta(days=2)).isoformat(), now) == head
    assert point(engine, "0m", now + timedelta(seconds=1)) == head
    at = engine.history()[2].at
    assert point(engine, at.isoformat(), now) == 3
    for text in ("frob", "", "2x", "20261332", "2026-13-01", "-3"):
        with pytest.raises(BadInput):
            engine.diff(point(engine, text, now))
    with pytest.raises(BadInput, match="lies before event 5"):
        engine.diff(5, 2)


def test_the_command_tells_both_ways(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standins.install(monkeypatch)
    tur("learn", "port: 1")
    tur("learn", "port: \x41[/b]\u202e", "--on-conflict", "hold")
    (conflict,) = tur("conflicts", "--json").json["conflicts"]
    tur("--as", "human:anna", "resolve", conflict["conflict_id"], "supersede", "--reason", "it moved")
    told = tur("diff", "2")
    assert told.code == 0
    assert "learned (1)" in told.out
    assert "superseded (1)" in told.out
    assert "because: it moved" in told.out
    assert "conflicts settled (1)" in told.out
    assert "\u202e" not in told.out
    answer = tur("diff", "2", "now", "--json").json
    assert [each["content"] for each in answer["superseded"]] == ["port: 1"]
    assert answer["conflicts_settled"][0]["conflict_id"] == conflict["conflict_id"]
    assert answer["since"]["seq"] == 2
    assert "nothing stands otherwise" in tur("diff", "now").err
    assert tur("diff", "frob").code == 2
    assert tur("diff", "99").code == 2


def test_a_settlement_that_was_undone_is_listed_as_such(
    tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standins.install(monkeypatch)
    tur("learn", "port: 1")
    tur("learn", "port: 2", "--on-conflict", "hold")
    (conflict,) = tur("conflicts", "--json").json["conflicts"]
    tur("--as", "human:anna", "resolve", conflict["conflict_id"], "supersede", "--reason", "it moved")
    tur("--as", "human:anna", "undo")
    now, once = tur("conflicts", "--all", "--json").json["conflicts"]
    assert (once["settlement"]["undone"], once["reopened_as"]) == (True, now["conflict_id"])
    assert "reopened_as" not in now
    short = now["conflict_id"][: len("conflict-") + 8]
    assert f"resolved: supersede by human:anna, undone; lives on as {short}\n" in tur("conflicts", "--all").out
