"""`propose`: all that an agent may do about an invariant is to ask (CONTRACTS 5)."""

from __future__ import annotations

from tests.mcp.test_server import core, harness, store
from tur_engine.engine import Engine
from tur_engine.records import Author

__all__ = ["core", "store"]

AGAINST = "Service traffic must not use TLS encryption"


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
