"""Streamable HTTP on the loopback address: the story, who is turned away, what people decide meanwhile."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import shake_256
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client
from mcp_types import LoggingMessageNotificationParams

from tests.govern.test_privileges import SIGNING
from tests.mcp import story
from tests.mcp.serving import Served, called, serving
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, TurError
from tur_engine.mcp import bearer
from tur_engine.mcp.__main__ import main
from tur_engine.records import Verb

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of this file; each speaks of something else."""
    root, home = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("home")
    Engine.init(root, actor=story.ANNA).close()
    store = root / ".tur" / "ledger.db"
    story.lay_down(store)
    with serving(repo_root, store, home) as running:
        yield running


@pytest.fixture
def people(served: Served) -> Iterator[Engine]:
    with Engine.open(served.store, actor=story.ANNA) as engine:
        yield engine


async def test_the_seeds_story(served: Served) -> None:
    logged: list[LoggingMessageNotificationParams] = []

    async def log(params: LoggingMessageNotificationParams) -> None:
        logged.append(params)

    async with served.client(logging_callback=log, log_level="warning") as client:
        warned = await story.told(client)
    assert [params.level for params in logged] == ["warning"] * warned
    assert SIGNING & served.loaded() == set()
    assert "tur_engine.engine" in served.loaded()


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}


@pytest.mark.parametrize(
    ("token", "headers", "code"),
    [
        (None, {}, 401),
        ("not-the-token-at-all", {}, 401),
        (True, {"Origin": "http://evil.example"}, 403),
        (True, {"Origin": "null"}, 403),
        (True, {"Host": "evil.example"}, 421),
        (True, {"Origin": "own"}, 200),
        (True, {}, 200),
    ],
)
async def test_who_is_turned_away(served: Served, token: Any, headers: dict[str, str], code: int) -> None:
    own = served.url.removesuffix("/mcp")
    sent = {name: value.replace("own", own) for name, value in headers.items()}
    sent["Accept"] = "application/json, text/event-stream"
    if token is not None:
        sent["Authorization"] = f"Bearer {served.token if token is True else token}"
    async with httpx2.AsyncClient() as http:
        for modern in ({}, {"MCP-Protocol-Version": "2026-07-28"}) if code != 200 else ({},):
            answer = await http.post(served.url, json=HELLO, headers=sent | modern)
            assert answer.status_code == code, answer.text
    if code == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer")
        told = answer.json()
        assert told["error"] == "invalid_token"
        assert "mcp-token in tur-tui's state folder" in told["error_description"]
        assert served.token not in answer.text


def calling(id: int | str, method: str, **params: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


HALVED = calling(5, "tools/call", name="learn", arguments={"content": "A \ud800 b"})


@pytest.mark.parametrize(
    ("body", "status", "id", "code"),
    [
        (HALVED, 200, 5, "bad_input"),
        (calling("six", "resources/read", uri="tur://memory/\udfff"), 400, "six", -32602),
        (calling("\ud800", "ping"), 400, None, -32700),
        (HALVED[:-1], 400, None, -32700),
        ("{not json", 400, None, -32700),
        ("", 400, None, -32700),
        (b"\xff\xfe", 400, None, -32700),
        ("[" * 100_000, 400, None, -32700),
        ('{"a": 1}', 400, None, -32600),
        ("[1, 2]", 400, None, -32600),
        ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', 400, None, -32600),
        ('{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": []}', 400, 7, -32600),
    ],
)
async def test_a_body_that_is_no_message_is_answered_as_a_line_is(
    served: Served, body: str | bytes, status: int, id: int | str | None, code: int | str
) -> None:
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {served.token}",
    }
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        hello = await http.post(served.url, json=HELLO)
        session = {"mcp-session-id": hello.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}
        answer = await http.post(served.url, content=body, headers=session)
        nobody = await http.post(
            served.url, content=body, headers=session | {"Authorization": "Bearer of-nothing-at-all"}
        )
    assert nobody.status_code == 401
    told = answer.json()
    assert (answer.status_code, told["id"]) == (status, id)
    found = told["error"]["code"] if "error" in told else told["result"]["structuredContent"]["code"]
    assert found == code
    assert len(answer.text) < 1000


async def test_half_of_a_character_in_the_newest_protocol(served: Served) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {served.token}",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "recall",
    }
    body = calling(9, "tools/call", name="recall", arguments={"query": "\ud800"}, _meta=meta)
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        told = (await http.post(served.url, content=body)).json()
    assert told["id"] == 9
    assert told["result"]["isError"]
    assert told["result"]["structuredContent"]["code"] == "bad_input"


async def test_it_listens_on_this_machine_alone(served: Served) -> None:
    port = int(served.url.rsplit(":", 1)[1].removesuffix("/mcp"))
    assert served.url.startswith("http://127.0.0.1:")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        other.bind(("127.0.0.2", port))  # a server on every address would hold this one too


