"""The server in this process: every tool, every outcome, every refusal, through the SDK's own client."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from tests.govern.signing import put_in_force
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit
from tur_engine.records import Author, AuthorKind, Draft, MemoryType, Verb

ALEMBIC = "database migrations: run via Alembic"
PRISMA = "database migrations: run via Prisma Migrate"
TLS, AGAINST = "service traffic: encrypted", "service traffic: in the clear"
ANNA = Author(kind=AuthorKind.HUMAN, name="anna")
TOOLS = {
    *("learn", "note", "propose", "recall", "context", "list_conflicts", "resolve_conflict", "history", "status"),
    *("check_action", "akashik_detect", "introspect", "commit_graph"),
}


class Harness:
    """Calls tools and unpacks their answers."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.raw(tool, **arguments)
        assert not result.is_error, result.content
        return self.structured(result)

    async def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.raw(tool, **arguments)
        assert result.is_error
        return self.structured(result)

    async def raw(self, tool: str, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        [block] = result.content
        assert isinstance(block, TextContent)
        assert block.text
        return result

    @staticmethod
    def structured(result: CallToolResult) -> dict[str, Any]:
        assert isinstance(result.structured_content, dict)
        return result.structured_content


@asynccontextmanager
async def harness(store: Path | None = None, speaker: str | None = "otter") -> AsyncIterator[Harness]:
    async with Client(TurServer(Visit(store, speaker))) as client:
        yield Harness(client)


@pytest.fixture
def store(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()
    return workdir / ".tur" / "ledger.db"


@pytest.fixture
def core(store: Path) -> str:
    """An approved core memory."""
    with Engine.open(store, actor=ANNA) as engine:
        draft = Draft(content=TLS, type=MemoryType.CORE, author=ANNA)
        proposed = engine.learn(draft)
        assert proposed.digest is not None
        assert proposed.id is not None
        put_in_force(engine, proposed.proposal_id or "")
    return proposed.id


async def test_the_tools_are_the_contracts_and_say_what_they_do(store: Path) -> None:
    async with harness() as call:
        listed = (await call.client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS
    for tool in listed:
        assert tool.description
        assert tool.annotations is not None
    verbs = next(tool for tool in listed if tool.name == "resolve_conflict").input_schema
    assert set(verbs["required"]) == {"conflict_id", "verb", "revision", "reason"}
    assert "approve" not in str(verbs)


async def test_a_conflict_is_a_result_settled_by_one_more_call(store: Path) -> None:
    async with harness() as call:
        assert (await call("learn", content=ALEMBIC))["status"] == "committed"
        held = await call("learn", content=PRISMA)
        assert held["status"] == "conflict_detected"
        assert held["existing_content"] == ALEMBIC
        assert held["resolution_options"][:4] == ["supersede", "refute", "scope_branch", "abort"]
        done = await call(
            "resolve_conflict",
            conflict_id=held["conflict_id"],
            verb="supersede",
            revision=held["revision"],
            reason="moved to Prisma",
        )
        assert done["status"] == "resolved"
        assert [item["content"] for item in (await call("recall", query="migrations"))["memories"]] == [PRISMA]
        events = (await call("history"))["events"]
        assert [event["kind"] for event in events] == ["founded", "learned", "held", "resolved"]
        assert events[1]["actor"] == "agent:otter"
        assert events[3]["reason"] == "moved to Prisma"


async def test_the_short_text_tells_the_model_its_next_call(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        result = await call.raw("learn", content=PRISMA)
        [block] = result.content
        assert isinstance(block, TextContent)
        assert "TMS Contradiction Detected" in block.text
        assert "resolve_conflict(" in block.text
        assert ALEMBIC in block.text


async def test_allow_conflict_commits_and_marks_both(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        committed = await call("learn", content=PRISMA, allow_conflict=True)
        assert committed["status"] == "committed"
        assert len(committed["conflicts"]) == 1
        memories = (await call("recall", query="migrations"))["memories"]
        assert [item["contested"] for item in memories] == [True, True]
        assert (await call("list_conflicts"))["total"] == 1


async def test_a_dry_run_writes_nothing(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        assert (await call("learn", content=PRISMA, dry_run=True))["status"] == "conflict_detected"
        allowed = await call("learn", content=PRISMA, dry_run=True, allow_conflict=True)
        assert (allowed["status"], len(allowed["conflicts"])) == ("committed", 1)
        assert (await call("status"))["head"]["size"] == 2


async def test_duplicates_and_proposals_are_results(store: Path) -> None:
    async with harness() as call:
        first = await call("learn", content=ALEMBIC)
        again = await call("learn", content=ALEMBIC)
        assert (again["status"], again["duplicate_of"]) == ("duplicate", first["id"])
        proposed = await call("learn", content="Never log passwords", type="axiom")
        assert proposed["status"] == "proposed"
        assert proposed["proposal_id"].startswith("proposal-")


async def test_an_invariant_clash_is_an_error_whatever_the_flags(core: str) -> None:
    async with harness() as call:
        answer = await call.refused("learn", content=AGAINST, allow_conflict=True, supersedes=[core])
        assert answer["status"] == "invariant_violation"
        assert answer["conflicting_memory_id"] == core
        assert answer["error"].startswith("[Invariant Memory Error]: Assertion contradicts Invariant Memory 'core-")
        call_for_it = f"propose(content=..., reason=..., supersedes=[{core!r}])"
        assert call_for_it in answer["how_to_propose"]
        assert call_for_it in (await call.raw("learn", content=AGAINST)).content[0].text  # type: ignore[union-attr]
        assert (await call("status"))["invariants"] == 1


async def test_a_stale_revision_is_an_error_with_the_current_one(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        held = await call("learn", content=PRISMA)
        answer = await call.refused(
            "resolve_conflict", conflict_id=held["conflict_id"], verb="refute", revision=0, reason="old"
        )
        assert answer["code"] == "stale_revision"
        assert answer["current_revision"] == held["revision"]


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("learn", {}, "content"),
        ("learn", {"content": ""}, "content is empty"),
        ("learn", {"content": "a\x1b]0;x\x07"}, "control character"),
        ("learn", {"content": "x" * 9000}, "at most 8,192"),
        ("learn", {"content": 5}, "content"),
        ("learn", {"content": "x", "type": "fcat"}, "type"),
        ("learn", {"content": "x", "scope": "user:../up"}, "leaves the store"),
        ("learn", {"content": "x", "fields": {"n": 2**60}}, "2^53-1"),
        ("learn", {"content": "x", "fields": {"n": [1]}}, "fields"),
        ("learn", {"content": "x", "relations": [{"type": "depends_on"}]}, "type and target"),
        ("learn", {"content": "x", "supersedes": ["fact-ffffffff"]}, "ffffffff"),
        ("learn", {"content": "x", "confidence": 2}, "confidence"),
        ("learn", {"content": "x", "occurred_at": "soon"}, "not a date"),
        ("learn", {"content": "x", "contnet": "y"}, "no argument contnet"),
        ("note", {"content": " "}, "note is empty"),
        ("recall", {"query": ""}, "query is empty"),
        ("recall", {"query": "x", "limit": 0}, "limit"),
        ("history", {"id": "fact-ffffffff"}, "ffffffff"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "refute", "revision": 1, "reason": "r"}, "zz"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "approve", "revision": 1, "reason": ""}, "verb"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "merge", "revision": 1, "reason": ""}, "needs text"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "scope_branch", "revision": 1, "reason": ""}, "needs side"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "refute", "reason": ""}, "revision"),
        ("resolve_conflict", {"conflict_id": "zz", "verb": "refute", "revision": 1, "reason": " "}, "reason is empty"),
        (
            "resolve_conflict",
            {
                **{"conflict_id": "zz", "verb": "scope_branch", "revision": 1, "reason": "r"},
                **{"side": "incumbent", "scope": "incarnation"},
            },
            "give scope as level:path or level@branch",
        ),
        ("check_action", {"text": " "}, "text is empty"),
    ],
)
async def test_bad_input_is_an_error_with_structure(
    tool: str, arguments: dict[str, Any], says: str, store: Path
) -> None:
    async with harness() as call:
        answer = await call.refused(tool, **arguments)
        assert answer["status"] == "error"
        assert says in answer["message"]
        assert (await call("status"))["head"]["size"] == 1


