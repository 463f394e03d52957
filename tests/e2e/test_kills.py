"""A learning process dies at any moment: the store opens, verifies, and holds all that was acknowledged, once."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.agents import AgentProcess
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
    """Whatever was acknowledged is there once; beyond it, at most one thing that nobody was told of."""
    with Engine.open(store, actor=ME) as engine:
        report = engine.verify()
        assert report.ok, report.problem
        kept = engine.memories(status=list(Status), limit=-1)
        texts = Counter(belief.memory.content for belief in kept)
        assert max(texts.values()) == 1
        ids = {belief.id: belief for belief in kept}
        acknowledged = [thing["learned"] for thing in said if "learned" in thing]
        assert len(set(acknowledged)) == len(acknowledged)
        assert [id for id in acknowledged if id not in ids] == []
        for thing in said:
            if "settled" in thing:
                assert not engine.conflict(thing["settled"]).state.open
        unheard = [b for b in kept if b.id not in acknowledged and int(b.memory.content.split()[1][:-1]) >= last]
        assert len(unheard) <= 1
        engine.note("it can be written")
