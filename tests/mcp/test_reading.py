"""Resources, context, what a session is told: over the SDK's client, in this process, with minds that stand in."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from mcp import Client, MCPError
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import LoggingMessageNotificationParams, TextResourceContents

from tests.govern.signing import put_in_force
from tests.mcp.serving import called
from tests.mcp.test_server import ANNA, Harness, harness
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit
from tur_engine.records import Author, Draft, Scope, Verb

OLD, NEW = "database: Alembic migrates it", "database: Prisma migrates it"


@pytest.fixture
def store(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()
    return workdir / ".tur" / "ledger.db"


async def test_records_are_resources(store: Path) -> None:
    async with harness() as call:
        listed = await call.client.list_resource_templates()
        assert [each.uri_template for each in listed.resource_templates] == [
            "tur://memory/{id}",
            "tur://conflict/{id}",
            "tur://graph/{id}",
        ]
        old = await call("learn", content=OLD)
        held = await call("learn", content=NEW)
        memory = await read(call, f"tur://memory/{old['digest'][:8]}")
        assert (memory["id"], memory["content"], memory["pending"]) == (old["id"], OLD, [held["conflict_id"]])
        conflict = await read(call, f"tur://conflict/{held['conflict_id']}")
        assert conflict["challenger"]["content"] == NEW
        assert conflict["previews"] == {verb: held["previews"][verb] for verb in conflict["previews"]}
        assert old["digest"] in str(await read(call, f"tur://graph/{old['id']}"))
        for unknown in ("memory/ffffffff", "conflict/ffffffff", "graph/zz"):
            with pytest.raises(MCPError, match=unknown.rpartition("/")[2]):
                await call.client.read_resource(f"tur://{unknown}")


async def test_another_store_in_the_place_of_a_known_one_is_told(store: Path, workdir: Path) -> None:
    async with harness() as call:
        rule = (await call("learn", content="traffic: encrypted", type="core"))["id"]
        with Engine.open(store, actor=ANNA) as people:
            put_in_force(people, rule)
        assert (await call("status"))["warnings"] == []
        store.parent.rename(workdir / "away")
        Engine.init(workdir, actor=ANNA).close()
        [told] = (await call("learn", content=NEW))["warnings"]
        assert told.startswith("this machine knows another ledger at ")
        assert (await call("note", content="hello"))["warnings"] == []
        status = await call("status")
        assert (status["warnings"], status["former"]) == ([told], told)


async def read(call: Harness, uri: str) -> dict[str, Any]:
    [block] = (await call.client.read_resource(uri)).contents
    assert isinstance(block, TextResourceContents)
    assert block.mime_type == "application/json"
    found = json.loads(block.text)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("follow_up", "holds"), [({"supersedes": True}, {NEW}), ({"allow_conflict": True}, {OLD, NEW})]
)
async def test_the_same_learn_with_an_answer_is_a_follow_up(
    follow_up: dict[str, Any], holds: set[str], store: Path
) -> None:
    async with harness() as call:
        await call("learn", content=OLD)
        held = await call("learn", content=NEW)
        if "supersedes" in follow_up:
            follow_up = {"supersedes": [held["conflicting_memory_id"]]}
        again = await call("learn", content=NEW, **follow_up)
        assert again["status"] == "committed"
        found = (await call("recall", query="database"))["memories"]
        assert {item["content"] for item in found} == holds
        assert (await call("list_conflicts"))["total"] == len(holds) - 1


async def test_the_text_names_every_verb_and_the_news(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=OLD)
        held = await call.raw("learn", content=NEW)
        assert "- refute: " in held.content[0].text  # type: ignore[union-attr]
        with Engine.open(store, actor=ANNA) as person:
            person.resolve(call.structured(held)["conflict_id"], Verb.REFUTE, reason="we stay\x1b]0;x\x07"[:7])
        told = (await call.raw("status")).content[0].text  # type: ignore[union-attr]
        assert "People decided since your last call:\n- human:anna" in told


async def test_an_agent_that_comes_back_hears_what_it_missed(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=OLD)
        held = await call("learn", content=NEW)
    with Engine.open(store, actor=ANNA) as person:
        person.resolve(held["conflict_id"], Verb.REFUTE, reason="we stay with Alembic")
    async with harness(speaker="heron") as newcomer:
        assert (await newcomer("status"))["settled"] == []
    async with harness() as call:
        assert [item["reason"] for item in (await call("learn", content="x: y"))["settled"]] == ["we stay with Alembic"]
        assert (await call("status"))["settled"] == []


async def test_learn_waits_for_the_signature_of_a_proposal(store: Path) -> None:
    answer: dict[str, Any] = {}
    async with harness() as call, anyio.create_task_group() as group:

        async def waits() -> None:
            answer.update(await call("learn", content="traffic: encrypted", type="core", wait_seconds=60))

        group.start_soon(waits)
        with Engine.open(store, actor=ANNA) as people:
            while not (pending := people.proposals()):
                await anyio.sleep(0.05)
            await anyio.to_thread.run_sync(put_in_force, people, pending[0].id)
    assert (answer["status"], answer["memory_status"]) == ("resolved", "active")
    assert [item["kind"] for item in answer["settled"]] == ["approved"]


async def test_the_other_side_that_is_held_comes_with_its_text(store: Path) -> None:
    async with harness() as call:
        known = (await call("learn", content=OLD))["id"]
        held = (await call("learn", content=NEW))["id"]
        for tool, arguments in (("recall", {"query": "database"}), ("context", {})):
            result = await call.raw(tool, **arguments)
            [item] = call.structured(result)["memories"]
            assert (item["id"], item["contested"]) == (known, True)
            assert [(side["id"], side["content"], side["status"]) for side in item["other_sides"]] == [
                (held, NEW, "held")
            ]
            assert f"(held): {NEW}" in result.content[0].text  # type: ignore[union-attr]


async def test_recall_of_signs_alone_finds_nothing(store: Path) -> None:
    async with harness() as call:
        await call("learn", content="Use % for modulo")
        assert (await call("recall", query="%"))["memories"] == []
        assert len((await call("recall", query="modulo"))["memories"]) == 1


async def test_context_and_recall_see_from_where_the_harness_started(
    store: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workdir / ".git").mkdir()
    (workdir / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    with Engine.open(store, actor=ANNA) as engine:
        for scope, text in {
            "incarnation": "wide: holds",
            "incarnation@main": "main: holds",
            "incarnation@feat-x": "feature: holds",
            "incarnation:api": "api: holds",
        }.items():
            engine.learn(Draft(content=text, scope=Scope.parse(scope), author=ANNA))
    async with harness() as call:
        assert await contents(call, "context") == {"wide: holds", "main: holds", "api: holds"}
        assert await contents(call, "recall", query="holds") == {"wide: holds", "main: holds", "api: holds"}
        assert "feature: holds" in await contents(call, "recall", query="holds", branch="")
        assert "main: holds" not in await contents(call, "context", branch="feat-x")
        assert await contents(call, "context", path="web") == {"wide: holds", "main: holds"}
        assert (await call.refused("context", path="../up"))["code"] == "bad_input"
        assert (await call.refused("context", budget=3))["code"] == "bad_input"
        stamped = await call("learn", content="stamp: where it was learned")
        with Engine.open(store, actor=ANNA, read_only=True) as engine:
            known = engine.memory(stamped["id"]).memory.provenance
        assert known == {"repository": workdir.name, "branch": "main"}
    async with Client(TurServer(Visit(store, "otter", local=False))) as client:  # served from somewhere
        assert len((await called(client, "context"))["memories"]) == 5


async def contents(call: Harness, tool: str, **arguments: Any) -> set[str]:
    return {item["content"] for item in (await call(tool, **arguments))["memories"]}


async def test_a_session_that_wants_only_errors_hears_no_warnings(store: Path) -> None:
    logged: list[LoggingMessageNotificationParams] = []

    async def log(params: LoggingMessageNotificationParams) -> None:
        logged.append(params)

    async with Client(TurServer(Visit(store, "otter")), mode="legacy", logging_callback=log) as client:
        assert client.server_capabilities.logging is not None
        await called(client, "learn", content=OLD)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            await client.set_logging_level("error")
        assert len((await called(client, "note", content=NEW))["warnings"]) == 1
        assert logged == []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            await client.set_logging_level("info")
        await called(client, "note", content=NEW)
    assert [params.level for params in logged] == ["warning"]


async def test_two_harnesses_speak_in_their_own_names(store: Path) -> None:
    visit = Visit(store, None)
    for name in ("heron", "egret"):
        visit.open(name).learn(Draft(content=f"{name}: was here", author=Author.parse(f"agent:{name}")))
    actors = [str(entry.actor) for entry in visit.open("heron").history()]
    visit.close()
    assert actors == ["human:anna", "agent:heron", "agent:egret"]
