"""The facts of a store: counts, open conflicts, how often an author is contradicted, people's decisions, the pace."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import Stopped
from tur_engine.ledger import pace
from tur_engine.records import MemoryType, Status, Verb


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_an_empty_store_has_nothing_to_count(store: Store) -> None:
    health = store.engine.health()
    assert health.counts == {}
    assert health.open_since == ()
    assert health.agents == ()
    assert health.calibration.bands == ()
    assert health.learned.answers == 0
    assert (health.head.size, health.checkpoints, health.checkpoint) == (1, 0, None)
    assert health.disk.store > 0
    assert health.disk.free > 0


def test_memories_are_counted_by_standing_and_type(store: Store) -> None:
    store.script.clash("The port is 5432", "The port is 6432")
    store.learn("The port is 5432")
    store.learn("Tests run on two workers", type=MemoryType.PREFERENCE)
    before = store.engine.head()
    store.learn("The port is 6432")
    health = store.engine.health()
    assert health.counts[Status.ACTIVE] == {MemoryType.FACT: 1, MemoryType.PREFERENCE: 1}
    assert health.counts[Status.HELD] == {MemoryType.FACT: 1}
    assert len(health.open_since) == 1
    past = store.engine.at(before).health()
    assert Status.HELD not in past.counts
    assert past.open_since == ()
    assert past.head.size == before


def test_a_suspect_memory_counts_as_one(store: Store) -> None:
    store.script.clash("The port is 5432", "The port is 6432")
    base = store.known("The port is 5432")
    store.learn("Clients dial port 5432", rests_on=[base])
    store.learn("The port is 6432")
    (conflict,) = store.engine.conflicts()
    store.engine.resolve(conflict.id, Verb.SUPERSEDE)
    counts = store.engine.health().counts
    assert counts[Status.SUSPECT] == {MemoryType.FACT: 1}
    assert counts[Status.SUPERSEDED] == {MemoryType.FACT: 1}


def test_authors_stand_with_how_often_they_were_contradicted(store: Store) -> None:
    store.script.clash("The port is 5432", "The port is 6432")
    store.seen_by(MARA)
    store.learn("The port is 5432", by=AGENT)
    store.learn("The port is 6432", by=OTHER)
    store.learn("Tea is served at four", by=AGENT)
    rates = {each.author: (each.memories, each.clashing) for each in store.engine.health().agents}
    assert rates == {AGENT: (2, 0), OTHER: (1, 1)}


def test_decisions_of_people_make_the_bands(store: Store) -> None:
    for number, (probability, verb) in enumerate(((0.92, Verb.SUPERSEDE), (0.97, Verb.DISMISS), (0.55, Verb.DISMISS))):
        old, new = f"Limit {number} is five", f"Limit {number} is nine"
        store.script.clash(old, new, probability=probability)
        store.learn(old)
        store.learn(new)
        (conflict,) = store.engine.conflicts()
        store.engine.resolve(conflict.id, verb)
    found = store.engine.health().calibration
    assert (found.settled, found.dismissed) == (1, 2)
    assert "too few" in found.advice
    assert [(each.low, each.decided, each.clashes) for each in found.bands] == [(0.5, 1, 0), (0.9, 2, 1)]
    assert found.bands[1].said == pytest.approx(0.945)


def test_each_answer_of_the_gate_leaves_its_time_outside_of_the_ledger(store: Store) -> None:
    for number in range(5):
        store.learn(f"Memory number {number}")
    health = store.engine.health()
    assert health.learned.answers == health.weighed.answers == 5
    assert 0 < health.weighed.p50 <= health.learned.p50 <= health.learned.p95 <= health.learned.worst
    assert store.engine.verify().ok


def test_a_ring_keeps_the_last_answers_and_leaves_out_what_makes_no_sense(home: Path) -> None:
    for seq in range(1, pace.KEPT + 11):
        pace.note("s", seq, pace.Took(0.001, 0.002))
    assert pace.place("s").is_relative_to(home)
    assert len(pace.read("s", pace.KEPT + 10)) == pace.KEPT
    assert len(pace.read("s", pace.KEPT)) == pace.KEPT - 10  # ten were written later than that
    data = bytearray(pace.place("s").read_bytes())
    data[100:180] = b"\xff" * 80
    pace.place("s").write_bytes(bytes(data) + b"tail")
    assert pace.KEPT - 7 < len(pace.read("s", pace.KEPT + 10)) + 1 < pace.KEPT
    assert pace.read("nobody", 5) == []


def test_no_folder_for_the_pace_stops_no_answer(store: Store, home: Path) -> None:
    place = pace.place("s")
    place.parent.parent.mkdir(parents=True, exist_ok=True)
    place.parent.write_text("a file where the folder would be")
    store.learn("It is learned all the same")
    assert store.engine.health().learned.answers == 0


def test_a_check_of_the_ledger_can_be_stopped(store: Store) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped, match="a check changes nothing"):
        store.engine.verify(stop=stop)
    assert store.engine.verify(stop=threading.Event()).ok
