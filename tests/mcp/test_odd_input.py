"""Arguments that do not fit, are huge, or contradict each other: one sentence of a bearable length, in our words."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.test_server import ALEMBIC, ANNA, PRISMA, harness, store
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, GraphRefused

__all__ = ["store"]
HUGE = "x" * 1_000_000
WORDS = "a word " * 150_000


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("learn", {"content": "x", "scope": HUGE}),
        ("learn", {"content": "x", "scope": WORDS}),
        ("learn", {"content": "x", "occurred_at": HUGE}),
        ("learn", {"content": "x", "supersedes": [HUGE]}),
        ("learn", {"content": "x", "relations": [{"type": "depends_on", "target": HUGE}]}),
        ("learn", {"content": "x", "fields": {HUGE: "y"}}),
        ("learn", {"content": "x", "fields": {HUGE: []}}),
        ("learn", {"content": "x", "tags": [1] * 50_000}),
        ("learn", {"content": "x", HUGE: 1}),
        ("history", {"id": HUGE}),
        ("resolve_conflict", {"conflict_id": HUGE, "verb": "force", "revision": 1, "reason": "r"}),
        ("propose", {"retires": HUGE, "reason": "r"}),
        ("commit_graph", {"nodes": [{"id": HUGE, "type": HUGE, "content": "x"}]}),
        ("commit_graph", {"edges": [{"source": HUGE, "target": HUGE, "type": HUGE}]}),
        ("akashik_detect", {"envelope": {HUGE: HUGE}}),
    ],
)
async def test_what_is_quoted_of_a_huge_value_is_short(tool: str, arguments: dict[str, Any], store: Path) -> None:
    async with harness() as call:
        result = await call.raw(tool, **arguments)
        assert result.is_error
        assert len(str(result.structured_content)) < 4000
        assert len(str(result.content)) < 4000


async def test_an_unknown_tool_or_resource_is_not_echoed_whole(store: Path) -> None:
    async with harness() as call:
        result = await call.client.call_tool(HUGE, {})
        assert result.is_error
        assert len(str(result.content)) < 1000
        with pytest.raises(Exception, match="Unknown resource") as refused:
            await call.client.read_resource(f"tur://memory/{HUGE}")
        assert len(str(refused.value)) < 1000


def test_a_cut_sentence_keeps_what_is_wrong_and_what_to_do() -> None:
    said = str(BadInput(f"unknown level {HUGE!r}; use one of a, b"))
    assert said.startswith("unknown level 'xxx")
    assert said.endswith("xxx'; use one of a, b")
    faults = [f"fault {number}" for number in range(200)]
    assert str(GraphRefused.of("the graph", faults)).endswith("fault 199")


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("learn", {}, "learn: content: it is missing"),
        ("learn", {"content": None}, "learn: content: it takes a text"),
        ("learn", {"content": "x", "tags": "a"}, "learn: tags: it takes a list"),
        ("learn", {"content": "x", "tags": [1]}, "learn: tags.0: it takes a text"),
        ("learn", {"content": "x", "fields": []}, "learn: fields: it takes an object"),
        (
            "learn",
            {"content": "x", "fields": {"a": []}},
            "learn: fields.a: it takes true or false or a whole number or a number or a text",
        ),
        ("learn", {"content": "x", "dry_run": "perhaps"}, "learn: dry_run: it takes true or false"),
        ("learn", {"content": "x", "confidence": 1.5}, "learn: confidence: it takes 1 or less"),
        ("learn", {"content": "x", "type": "fcat"}, "learn: type: it takes 'fact', 'preference'"),
        ("learn", {"content": "x", "topic": " "}, "topic is empty"),
        ("learn", {"content": "x", "session": "\x00"}, "session holds a control character"),
        ("recall", {"query": "x", "limit": 1.5}, "recall: limit: it takes a whole number"),
        ("introspect", {"seconds": 0}, "introspect: seconds: it takes more than 0"),
        ("context", {"budget": 10**6}, "context: budget: it takes 100,000 or less"),
        ("status", {"x": 1}, "status has no argument x; it takes none"),
        ("learn", {"content": "x", "tags": [1] * 12}, "; 2 more of this kind"),
    ],
)
async def test_what_an_argument_takes_is_said_in_our_words(
    tool: str, arguments: dict[str, Any], says: str, store: Path
) -> None:
    async with harness() as call:
        answer = await call.refused(tool, **arguments)
        assert answer["code"] == "bad_input"
        assert says in answer["message"]
        assert "Input should" not in answer["message"]


async def test_what_belongs_to_another_verb_is_refused_and_not_dropped(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        held = await call("learn", content=PRISMA)
        given = {"conflict_id": held["conflict_id"], "revision": held["revision"], "reason": "r"}
        for verb, more, says in (
            ("supersede", {"text": "Both run"}, "text belongs to merge, not to supersede"),
            ("force", {"side": "incumbent"}, "side and scope belong to scope_branch, not to force"),
            ("merge", {"text": "Both run", "scope": "incarnation:src"}, "not to merge"),
        ):
            assert says in (await call.refused("resolve_conflict", verb=verb, **given, **more))["message"]
        assert (await call("list_conflicts"))["total"] == 1


async def test_a_store_that_is_gone_is_said_and_one_in_its_place_is_opened(store: Path) -> None:
    async with harness() as call:
        await call("learn", content=ALEMBIC)
        away = store.parent.rename(store.parents[1] / "away")
        for tool, arguments in (("recall", {"query": "migrations"}), ("context", {}), ("learn", {"content": PRISMA})):
            assert "is gone: it was moved or removed" in (await call.refused(tool, **arguments))["message"]
        with pytest.raises(Exception, match="is gone"):
            await call.client.read_resource("tur://memory/deadbeef")
        away.rename(store.parent)
        assert len((await call("recall", query="migrations"))["memories"]) == 1

        shutil.rmtree(store.parent)
        Engine.init(store.parents[1], actor=ANNA).close()
        assert (await call("recall", query="migrations"))["memories"] == []
        assert (await call("learn", content=PRISMA))["status"] == "committed"
        assert (await call("status"))["memories"]["active"] == 1
