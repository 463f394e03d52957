"""`propose`: all that an agent may do about an invariant is to ask (CONTRACTS 5)."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import Client, MCPError

from tests.cli.test_place import COMMIT, repository
from tests.govern.signing import RITA, governed
from tests.mcp.test_server import AGAINST, Harness, core, harness, store
from tur_engine.engine import Engine
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit
from tur_engine.records import Author

__all__ = ["core", "store"]


async def test_a_proposal_waits_and_says_who_asks_and_why(core: str) -> None:
    async with harness() as call:
        refused = await call.refused("propose", content=AGAINST, reason="too slow")
        assert refused["status"] == "invariant_violation"
        answer = await call("propose", content=AGAINST, reason="too slow", supersedes=(core,))
        assert answer["status"] == "proposed"
        assert await call("propose", content=AGAINST, supersedes=(core,)) | {"seq": 0, "merkle": 0} == answer | {
            "seq": 0,
            "merkle": 0,
        }
    with Engine.open(actor=Author.parse("human:anna")) as engine:
        [proposal] = engine.proposals()
        assert (proposal.id, proposal.reason) == (answer["proposal_id"], "too slow")
        assert str(proposal.proposed_by) == "agent:otter"
        assert [belief.id for belief in proposal.replaces] == [core]
        assert engine.memory(core).approved


async def test_a_retirement_can_be_asked_for(core: str) -> None:
    async with harness() as call:
        answer = await call("propose", retires=core, reason="no need")
        assert (answer["status"], answer["retires"]["id"]) == ("proposed", core)
        assert (await call.refused("propose", retires=core, reason=" "))["code"] == "bad_input"
        plain = await call("learn", content="The lift works")
        assert (await call.refused("propose", retires=plain["id"], reason="why"))["code"] == "not_allowed"
    with Engine.open(actor=Author.parse("human:anna")) as engine:
        assert engine.memory(core).approved
        assert engine.status().proposals_pending == 1


async def test_a_proposal_says_where_it_was_made_unless_it_was_made_elsewhere(core: str, workdir: Path) -> None:
    repository(workdir)
    told = {}
    for local, text in ((True, "Logs are kept for a year"), (False, "The lift is tested in May")):
        async with Client(TurServer(Visit(None, "otter", local=local))) as client:
            await Harness(client)("propose", content=text)
        with Engine.open(actor=Author.parse("human:anna")) as engine:
            proposals = {each.memory.memory.content: each.memory.memory for each in engine.proposals()}
        told[local] = proposals[text].provenance
    assert told == {True: {"repository": workdir.name, "branch": "feature/x", "commit": COMMIT}, False: {}}


async def test_what_is_no_proposal_is_refused(core: str) -> None:
    async with harness() as call:
        for arguments in (
            {},
            {"content": "x y z", "retires": core},
            {"content": "x", "type": "fact"},
            {"content": "\x00"},
        ):
            assert (await call.refused("propose", **arguments))["code"] == "bad_input"
        refused = await call.refused("propose", content="Logs are kept for a year", supersedes=("ffffffff",))
        assert refused["code"] == "unknown_id"


async def test_what_waits_for_people_is_counted(core: str) -> None:
    with Engine.open(actor=Author.parse("human:anna")) as engine:
        governed(engine).quarantine("agent:otter", RITA, "nonsense")
    async with harness() as call:
        assert (await call("status"))["held_back"] == 0
        await call("learn", content="The lift works")
        await call("propose", content="Logs are kept for a year")
        counts = await call("status")
        assert (counts["held_back"], counts["proposals_pending"], counts["open_conflicts"]) == (1, 1, 0)
        [block] = (await call.raw("status")).content
    assert "1 held for a person; list_conflicts names them" in str(block)


async def test_what_is_told_to_do_is_told_by_the_tools_names(core: str) -> None:
    async with harness() as call:
        plain = (await call("learn", content="The lift works"))["id"]
        refused = await call.refused("propose", retires=plain, reason="old")
        assert "learn with supersedes replaces an ordinary memory" in refused["message"]
        refused = await call.refused("resolve_conflict", conflict_id=plain, verb="refute", revision=1, reason="r")
        assert refused["message"].endswith("list_conflicts lists them")
        with pytest.raises(MCPError, match="list_conflicts lists them"):
            await call.client.read_resource(f"tur://conflict/{plain}")


async def test_a_quarantined_agent_hears_that_a_person_lets_it_in(core: str) -> None:
    with Engine.open(actor=Author.parse("human:anna")) as engine:
        governed(engine).quarantine("agent:otter", RITA, "nonsense")
    async with harness() as call:
        result = await call.raw("learn", content="The lift works")
        held = call.structured(result)
        assert held["status"] == "conflict_detected"
        assert (held["conflicts"], held["suggested_action"], held["resolution_options"]) == ([], "wait", [])
        assert held["warnings"] == ["held for a person: its author agent:otter is quarantined"]
        assert held["warnings"][0] in str(result.content)
        assert f"tur-adm admit {held['id']}" in str(result.content)
        assert "resolve_conflict" not in str(result.content)


async def test_no_secret_comes_in_with_a_proposal(core: str) -> None:
    secret = "the token is ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    async with harness() as call:
        for arguments in (
            {"content": secret},
            {"content": "Logs are kept", "reason": secret},
            {"retires": core, "reason": secret},
        ):
            refused = await call.refused("propose", **arguments)
            assert (refused["code"], "ghp_" in str(refused)) == ("secret_found", False)
        assert (await call("status"))["proposals_pending"] == 0
