"""How long a conflict stood open, and who was handed its sides meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.govern.signing import put_in_force
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, Exposure, MemoryType, OnConflict, Reader, Served, Verb
from tur_engine.records.exposure import spelled

ANNA, OTTER, HERON = (Author.parse(name) for name in ("human:anna", "agent:otter", "agent:heron"))
OPENED = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def engine(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    install(monkeypatch)
    with Engine.init(workdir, actor=ANNA) as engine:
        yield engine


def learn(engine: Engine, text: str, on: OnConflict = OnConflict.HOLD) -> str:
    return engine.learn(Draft(content=text, author=ANNA), on_conflict=on).id or ""


def handed(engine: Engine) -> list[tuple[str, list[tuple[str, int]], list[tuple[str, int]], list[tuple[str, int]]]]:
    """Each side: its id, and name and times of who was handed it meanwhile, afterwards, and marked."""

    def told(readers: tuple[Reader, ...]) -> list[tuple[str, int]]:
        return sorted((reader.name, reader.times) for reader in readers)

    (conflict,) = engine.conflicts(all=True)
    sides = engine.exposure(conflict.id).sides
    return [(side.memory, told(side.meanwhile), told(side.afterwards), told(side.marked)) for side in sides]


def test_of_an_open_conflict_both_sides_count_from_its_opening(engine: Engine) -> None:
    old = learn(engine, "port: 80")
    otter, heron = engine.speaking_as(OTTER), engine.speaking_as(HERON)
    otter.recall("port", session="s-1")  # before anything was in question
    new = learn(engine, "port: 81", OnConflict.ALLOW)
    otter.recall("port", session="s-1")
    learn(engine, "logo: blue")
    otter.recall("port", session="s-1")
    heron.context(session="")
    engine.recall("port")  # nobody was handed it
    assert handed(engine) == [(each, [("heron", 1), ("otter s-1", 2)], [], []) for each in (old, new)]
    told = engine.exposure(engine.conflicts()[0].id)
    assert (told.settled, told.served) == (False, 6)
    assert f"{old[:13]} was served 3 times to 2 readers (heron, otter s-1) since" in told.sentence
    past = engine.at(engine.head() - 1)
    past.recall("port", session="s-9")
    assert [side.meanwhile[0].times for side in past.exposure(told_id(engine)).sides] == [1, 1]


def told_id(engine: Engine) -> str:
    return engine.conflicts(all=True)[0].id


def test_of_a_settled_one_the_losing_side_before_and_after(engine: Engine) -> None:
    old = learn(engine, "port: 80")
    learn(engine, "port: 81")
    assert engine.exposure(told_id(engine)).sentence == ""  # open, and nobody was handed anything
    otter = engine.speaking_as(OTTER)
    otter.recall("port", session="s-1")
    otter.recall("port", session="s-2")
    engine.resolve(told_id(engine), Verb.SUPERSEDE, reason="moved")
    otter.recall("port", session="s-1")  # the winner only
    otter.recall("port", session="s-3", include_superseded=True)
    assert handed(engine) == [(old, [("otter s-1", 1), ("otter s-2", 1)], [], [("otter s-3", 1)])]
    sentence = engine.exposure(told_id(engine)).sentence
    assert sentence.startswith("Stood open 0 s; ")
    assert "was served 2 times to 2 sessions (otter s-" in sentence
    assert sentence.endswith("was served once to otter s-3 afterwards, marked as no longer held")
    engine.undo(reason="too early")
    first = engine.exposure(min(engine.conflicts(all=True), key=lambda each: each.seq).id)
    assert [side.afterwards + side.marked for side in first.sides] == [()] * len(first.sides)


@pytest.mark.parametrize(("verb", "losers"), [(Verb.REFUTE, 1), (Verb.FORCE, 0), (Verb.DISMISS, 0), (Verb.ABORT, 1)])
def test_who_lost_depends_on_the_verb(engine: Engine, verb: Verb, losers: int) -> None:
    learn(engine, "port: 80")
    new = learn(engine, "port: 81", OnConflict.ALLOW)
    engine.speaking_as(OTTER).recall("port", session="s-1")
    engine.resolve(told_id(engine), verb, reason="so it is")
    assert handed(engine) == [(new, [("otter s-1", 1)], [], [])] * losers


def test_invariants_are_served_by_context_where_they_hold(engine: Engine) -> None:
    put_in_force(
        engine, engine.learn(Draft(content="tls: always", type=MemoryType.CORE, author=ANNA)).proposal_id or ""
    )
    digest = engine.context(session="s-1").invariants[0].belief.memory.digest
    assert [(row.session, row.live) for row in engine._served.of(digest, 0, engine.head())] == [("s-1", True)]


def test_recall_goes_on_where_nothing_can_be_noted(engine: Engine) -> None:
    learn(engine, "port: 80")
    engine._served.path.mkdir()
    assert len(engine.speaking_as(OTTER).recall("port", session="s-1")) == 1


def test_the_sentence_is_short_and_says_who() -> None:
    readers = tuple(Reader(actor=OTTER, session=f"s-{number}", times=2, last=OPENED) for number in range(5))
    side = Served(memory="fact-" + "1234abcd" * 8, meanwhile=readers, afterwards=readers[:1])
    told = Exposure(opened=OPENED, until=OPENED + timedelta(days=3, hours=4, minutes=9), settled=True, sides=(side,))
    assert told.sentence == (
        "Stood open 3 d 4 h; fact-1234abcd was served 10 times to 5 sessions (otter s-0, otter s-1, otter s-2, 2 more) "
        "meanwhile; fact-1234abcd was still served 2 times to otter s-0 after it was settled"
    )
    hour = OPENED + timedelta(hours=1)
    assert Exposure(opened=OPENED, until=hour, settled=True).sentence == "Stood open 1 h"
    for nothing in (
        Exposure(opened=OPENED, until=hour, settled=True, at_once=True),
        Exposure(opened=OPENED, until=hour, settled=False),
        Exposure(opened=OPENED, until=OPENED + timedelta(seconds=59), settled=True),
    ):
        assert nothing.sentence == ""


def test_lengths_of_time() -> None:
    spelt = [spelled(seconds) for seconds in (0, 59.9, 61, 3600, 3661, 86400, 86460, 3 * 86400 + 4 * 3600)]
    assert spelt == ["0 s", "59 s", "1 min 1 s", "1 h", "1 h 1 min", "1 d", "1 d", "3 d 4 h"]