async def test_what_people_decide_is_told_once_to_each_session(served: Served, people: Engine) -> None:
    async with (
        served.client("heron") as heron,
        served.client("heron", mode="legacy") as twin,  # a session of its own, by its header
        served.client("egret") as egret,
    ):
        await called(heron, "learn", content="The office lies in Turin", topic="office", fields={"city": "Turin"})
        held = await called(
            heron, "learn", content="The office lies in Porto", topic="office", fields={"city": "Porto"}
        )
        assert (held["status"], held["settled"]) == ("conflict_detected", [])
        for client in (twin, egret):
            assert (await called(client, "note", content="hello"))["settled"] == []
        people.resolve(held["conflict_id"], Verb.REFUTE, reason="the lease says Turin")
        for client in (heron, twin, egret):
            [news] = (await called(client, "status"))["settled"]
            assert (news["actor"], news["reason"], news["kind"]) == ("human:anna", "the lease says Turin", "resolved")
            assert news["at"].endswith("Z")
            assert (await called(client, "status"))["settled"] == []


async def test_learn_waits_for_people_and_holds_nobody_up(served: Served, people: Engine) -> None:
    answer: dict[str, Any] = {}
    bruno = {"content": "The release lead is Bruno", "topic": "release", "fields": {"lead": "Bruno"}}
    async with served.client("plover") as client:
        await called(client, "learn", content="The release lead is Alma", topic="release", fields={"lead": "Alma"})
        tired = await called(client, "learn", **bruno, wait_seconds=0.3)
        assert (tired["status"], tired["waited"]["decided"]) == ("conflict_detected", False)

        async def waits() -> None:
            answer.update(await called(client, "learn", **bruno, wait_seconds=50))

        async with anyio.create_task_group() as group:
            group.start_soon(waits)
            with anyio.fail_after(20):
                await called(client, "status")  # goes on meanwhile
            assert answer == {}
            decide = partial(people.resolve, tired["conflict_id"], Verb.SUPERSEDE, reason="Bruno took over")
            await anyio.to_thread.run_sync(decide)
    assert (answer["status"], answer["memory_status"], answer["state"]) == ("resolved", "active", "resolved")
    assert answer["settlement"]["reason"] == "Bruno took over"
    assert [item["reason"] for item in answer["settled"]] == ["Bruno took over"]


async def eight(served: Served, each: int) -> list[float]:
    """Eight clients learn at once; every one of their memories is in the store. Returns the seconds of each call."""
    took: list[float] = []

    async def learns(client: Client, bird: str) -> None:
        for number in range(each):
            began = time.monotonic()
            words = shake_256(f"{bird}{number}".encode()).hexdigest(16)  # about nothing, so that nothing clashes
            text = f"{bird} {words[:8]} {words[8:20]} {words[20:]}"
            learned = await called(client, "learn", content=text, allow_conflict=True)
            took.append(time.monotonic() - began)
            assert learned["status"] == "committed", learned

    before = await counted(served)
    async with anyio.create_task_group() as group:

        async def works(bird: str) -> None:
            async with served.client(bird) as client:
                await learns(client, bird)

        for bird in ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"):
            group.start_soon(works, bird)
    assert await counted(served) - before == len(took) == 8 * each
    return sorted(took)


async def counted(served: Served) -> int:
    async with served.client("census") as client:
        return int((await called(client, "status"))["memories"]["active"])


async def test_eight_clients_at_once_lose_nothing(served: Served) -> None:
    await eight(served, 3)


@pytest.mark.soak
async def test_five_thousand_learns_lose_nothing(served: Served) -> None:
    took = await eight(served, 625)
    told = {f"p{part}": round(took[len(took) * part // 100] * 1000) for part in (50, 95, 99)}
    print(f"\n{len(took)} learns, milliseconds {told}, slowest {took[-1] * 1000:.0f}")


def test_the_token_is_kept_for_this_user_alone(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    made = bearer.token()
    assert made.fresh
    assert bearer.token() == bearer.Token(made.text, made.source)
    file = Path(made.source)
    assert file.is_relative_to(home)
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
        file.chmod(0o640)
        with pytest.raises(TurError, match="read by others"):
            bearer.token()
    monkeypatch.setenv(bearer.VARIABLE, "short")
    with pytest.raises(BadInput, match="16 or more"):
        bearer.token()
    monkeypatch.setenv(bearer.VARIABLE, "0123456789abcdef")
    assert bearer.token() == bearer.Token("0123456789abcdef", bearer.VARIABLE)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda file: file.symlink_to("nowhere"), "is a link that leads nowhere"),
        (lambda file: file.mkdir(), "is no plain file"),
        (lambda file: (file.touch(0o600), file.write_bytes(bytes(range(256)))), "holds no token, but other bytes"),
    ],
)
def test_a_token_file_that_is_none_is_one_sentence(
    made: Callable[[Path], object], said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = bearer.place()
    file.parent.mkdir(parents=True, exist_ok=True)
    made(file)
    assert main(["--http", "--port", "0"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"tur-mcp: the token file {file} {said}")
    assert told.endswith("; remove it for a new token, or set TUR_MCP_TOKEN\n")
    assert told.count("\n") == 1


def test_a_port_in_use_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["--http", "--port", port]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        f"tur-mcp: port {port} on 127.0.0.1 is in use; give another with --port, or 0 for a free one\n",
    )


@pytest.mark.parametrize("options", ["--port 80", "--http --port x", "--http --port 65536", "--htp", "--http extra"])
def test_a_bad_option_is_one_sentence(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options.split())
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith("tur-mcp: ")
