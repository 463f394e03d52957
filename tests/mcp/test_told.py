"""What the model reads of a held memory: each call in it works, and none is offered that would change nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from mcp_types import CallToolResult, TextContent

from tests.mcp.test_server import ALEMBIC, ANNA, PRISMA, harness
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.records import Draft, Verb

SQUASH = "database migrations: run via Squash"


@pytest.fixture
def store(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()
    return workdir / ".tur" / "ledger.db"


def words(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_each_of_several_conflicts_has_its_call_and_one_call_settles_all(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        await call("learn", content=PRISMA, allow_conflict=True)
        held = await call.raw("learn", content=SQUASH)
        clashes = call.structured(held)["conflicts"]
        assert len(clashes) == 2
        for clash in clashes:
            assert f"resolve_conflict(conflict_id={clash['conflict_id']!r}, verb=" in words(held)
        both = [clash["conflicting_memory_id"] for clash in clashes]
        assert f"supersedes={both!r}" in words(held)
        assert (await call("learn", content=SQUASH, supersedes=both))["status"] == "committed"


async def test_where_a_person_decides_no_flag_is_offered(store: Path) -> None:
    with Engine.open(store, actor=ANNA) as people:
        by_anna = people.learn(Draft(content=ALEMBIC, author=ANNA)).id
    async with harness() as call:
        for _ in range(2):
            held = await call.raw("learn", content=PRISMA, supersedes=[by_anna])
            assert "a person decides, and supersedes does not change that" in words(held)
            assert "allow_conflict" not in words(held)
        clash = call.structured(held)
        named = {key: clash[key] for key in ("conflict_id", "revision")}
        assert f"conflict_id={clash['conflict_id']!r}, verb='abort', revision={clash['revision']}" in words(held)
        assert (await call("resolve_conflict", verb="abort", reason="mine was wrong", **named))["status"] == "resolved"


@pytest.mark.parametrize("again", [PRISMA, f"{PRISMA} by now"])
async def test_allow_keeps_both_in_the_same_words_and_in_others(store: Path, again: str) -> None:
    with Engine.open(store, actor=ANNA) as people:
        by_anna = people.learn(Draft(content=ALEMBIC, author=ANNA)).id
    async with harness() as call:
        held = await call("learn", content=PRISMA, supersedes=[by_anna])
        assert held["state"] == "escalated"
        kept = await call("learn", content=again, allow_conflict=True)
        assert kept["status"] == "committed"
        assert by_anna in {each["conflicting_memory_id"] for each in kept["conflicts"]}
        assert {each["state"] for each in kept["conflicts"]} <= {"detected", "escalated"}
    with Engine.open(store, actor=ANNA) as people:
        assert people.memory(str(by_anna)).contested
        assert people.conflicts()


async def test_what_was_decided_meanwhile_is_told_in_place_of_what_to_do(store: Path) -> None:
    told: list[CallToolResult] = []
    async with harness() as call:
        await call("learn", content=ALEMBIC)

        async def waits() -> None:
            told.append(await call.raw("learn", content=PRISMA, wait_seconds=60))

        with Engine.open(store, actor=ANNA) as people:
            async with anyio.create_task_group() as group:
                group.start_soon(waits)
                while not (open_ones := people.conflicts()):
                    await anyio.sleep(0.05)
                decide = partial(people.resolve, open_ones[0].id, Verb.REFUTE, reason="we stay")
                await anyio.to_thread.run_sync(decide)
    text = words(told[0])
    assert "is now refuted." in text
    assert "refute, by human:anna (we stay)." in text
    assert "resolve_conflict(" not in text


async def test_news_comes_with_an_answer_to_a_wrong_argument_too(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        held = await call("learn", content=PRISMA)
        with Engine.open(store, actor=ANNA) as engine:
            engine.resolve(held["conflict_id"], Verb.REFUTE, reason="we stay")
        answer = await call.refused("status", everything=True)
        assert [news["reason"] for news in answer["settled"]] == ["we stay"]
