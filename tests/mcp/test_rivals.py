"""What agents met with elsewhere (reference/rivals.md, section 3; the numbers are its own), over MCP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mcp.test_reading import read
from tests.mcp.test_server import ANNA, harness
from tests.standins import install
from tur_engine.engine import Engine

V6, V7, V8 = "parser: stands at v6", "parser: stands at v7", "parser: stands at v8"


@pytest.fixture(autouse=True)
def store(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()


def answer_to(held: dict[str, Any], verb: str) -> dict[str, Any]:
    """What an agent that read this answer sends."""
    return {"conflict_id": held["conflict_id"], "revision": held["revision"], "verb": verb, "reason": "as I read it"}


async def test_39_44_45_a_decision_on_an_older_state_is_refused() -> None:
    async with harness(speaker="otter") as a, harness(speaker="heron") as b:
        await a("learn", content=V6)
        held = await a("learn", content=V7)
        assert {"conflict_id", "candidate_id", "conflicting_memory_id", "evidence", "resolution_options"} <= held.keys()
        [seen] = (await b("list_conflicts"))["conflicts"]
        assert seen["conflict_id"] == held["conflict_id"]
        await a("resolve_conflict", **answer_to(held, "supersede"))
        refused = await b.refused("resolve_conflict", **answer_to(seen, "refute"))
        assert (refused["code"], refused["current_revision"] > seen["revision"]) == ("stale_revision", True)


async def test_33_42_every_id_that_is_shown_can_be_asked_for() -> None:
    async with harness() as call:
        old = await call("learn", content=V6)
        held = await call("learn", content=V7)
        await call("resolve_conflict", **answer_to(held, "supersede"))
        shown = {old["id"], held["id"], held["candidate_id"], held["conflicting_memory_id"]}
        for ref in shown | {held["conflict_id"]}:
            assert (await call("history", id=ref))["events"]
        assert {(await read(call, f"tur://memory/{ref}"))["content"] for ref in shown} == {V6, V7}
        assert (await read(call, f"tur://memory/{old['id']}"))["status"] == "superseded"
        text = (await call("context"))["text"]
        prefix = text.rpartition("[")[2].removesuffix("]")
        assert (await read(call, f"tur://memory/{prefix}"))["content"] == V7


async def test_43_46_47_a_clash_shows_at_once_and_a_dismissed_one_stays_away() -> None:
    async with harness() as call:
        await call("learn", content=V6)
        held = await call("learn", content=V7)
        [item] = (await call("recall", query="parser"))["memories"]
        assert (item["contested"], item["conflict_id"]) == (True, held["conflict_id"])
        assert "(contested)" in (await call.raw("recall", query="parser")).content[0].text  # type: ignore[union-attr]
        await call("resolve_conflict", **answer_to(held, "dismiss"))
    async with harness() as again:
        assert (await again("learn", content=V7))["status"] == "duplicate"
        assert (await again("list_conflicts"))["total"] == 0


async def test_54_55_branches_do_not_meet() -> None:
    async with harness(speaker="otter") as a, harness(speaker="heron") as b:
        assert (await a("learn", content=V7, scope="incarnation@a"))["status"] == "committed"
        assert (await b("learn", content=V8, scope="incarnation@b"))["status"] == "committed"
        for call, branch, text in ((a, "a", V7), (b, "b", V8)):
            found = await call("recall", query="parser", branch=branch)
            assert [item["content"] for item in found["memories"]] == [text]
        assert (await a("recall", query="parser", branch="main"))["memories"] == []
