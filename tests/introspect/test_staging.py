"""A large graph is weighed in a copy: other writers go on meanwhile, and what they bring is met all the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.engine.scripted import AGENT, OTHER, Store
from tests.introspect.test_commit import CALLS, GO, JAVA, edge, graph, node
from tur_engine.errors import InvariantViolation, StoreError
from tur_engine.introspect import staging
from tur_engine.introspect.committing import Committing
from tur_engine.ledger import Ledger
from tur_engine.records import Outcome

PARTS = graph(node("go", GO), node("calls", CALLS), edge("calls", "depends_on", "go"))


@pytest.fixture(autouse=True)
def _every_graph_is_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(staging, "WORTH_A_COPY", 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[bool]]:
    """Do something each time a graph is weighed; returns whether that was in a copy."""

    def each_time(act: Callable[[], object]) -> list[bool]:
        copies: list[bool] = []
        weighed = Committing._under_lock

        def under_lock(self: Committing, *given: Any) -> Any:
            copies.append(self._ledger.path.parent.parent.name.startswith("tur-graph-"))
            if copies[-1]:
                act()
            return weighed(self, *given)

        monkeypatch.setattr(Committing, "_under_lock", under_lock)
        return copies

    return each_time


def test_it_comes_in_as_it_would_under_the_lock(store: Store, tmp_path: Path) -> None:
    store.script.clash(GO, JAVA)
    store.known(JAVA)
    store.engine.note("what an earlier session saw")
    report = store.seen_by(AGENT).commit_graph(PARTS)
    assert [each.outcome for each in report.nodes] == [Outcome.CONFLICT, Outcome.COMMITTED]
    (conflict,) = store.engine.conflicts()
    assert report.nodes[0].conflicts[0].conflict == conflict
    assert report.seq == store.engine.head()
    assert report.merkle == store.engine.verify().head
    assert store.edges() >= {(CALLS, "depends_on", GO)}
    assert not list(tmp_path.glob("tur-graph-*")), "the copy is gone"
    store.verified()
    store.engine.undo(f"#{report.seq}")
    assert store.live() == {JAVA}


def test_others_write_meanwhile_and_are_met(store: Store, meanwhile: Any) -> None:
    store.script.clash(GO, JAVA)
    said: list[str] = []

    def another() -> None:
        if not said:
            said.append(store.known(JAVA, OTHER))

    copies = meanwhile(another)
    report = store.seen_by(AGENT).commit_graph(PARTS)
    assert copies == [True, True], "weighed anew, for a belief had changed"
    assert report.nodes[0].outcome is Outcome.CONFLICT
    assert [c.incumbent.id for c in store.engine.conflicts()] == said
    store.verified()


def test_a_note_meanwhile_changes_no_belief(store: Store, meanwhile: Any) -> None:
    copies = meanwhile(lambda: store.seen_by(OTHER).note("just looking"))
    report = store.seen_by(AGENT).commit_graph(PARTS)
    assert copies == [True]
    assert report.seq == store.engine.head()
    store.verified()
    store.engine.undo(f"#{report.seq}")
    assert store.live() == set()


def test_where_beliefs_never_rest_the_lock_is_taken(store: Store, meanwhile: Any) -> None:
    number = iter(range(100))
    copies = meanwhile(lambda: store.known(f"Event {next(number)} happened", OTHER))
    assert store.seen_by(AGENT).commit_graph(PARTS).seq is not None
    assert copies == [True, True, True, False]
    store.verified()


def test_nothing_is_kept_of_what_violates_an_invariant(store: Store) -> None:
    store.script.clash(GO, "Services are never written in Go")
    store.approve("Services are never written in Go")
    head = store.engine.head()
    with pytest.raises(InvariantViolation, match="node go contradicts it"):
        store.seen_by(AGENT).commit_graph(PARTS)
    assert [entry.kind for entry in store.engine.history()[head:]] == ["rejected"]
    store.verified()


def test_without_room_for_a_copy_it_is_done_under_the_lock(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Ledger, target: Path) -> None:
        raise StoreError("no room")

    monkeypatch.setattr(Ledger, "backup", full)
    assert store.seen_by(AGENT).commit_graph(PARTS).seq is not None
    store.verified()
