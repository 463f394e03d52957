"""A learning process dies at any moment: the store opens, verifies, and holds all that was acknowledged, once."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents import AgentProcess
from tests.ledger.makings import content
from tur_engine.engine import Engine
from tur_engine.records import Author, Status

ME = Author.parse("human:mara")


def test_killed_at_any_moment(tmp_path: Path) -> None:
    die(tmp_path, rounds=4, plain=True)


@pytest.mark.slow
def test_killed_at_any_moment_with_the_real_models(tmp_path: Path) -> None:
    die(tmp_path, rounds=1, plain=False)


@pytest.mark.soak
def test_killed_at_any_moment_100_times(tmp_path: Path) -> None:
    die(tmp_path / "plain", rounds=80, plain=True)
    die(tmp_path / "real", rounds=20, plain=False)


def test_many_write_while_some_are_killed(tmp_path: Path) -> None:
    crowd(tmp_path, writers=3, seconds=1.5, plain=True)


@pytest.mark.soak
def test_sixteen_write_for_a_minute_while_some_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    crowd(tmp_path / "plain", writers=16, seconds=60, plain=True)
    crowd(tmp_path / "symbolic", writers=16, seconds=60, plain=False)


def crowd(folder: Path, writers: int, seconds: float, *, plain: bool) -> None:
    """Let many agents write into one store at once, and kill one after the other; each is followed by a new one."""
    chance = random.Random(writers)
    with Engine.init(folder, actor=ME) as engine:
        store = engine.path
    started: list[AgentProcess] = []
    heard: list[list[dict[str, Any]]] = []
    at_work: list[int] = []

    def start(count: int) -> None:
        fresh = [AgentProcess(f"agent {len(started) + number}", plain=plain) for number in range(count)]
        for agent in fresh:
            agent.do(do="open", store=str(store))
            agent.ask(do="stream", start=10_000 * len(started))
            at_work.append(len(started))
            started.append(agent)
            heard.append(agent.listen())

    try:
        start(writers)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(chance.uniform(0, seconds / writers))
            started[at_work.pop(chance.randrange(len(at_work)))].fell()
            start(1)
    finally:
        for number in at_work:
            started[number].fell()
    said = [thing for one in heard for thing in one]
    assert {thing["error"] for thing in said if "error" in thing} <= {"busy"}
    assert len({thing["number"] // 10_000 for thing in said if "learned" in thing}) > 1
    kept_once(store, said, unheard=len(started))
    before = content(store)
    with Engine.open(store, actor=ME) as engine:
        engine.rebuild()
    assert content(store) == before


def die(folder: Path, rounds: int, *, plain: bool) -> None:
    """Let one agent after the other learn into one store and kill each at some moment of its work."""
    chance = random.Random(rounds)
    said: list[dict[str, Any]] = []
    with Engine.init(folder, actor=ME) as engine:
        store = engine.path
    for round_ in range(rounds):
        agent = AgentProcess(f"agent {round_}", plain=plain)
        agent.do(do="open", store=str(store))
        agent.ask(do="stream", start=10_000 * round_)
        said.extend(agent.answer() for _ in range(4))  # at work now
        time.sleep(chance.uniform(0, 0.25))
        said.extend(agent.kill())
        holds(store, said, last=10_000 * round_)


def holds(store: Path, said: list[dict[str, Any]], last: int) -> None:
    """Whatever was acknowledged is there once; beyond it, at most one thing of the last one that nobody was told of."""
    kept_once(store, said, unheard=1, since=last)
    with Engine.open(store, actor=ME) as engine:
        engine.note("it can be written")


def kept_once(store: Path, said: list[dict[str, Any]], unheard: int, since: int = 0) -> None:
    """Check that nothing acknowledged is lost or doubled, and that at most so many were never acknowledged."""
    with Engine.open(store, actor=ME) as engine:
        report = engine.verify()
        assert report.ok, report.problem
        kept = engine.memories(status=list(Status), limit=-1)
        texts = Counter(belief.memory.content for belief in kept)
        assert max(texts.values()) == 1
        ids = {belief.id for belief in kept}
        acknowledged = [thing["learned"] for thing in said if "learned" in thing]
        assert len(set(acknowledged)) == len(acknowledged)
        assert [id for id in acknowledged if id not in ids] == []
        for thing in said:
            if "settled" in thing:
                assert not engine.conflict(thing["settled"]).state.open
        told = set(acknowledged)
        silent = [b for b in kept if b.id not in told and int(b.memory.content.split()[1][:-1]) >= since]
        assert len(silent) <= unheard