async def test_text_that_looks_like_json_stays_text(store: Path) -> None:
    async with harness() as call:
        learned = await call("learn", content='["a", "b"]', topic='["c"]')
        assert learned["status"] == "committed"
        assert (await call("recall", query="a b"))["memories"][0]["content"] == '["a", "b"]'


async def test_without_a_store_reading_says_so_and_learning_founds_one(workdir: Path, home: Path) -> None:
    async with harness() as call:
        assert (await call.refused("recall", query="x"))["code"] == "no_store"
        learned = await call("learn", content=ALEMBIC)
        assert str(home / ".tur" / "ledger.db") in learned["warnings"][0]
        assert (await call("learn", content="The logo is blue"))["warnings"] == []


async def test_what_people_decided_since_comes_with_the_next_answer(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        held = await call("learn", content=PRISMA)
        assert held["settled"] == []
        with Engine.open(store, actor=ANNA) as person:
            person.resolve(held["conflict_id"], Verb.REFUTE, reason="we stay with Alembic")
        [news] = (await call("status"))["settled"]
        assert (news["actor"], news["reason"]) == ("human:anna", "we stay with Alembic")
        assert (await call("status"))["settled"] == []


async def test_what_an_agent_may_not_decide_goes_to_people(store: Path) -> None:
    with Engine.open(store, actor=ANNA) as person:
        person.learn(Draft(content=ALEMBIC, author=ANNA))
    async with harness() as call:
        held = await call("learn", content=PRISMA)
        result = await call.raw(
            "resolve_conflict",
            conflict_id=held["conflict_id"],
            verb="supersede",
            revision=held["revision"],
            reason="newer",
        )
        assert call.structured(result)["status"] == "escalated"
        assert (await call("recall", query="migrations"))["memories"][0]["content"] == ALEMBIC
        assert "a person decides now. Wait for that" in str(result.content)


async def test_a_bad_conflict_mode_in_the_environment_stops_nothing(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", "nonsense")
    async with harness() as call:
        assert (await call("learn", content=ALEMBIC))["status"] == "committed"
        assert len((await call("recall", query="migrations"))["memories"]) == 1
        assert (await call("learn", content=PRISMA))["status"] == "conflict_detected"


async def test_a_note_warns_and_is_no_memory(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        noted = await call("note", content=PRISMA, session="s1")
        assert len(noted["warnings"]) == 1
        assert (await call("status"))["memories"]["active"] == 1


async def test_the_harness_names_the_speaker_and_cannot_be_a_person(store: Path) -> None:
    async with harness(speaker=None) as call:
        await call("learn", content=ALEMBIC)
        author = (await call("history"))["events"][1]["actor"]
    assert author.startswith("agent:")
    async with harness(speaker="human:anna") as call:
        await call("learn", content="The logo is blue")
        assert (await call("history"))["events"][2]["actor"] == "agent:anna"


async def test_an_unknown_tool_is_refused_as_other_bad_input_is(store: Path) -> None:
    async with harness() as call:
        answer = await call.refused("approve", proposal="x")
        assert (answer["status"], answer["code"]) == ("error", "bad_input")
        assert answer["message"].startswith("there is no tool approve; there are akashik_detect, check_action, ")
        assert answer["settled"] == []


async def test_a_fault_is_a_result_without_its_innards(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Engine, "status", broken)
    async with harness() as call:
        answer = await call.refused("status")
        assert answer["code"] == "internal"
        assert "secret" not in str(answer)
