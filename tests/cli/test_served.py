"""What recall and context hand out is noted beside the store; `tur show` tells whom the losing side reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_types import TextResourceContents

from tests.cli.conftest import Programs
from tests.mcp.test_server import harness
from tests.standins import install


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def test_show_tells_how_long_and_to_whom(tur: Programs, store: Path) -> None:
    before = tur("learn", "port: 80", "--json").json["id"]
    held = tur("learn", "port: 81", "--on-conflict", "hold", "--json").json["conflict_id"]
    assert "exposed" not in tur("show", held).out
    tur("--as", "otter", "recall", "port", "--session", "s-\x1b]0;x\x07")
    tur("--as", "otter", "context", "--session", "s-2", "--json")
    tur("--as", "heron", "hook", "session-start", stdin=json.dumps({"session_id": "h-7"}).encode())
    shown = tur("show", held).out
    assert "exposed   Open for " in shown
    assert f"{before[:13]} was served 3 times to 3 sessions (" in shown
    assert "heron h-7" in shown
    assert "\x1b" not in shown
    tur("--as", "human:anna", "resolve", held, "supersede", "--reason", "moved")
    assert "exposed   Stood open " in tur("show", held).out
    told = tur("show", held, "--json").json["exposure"]
    assert told["sentence"].startswith("Stood open ")
    (side,) = told["served"]
    assert (side["id"], side["afterwards"], side["marked_afterwards"]) == (before, [], [])
    assert {(each["actor"], each["session"], each["times"]) for each in side["meanwhile"]} >= {
        ("agent:otter", "s-2", 1),
        ("agent:heron", "h-7", 1),
    }
    beside = store.with_name("ledger-served.db")
    assert b"port" not in beside.read_bytes()
    beside.unlink()
    assert tur("show", held, "--json").json["exposure"]["served"] == []


async def test_over_mcp_a_process_is_a_session(tur: Programs, store: Path) -> None:
    before = tur("learn", "port: 80", "--json").json["id"]
    held = tur("learn", "port: 81", "--on-conflict", "hold", "--json").json["conflict_id"]
    async with harness() as call:
        await call("recall", query="port")
        await call("context")
        [block] = (await call.client.read_resource(f"tur://conflict/{held}")).contents
    assert isinstance(block, TextResourceContents)
    told = json.loads(block.text)["exposure"]
    (side,) = told["served"]
    (reader,) = side["meanwhile"]
    assert (side["id"], reader["times"]) == (before, 2)
    assert reader["session"].startswith("mcp-")
