"""Verdict and commit are one: whatever comes in between is seen (CONTRACTS 2)."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.errors import StoreBusy
from tur_engine.ledger import connection
from tur_engine.records import OnConflict, Outcome, Verb

OLD = "The office is in Turin"
NEW = "The office is in Porto"


@pytest.fixture
def places(store: Store) -> Store:
    store.script.clash(OLD, NEW, "The office is in Oslo", "The office is in Riga")
    store.known("The lift is out of order")
    store.known("The office has a lift")
    return store


class Meanwhile:
    """Lets another actor act the first `times` times that a newcomer is weighed."""

    def __init__(self, store: Store, times: int, act: object) -> None:
        self.store, self.left, self.act = store, times, act
        self.calls = 0
        store.script.meanwhile = self

    def __call__(self) -> None:
        self.calls += 1
        if self.left:
            self.left -= 1
            self.store.script.meanwhile = None
            self.act(self.left)  # type: ignore[operator]
            self.store.script.meanwhile = self


def test_a_contradiction_that_came_in_between_is_found(places: Store) -> None:
    other = places.seen_by(OTHER)
    between = Meanwhile(places, 1, lambda left: places.learn(OLD, OTHER))
    result = places.learn(NEW, AGENT)
    assert (between.calls, other.head()) == (2, places.engine.head())
    assert result.outcome is Outcome.CONFLICT
    assert result.conflicts[0].conflict.incumbent.memory.content == OLD
    places.verified()


def test_the_same_text_that_came_in_between_is_a_duplicate(places: Store) -> None:
    Meanwhile(places, 1, lambda left: places.learn(NEW, OTHER))
    assert places.learn(NEW, AGENT).outcome is Outcome.DUPLICATE


def test_a_settlement_in_between_is_seen(places: Store) -> None:
    places.known(OLD)
    conflict = places.held("The office is in Oslo")
    Meanwhile(places, 1, lambda left: places.settle(conflict, Verb.SUPERSEDE))
    result = places.learn(NEW, AGENT)
    assert [r.conflict.incumbent.memory.content for r in result.conflicts] == ["The office is in Oslo"]


def test_what_changes_no_belief_does_not_count(places: Store) -> None:
    between = Meanwhile(places, 1, lambda left: places.seen_by(OTHER).note("The coffee is strong today"))
    assert places.learn(NEW, AGENT).outcome is Outcome.COMMITTED
    assert between.calls == 1


@pytest.mark.parametrize("on_conflict", [OnConflict.HOLD, OnConflict.ALLOW])
def test_three_in_a_row_and_the_fourth_try_holds_the_lock(
    places: Store, on_conflict: OnConflict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the lock nobody else gets in: the writer that tries is told so, the newcomer is decided."""
    monkeypatch.setattr(connection, "BUSY_MS", 20)
    said = ["The kettle is new", "The office is in Riga", "The printer jams"]
    refused = []

    def act(left: int) -> None:
        if said:
            places.learn(said.pop(), OTHER, on_conflict=OnConflict.ALLOW)
            return
        with pytest.raises(StoreBusy) as busy:
            places.learn("The window is open", OTHER)
        refused.append(busy.value)

    places.seen_by(OTHER)
    between = Meanwhile(places, 4, act)
    result = places.learn(NEW, AGENT, on_conflict=on_conflict)
    assert between.calls >= 4
    assert len(refused) == 1
    assert [r.conflict.incumbent.memory.content for r in result.conflicts] == ["The office is in Riga"]
    contested = on_conflict is OnConflict.ALLOW
    assert result.outcome is (Outcome.COMMITTED if contested else Outcome.CONFLICT)
    assert (NEW in places.live()) is contested
    places.verified()


def test_two_that_contradict_at_one_moment_never_both_pass_in_silence(tmp_path: Path) -> None:
    """Real threads with connections of their own, released together."""
    for turn in range(12):
        root = tmp_path / str(turn)
        root.mkdir()
        store = Store(root)
        store.script.clash(OLD, NEW)
        store.known("The lift of the office is out of order")
        start = threading.Barrier(2)
        outcomes: dict[str, str] = {}

        def learn(text: str, by: object, start: threading.Barrier, store: Store, outcomes: dict[str, str]) -> None:
            engine = store.seen_by(by)  # type: ignore[arg-type]
            start.wait()
            outcomes[text] = store.learn(text, engine.actor).outcome

        threads = [
            threading.Thread(target=learn, args=(text, by, start, store, outcomes))
            for text, by in ((OLD, AGENT), (NEW, OTHER))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes.values()) == ["committed", "conflict_detected"]
        assert len(store.live() & {OLD, NEW}) == 1
        assert store.seen_by(MARA).verify().ok
        store.close()
