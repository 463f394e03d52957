"""Two processes at the same instant: never are two contradictory facts both silently active."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import cycle, islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.e2e.agents import AgentProcess, agents, at_once, overlapped
from tur_engine.engine import Engine
from tur_engine.records import Author, ConflictState, Draft, Status

ME = Author.parse("human:mara")

PLACES = ("billing", "search", "checkout", "reporting", "login", "archive", "mobile", "partner", "fraud", "loyalty")
THINGS = (
    ("database runs on PostgreSQL", "database runs on MySQL"),
    ("migrations run via Alembic", "migrations run via Prisma Migrate"),
    ("package manager is pnpm", "package manager is Yarn"),
    ("backups are kept for 14 days", "backups are kept for 30 days"),
    ("service listens on port 8080", "service listens on port 9090"),
    ("queue is RabbitMQ", "queue is Kafka"),
    ("deploys happen from the main branch", "deploys happen from the release branch"),
    ("frontend uses React", "frontend uses Svelte"),
    ("tests are written with pytest", "tests are not written with pytest"),
    ("images are built with Docker", "images are built with Podman"),
    ("cache is enabled", "cache is disabled"),
)
PAIRS = [(f"The {place} {one}", f"The {place} {other}") for (one, other), place in product(THINGS, PLACES)]


@pytest.fixture(scope="module")
def two() -> Iterator[list[AgentProcess]]:
    """Two agents with the real models, kept alive."""
    with agents(2) as started:
        yield started


@pytest.fixture(scope="module")
def plain_two() -> Iterator[list[AgentProcess]]:
    """Two agents whose verdicts can be foretold, kept alive."""
    with agents(2, plain=True) as started:
        yield started


def store(folder: Path, everyone: list[AgentProcess]) -> Engine:
    """A fresh store that everybody has open and has learned into: the models are loaded."""
    engine = Engine.init(folder, actor=ME)
    for number, agent in enumerate(everyone):
        agent.do(do="open", store=str(engine.path))
        agent.do(do="learn", text=f"visitor {number}: came in")
    return engine


@pytest.mark.slow
@pytest.mark.parametrize("on_conflict", ["hold", "allow"])
def test_contradictory_facts(tmp_path: Path, two: list[AgentProcess], on_conflict: str) -> None:
    contradict(tmp_path, two, on_conflict, rounds=8)


@pytest.mark.soak
@pytest.mark.parametrize("on_conflict", ["hold", "allow"])
def test_contradictory_facts_200_times(tmp_path: Path, two: list[AgentProcess], on_conflict: str) -> None:
    contradict(tmp_path, two, on_conflict, rounds=200)


def contradict(folder: Path, everyone: list[AgentProcess], on_conflict: str, rounds: int) -> None:
    overlaps = 0
    offered = PAIRS[:: max(1, len(PAIRS) // rounds)]
    pairs = [pair for pair in offered if seen_one_after_the_other(pair)]
    assert len(pairs) > len(offered) // 2
    for round_, pair in enumerate(islice(cycle(pairs), rounds)):
        with store(folder / str(round_), everyone) as engine:
            answers = at_once(everyone, [{"do": "learn", "text": t, "on_conflict": on_conflict} for t in pair])
            overlaps += overlapped(answers)
            not_silent(engine, answers, on_conflict)
            assert engine.verify().ok
    assert overlaps >= rounds // 2, "hardly ever at the same time: this tested nothing"


@cache
def seen_one_after_the_other(pair: tuple[str, str]) -> bool:
    """True where the verdict alone, either way round and without any race, finds the contradiction."""
    for first, second in (pair, pair[::-1]):
        with TemporaryDirectory() as folder, Engine.init(Path(folder), actor=ME) as engine:
            engine.learn(Draft(content=first, author=ME))
            if not engine.check(Draft(content=second, author=ME)).conflicts:
                return False
    return True


def not_silent(engine: Engine, answers: list[dict[str, Any]], on_conflict: str) -> None:
    """One of the two was stopped, or both stand contested by each other."""
    assert [answer for answer in answers if "error" in answer] == []
    one, other = (engine.memory(answer["id"]) for answer in answers)
    between = [
        conflict
        for conflict in engine.conflicts(all=True)
        if {conflict.incumbent.id, conflict.challenger.id} == {one.id, other.id}
    ]
    assert len(between) == 1, f"{one.memory.content!r} and {other.memory.content!r}: {one.status}, {other.status}"
    assert between[0].state is ConflictState.DETECTED
    assert one.memory.digest in other.contested_by
    assert other.memory.digest in one.contested_by
    assert between[0].incumbent.memory.seq < between[0].challenger.memory.seq
    if on_conflict == "hold":
        assert between[0].challenger.status is Status.HELD
    else:
        assert {one.status, other.status} == {Status.ACTIVE}
        assert any(between[0].id in answer["conflicts"] for answer in answers)


def test_the_same_fact_is_kept_once(tmp_path: Path, plain_two: list[AgentProcess]) -> None:
    with store(tmp_path, plain_two) as engine:
        for round_ in range(8):
            answers = at_once(plain_two, [{"do": "learn", "text": f"door {round_}: is open"}] * 2)
            assert sorted(answer["outcome"] for answer in answers) == ["committed", "duplicate"]
            assert len({answer["id"] for answer in answers}) == 1
        assert engine.verify().ok


def test_one_decision_wins(tmp_path: Path, plain_two: list[AgentProcess]) -> None:
    """Both saw the same revision: the second is told that it is stale, nothing of it is done."""
    with store(tmp_path, plain_two) as engine:
        for round_ in range(6):
            for value in ("open", "shut"):
                plain_two[0].do(do="learn", text=f"door {round_}: is {value}")
            (conflict,) = engine.conflicts()
            how = {"do": "resolve", "conflict": conflict.id, "revision": conflict.revision}
            answers = at_once(plain_two, [{**how, "verb": "supersede"}, {**how, "verb": "force"}])
            (won,) = [answer for answer in answers if "seq" in answer]
            (lost,) = [answer for answer in answers if "error" in answer]
            assert lost["error"] == "stale_revision"
            verb = ["supersede", "force"][answers.index(won)]
            settled = engine.conflict(conflict.id)
            assert settled.settlement is not None
            assert settled.settlement.verb == verb
            assert settled.settlement.seq == won["seq"]
            assert settled.challenger.status is Status.ACTIVE
            assert settled.incumbent.status is (Status.SUPERSEDED if verb == "supersede" else Status.ACTIVE)
        assert engine.verify().ok


def test_two_founders_make_one_store(tmp_path: Path, plain_two: list[AgentProcess]) -> None:
    """Both find no store and make the user's own at the same instant."""
    found_together(tmp_path, plain_two, rounds=8)


@pytest.mark.soak
def test_two_founders_make_one_store_200_times(tmp_path: Path, plain_two: list[AgentProcess]) -> None:
    found_together(tmp_path, plain_two, rounds=200)


def found_together(folder: Path, everyone: list[AgentProcess], rounds: int) -> None:
    overlaps = 0
    for round_ in range(rounds):
        home = folder / str(round_)
        answers = at_once(everyone, [{"do": "open", "home": str(home)}] * 2)
        overlaps += overlapped(answers)
        assert sorted(answer["founded"] for answer in answers) == [False, True]
        assert len({answer["store"] for answer in answers}) == 1
        for number, agent in enumerate(everyone):
            assert agent.do(do="learn", text=f"founder {number}: was here")["outcome"] == "committed"
        with Engine.open(home, actor=ME) as engine:
            assert len(engine.memories()) == 2
            assert engine.verify().ok
        assert {file.name.removesuffix("-wal").removesuffix("-shm") for file in home.iterdir()} == {"ledger.db"}
    assert overlaps >= rounds // 2, "hardly ever at the same time: this tested nothing"
