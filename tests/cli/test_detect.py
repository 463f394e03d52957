"""`tur detect` and the MCP tool: the envelope on stdin, the bare payload on stdout, the exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.akashik.conftest import envelope, unit
from tests.cli.conftest import Programs, Ran
from tests.mcp.test_server import harness
from tests.standins import plain_vector
from tur_engine.minds import Minds


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_NO_JUDGE", "1")
    monkeypatch.setattr(Minds, "_embed", lambda self, text: plain_vector(text))


def send(tur: Programs, message: dict[str, Any], *options: str) -> Ran:
    return tur("detect", *options, stdin=json.dumps(message).encode())


def test_record_twice_then_list(tur: Programs, store: Path) -> None:
    for price in (49, 50):
        assert send(tur, envelope("RECORD", **unit({"topic": "lamp", "price": price}))).code == 0
    listed = send(tur, envelope(agent="nobody registered", mode="list"))
    assert (listed.code, listed.err) == (0, "")
    (conflict,) = listed.json["conflicts"]
    assert (conflict["detected_by"], conflict["conflicting_fields"]) == ("mechanical", ["price"])
    assert tur("show", conflict["unit_a"], "--json").json["author"] == "agent:otter"
    strict = send(tur, envelope(mode="list"), "--strict-0.1.0").json["conflicts"]
    assert strict[0]["detected_by"] == "logical"


def test_the_level_is_a_setting(tur: Programs, store: Path) -> None:
    for price in (49, 50):
        send(tur, envelope("RECORD", **unit({"topic": "lamp", "price": price})))
    store.with_name("config.toml").write_text("[akashik]\nlevel = 1\n")
    (conflict,) = send(tur, envelope(mode="list")).json["conflicts"]
    assert "id" not in conflict
    store.with_name("config.toml").write_text("akashik.level = 3\n")
    wrong = send(tur, envelope(mode="list"))
    assert wrong.code == 2
    assert "akashik" in wrong.err


@pytest.mark.parametrize("raw", [b"", b"not json", b"{}"])
def test_what_is_no_message_is_refused_in_the_protocols_words(tur: Programs, store: Path, raw: bytes) -> None:
    ran = tur("detect", stdin=raw)
    assert ran.code == 2
    assert ran.json["code"] == "INVALID_ENVELOPE"
    assert ran.err.startswith("tur: ")


def test_a_bom_before_the_message_is_read_past(tur: Programs, store: Path) -> None:
    ran = tur("detect", stdin=json.dumps(envelope(mode="list")).encode("utf-8-sig"))
    assert (ran.code, ran.json["conflicts"]) == (0, [])


def test_without_a_store_detect_says_so_and_record_founds_one(tur: Programs, home: Path) -> None:
    nowhere = send(tur, envelope(mode="list"))
    assert (nowhere.code, nowhere.json["code"]) == (1, "INTERNAL_ERROR")
    founded = send(tur, envelope("RECORD", **unit("It rains")))
    assert founded.code == 0
    assert "your own was made" in founded.err


async def test_the_mcp_tool_answers_the_same(tur: Programs, store: Path) -> None:
    async with harness() as call:
        recorded = await call("akashik_detect", envelope=envelope("RECORD", **unit("It rains")))
        assert recorded["status"] == "accepted"
        assert (await call("akashik_detect", envelope=envelope(mode="scan")))["scan_coverage"]["units_scanned"] == 1
        refused = await call.refused("akashik_detect", envelope=envelope(mode="find"))
        assert refused["code"] == "INVALID_PAYLOAD"
