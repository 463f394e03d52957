"""What is told of the events: one line each, nothing that could steer a screen; and what the feed lists of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ledger.makings import BOT, MARA, draft
from tur_engine.engine import Engine
from tur_engine.records import EventKind, FeedFilter, MemoryType
from tur_engine.text import visible


@pytest.fixture
def told(story: Path, reopened: Callable[[Path], Engine]) -> Engine:
    return reopened(story)


def test_every_event_is_told(told: Engine) -> None:
    entries = told.history()
    assert [entry.seq for entry in entries] == list(range(1, told.head() + 1))
    assert {entry.kind for entry in entries} == set(EventKind)
    for entry in entries:
        assert entry.summary
        assert entry.summary == visible(entry.summary, newlines=False)
        assert entry.at.tzinfo is not None
    assert told.entries([entry.seq for entry in reversed(entries)]) == entries[::-1]
    assert told.history(limit=3) == entries[-3:]


@pytest.mark.parametrize(
    ("kind", "summary", "reason"),
    [
        (EventKind.FOUNDED, "the store was founded", ""),
        (EventKind.LEARNED, 'learned "database: first choice"', ""),
        (EventKind.HELD, 'held "database: second choice": clashes with "database: first choice"', ""),
        (EventKind.CONFIRMED, 'confirmed "database: first choice", said again', ""),
        (EventKind.NOTED, 'noted "editor: somebody dislikes it"', ""),
        (EventKind.PROPOSED, 'proposed "secrets: never in git"', ""),
        (EventKind.SIGNED, 'signed "changes: reviewed", more signatures are needed', "agreed"),
        (EventKind.DECLINED, 'rejected the retirement of "secrets: never in git"', "there is"),
        (EventKind.RETRACTED, 'retracted "day 1: went by"', "nobody minds"),
        (EventKind.POLICY, "signatures needed: axiom 2, core 1", ""),
        (EventKind.QUARANTINED, "quarantined agent:rival: what it writes is only held", "it lies"),
        (EventKind.RELEASED, "released agent:rival: it writes freely again", "it stopped"),
        (EventKind.RESTORED, "the store was restored from a backup of 1 event", "as an example"),
        (
            EventKind.REJECTED,
            'rejected "secrets: sometimes in git": contradicts invariant "secrets: never in git"',
            "",
        ),
        (
            EventKind.RESOLVED,
            '"database: first choice" superseded by "database: second choice"',
            "because of supersede",
        ),
        (EventKind.DETECTED, 'found that "day 3: went by" refines "day 2: went by"', ""),
        (EventKind.REAFFIRMED, 'reaffirmed "backups: nightly"', "still true"),
        (EventKind.REDACTED, 'redacted "[redacted]"', "asked for"),
        (EventKind.APPROVED, 'approved "secrets: never in git"', ""),
        (EventKind.RELABELLED, "cites passes doubt on: marks of 0 memories changed", ""),
        (EventKind.UNDONE, 'undone: "region: second choice" withdrawn', "too early"),
    ],
)
def test_how_it_is_told(told: Engine, kind: EventKind, summary: str, reason: str) -> None:
    first = next(entry for entry in told.history() if entry.kind is kind)
    assert (first.summary, first.reason) == (summary, reason)


def test_entries_name_what_they_are_about(told: Engine) -> None:
    for entry in told.history():
        for id in entry.memory_ids:
            assert told.memory(id).id == id
        if entry.conflict_id:
            assert told.conflict(entry.conflict_id).id == entry.conflict_id
            assert entry.seq in {about.seq for about in told.history(entry.conflict_id)}


def kinds(engine: Engine, wanted: FeedFilter) -> set[EventKind]:
    return {entry.kind for entry in engine.entries(engine.feed_index(wanted))}


def test_the_feed_is_newest_first(told: Engine) -> None:
    assert told.feed_index() == list(range(told.head(), 0, -1))
    some = told.feed_index(FeedFilter(text="database"))
    assert some == sorted(some, reverse=True)
    assert 1 < len(some) < told.head()


def test_filters(told: Engine) -> None:
    assert kinds(told, FeedFilter(kinds=frozenset({EventKind.HELD, EventKind.NOTED}))) == {
        EventKind.HELD,
        EventKind.NOTED,
    }
    assert kinds(told, FeedFilter(type=MemoryType.AXIOM)) == {
        EventKind.PROPOSED,
        EventKind.SIGNED,
        EventKind.APPROVED,
        EventKind.REJECTED,
    }
    by_bot = told.entries(told.feed_index(FeedFilter(agent="BOT")))
    assert {str(entry.actor) for entry in by_bot} == {str(BOT)}
    opened = told.entries(told.feed_index(FeedFilter(open_conflicts=True)))
    assert {c.id for c in told.conflicts()} <= {entry.conflict_id for entry in opened}
    assert told.feed_index(FeedFilter(text="hunterbox")) == []
    assert told.feed_index(FeedFilter(text="databa choi")) == told.feed_index(FeedFilter(text="database choice"))
    both = FeedFilter(text="database", kinds=frozenset({EventKind.HELD}))
    assert set(told.feed_index(both)) < set(told.feed_index(FeedFilter(text="database")))


@pytest.mark.parametrize("text", ["#12", "12", " 12 "])
def test_a_number_finds_its_event(told: Engine, text: str) -> None:
    assert 12 in told.feed_index(FeedFilter(text=text))


def test_an_id_finds_what_it_is_about(told: Engine) -> None:
    conflict = told.conflicts()[0]
    for text in (conflict.id, conflict.id[:17], conflict.incumbent.id, conflict.incumbent.memory.digest[:10].upper()):
        assert conflict.seq in told.feed_index(FeedFilter(text=text)), text


@pytest.mark.parametrize(
    "text", ["²", "#²", "9" * 5000, '"', "* OR", "a NEAR b", "()", "\x00", "\ud800", "%", "''; --", "!"]
)
def test_any_text_may_be_searched_for(told: Engine, text: str) -> None:
    assert isinstance(told.feed_index(FeedFilter(text=text)), list)


def test_the_watch_tells_every_event_once(engine: Engine) -> None:
    stop = threading.Event()
    heard: list[int] = []

    def listen() -> None:
        for batch in engine.watch(engine.head(), stop, interval=0.01):
            heard.extend(entry.seq for entry in batch)
            if len(heard) == 6:
                stop.set()

    thread = threading.Thread(target=listen)
    thread.start()
    with Engine.open(engine.path, actor=MARA) as other:
        for number in range(6):
            other.learn(draft(f"thing {number}: seen"))
    thread.join(10)
    stop.set()
    assert heard == [2, 3, 4, 5, 6, 7]
