"""The live feed: what it lists, what its filters let through, how it follows other writers."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store
from tur_engine.records import EventKind, FeedFilter, HistoryEntry, MemoryType, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"


@pytest.fixture
def busy(store: Store) -> Store:
    """1 founded, 2 learned, 3 learned (preference), 4 held, 5 noted, 6 confirmed, 7 learned, 8 held, 9 resolved."""
    store.script.clash(ALEMBIC, PRISMA)
    store.script.clash("The kettle is new", "The kettle is old")
    store.known(ALEMBIC, AGENT)
    store.known("Prefer small pull requests", MARA, type="preference")
    store.held(PRISMA, OTHER)
    store.seen_by(AGENT).note("Migrations took long today")
    store.learn(ALEMBIC, OTHER)
    store.known("The kettle is new", MARA)
    store.settle(store.held("The kettle is old", AGENT), Verb.REFUTE)
    return store


def listed(store: Store, **conditions: object) -> list[int]:
    return store.engine.feed_index(FeedFilter(**conditions))


def test_everything_newest_first(busy: Store) -> None:
    assert busy.engine.feed_index() == listed(busy) == list(range(9, 0, -1))
    assert busy.engine.head() == 9


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({"kinds": {EventKind.HELD}}, [8, 4]),
        ({"kinds": {EventKind.NOTED, EventKind.CONFIRMED}}, [6, 5]),
        ({"kinds": {EventKind.REDACTED}}, []),
        ({"agent": "aider"}, [6, 4]),
        ({"agent": "CLAUDE"}, [8, 5, 2]),
        ({"agent": "agent:"}, [8, 6, 5, 4, 2]),
        ({"agent": "%"}, []),
        ({"type": MemoryType.PREFERENCE}, [3]),
        ({"type": MemoryType.AXIOM}, []),
        ({"open_conflicts": True}, [4]),
        ({"text": "migra"}, [6, 5, 4, 2]),  # notes are searched too
        ({"text": "migrations long"}, [5]),
        ({"scope": "INCARNATION"}, [9, 8, 7, 6, 4, 3, 2]),
        ({"scope": "%"}, []),
        ({"text": "MIGRATIONS alem"}, [6, 4, 2]),
        ({"text": "prisma"}, [4]),
        ({"text": "kettle ol"}, [9, 8]),
        ({"text": "ettle"}, []),
        ({"text": '"*) OR 1'}, []),
        ({"text": "#7"}, [7]),
        ({"text": "  "}, list(range(9, 0, -1))),
        ({"text": "migra", "agent": "aider", "kinds": {EventKind.CONFIRMED}}, [6]),
        ({"text": "kettle", "open_conflicts": True}, []),
    ],
)
def test_every_condition_must_hold(busy: Store, conditions: dict[str, object], expected: list[int]) -> None:
    assert listed(busy, **conditions) == expected


def test_the_start_of_an_id_finds_its_events(busy: Store) -> None:
    (conflict,) = busy.engine.conflicts()
    new = conflict.challenger.memory.digest
    assert listed(busy, text=new[:10]) == [4]
    assert listed(busy, text=conflict.challenger.id) == [4]
    assert listed(busy, text=busy.engine.short(conflict.id)) == [4]
    assert listed(busy, text=conflict.incumbent.memory.digest[:8].upper()) == [6, 4, 2]


def test_open_conflicts_follow_what_is_decided(busy: Store) -> None:
    (conflict,) = busy.engine.conflicts()
    busy.settle(conflict, Verb.SUPERSEDE)
    assert listed(busy, open_conflicts=True) == []
    busy.engine.undo()
    assert listed(busy, open_conflicts=True) == [11]


def test_the_past_lists_no_later_event(busy: Store) -> None:
    past = busy.engine.at(5)
    assert past.feed_index() == [5, 4, 3, 2, 1]
    assert past.feed_index(FeedFilter(text="kettle")) == []


@contextmanager
def watching(store: Store, since: int) -> Iterator[queue.Queue[list[HistoryEntry]]]:
    """Follow the store in a thread of its own, as the workbench does."""
    heard: queue.Queue[list[HistoryEntry]] = queue.Queue()
    stop = threading.Event()

    def follow() -> None:
        for batch in store.engine.watch(since, stop, interval=0.01):
            heard.put(batch)

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        yield heard
    finally:
        stop.set()
        thread.join(10)
        assert not thread.is_alive()


def collect(heard: queue.Queue[list[HistoryEntry]], upto: int) -> list[int]:
    seqs: list[int] = []
    while not seqs or seqs[-1] < upto:
        batch = heard.get(timeout=20)
        assert batch
        seqs += [entry.seq for entry in batch]
    return seqs


def test_it_catches_up_and_then_follows_another_connection(busy: Store) -> None:
    with watching(busy, 7) as heard:
        assert collect(heard, 9) == [8, 9]
        busy.known("The door is green", AGENT)
        busy.settle(busy.engine.conflicts()[0], Verb.SUPERSEDE)
        assert collect(heard, 11) == [10, 11]
        time.sleep(0.1)
        assert heard.empty()


def test_it_follows_another_process(busy: Store) -> None:
    program = (
        "import sys; from pathlib import Path; from tur_engine.engine import Engine; "
        "from tur_engine.records import Author; "
        "Engine.open(Path(sys.argv[1]), actor=Author.parse('agent:elsewhere')).note('from another process')"
    )
    with watching(busy, 9) as heard:
        busy.script.meanwhile = None
        subprocess.run(
            [sys.executable, "-c", SCRIPTED + program, str(busy.engine.path)], check=True, timeout=60, env=environment()
        )
        (entry,) = heard.get(timeout=20)
    assert (entry.seq, str(entry.actor), entry.summary) == (10, "agent:elsewhere", 'noted "from another process"')


SCRIPTED = (
    "from tur_engine import minds; minds.Minds.embed = None; minds.Minds.__init__ = "
    "lambda self, *settings: setattr(self, 'embed', lambda text: None); minds.Minds.suspicion = 1.0; "
    "minds.Minds.weigh = lambda self, challenger, found: []; "
)
"""The other process only has to write: it loads no models."""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
