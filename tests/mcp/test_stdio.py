"""`tur-mcp` as a harness starts it: a process, spoken to over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import LoggingMessageNotificationParams

from tests.mcp import story
from tur_engine.cli import __main__ as tur
from tur_engine.mcp.__main__ import main, parser
from tur_engine.mcp.server import TurServer
from tur_engine.mcp.visit import Visit
from tur_engine.version import __version__


def started(repo_root: Path, workdir: Path, home: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tur_engine.mcp", "--as", "otter"],
        cwd=workdir,
        env={"PYTHONPATH": f"{repo_root / 'engine'}", "HOME": str(home), "TUR_NO_JUDGE": "1"},
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_seeds_story_in_one_follow_up_call(
    mode: str, repo_root: Path, workdir: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tur.main(["init"]) == 0
    story.lay_down(workdir / ".tur" / "ledger.db")
    logged: list[LoggingMessageNotificationParams] = []

    async def log(params: LoggingMessageNotificationParams) -> None:
        logged.append(params)

    parameters = started(repo_root, workdir, home)
    async with Client(parameters, mode=mode, logging_callback=log, log_level="warning") as client:
        warned = await story.told(client)
    assert [params.level for params in logged] == ["warning"] * warned
    capsys.readouterr()
    assert tur.main(["verify"]) == 0


def test_the_version_needs_no_sdk(repo_root: Path) -> None:
    program = (
        "import sys; from tur_engine.mcp.__main__ import main; code = main(['--version']); "
        "assert not {'mcp', 'pydantic', 'tur_engine.engine'} & set(sys.modules), sys.modules.keys(); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(repo_root / "engine")},
    )
    assert (done.returncode, done.stdout) == (0, f"tur-mcp {__version__} (tur-tui)\n"), done.stderr


@pytest.mark.slow
def test_it_ends_quietly_when_the_harness_closes_its_input(repo_root: Path, workdir: Path, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tur_engine.mcp"],
        input=b"",
        capture_output=True,
        check=False,
        timeout=30,
        cwd=workdir,
        env={"PYTHONPATH": str(repo_root / "engine"), "HOME": str(home)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (home / ".tur").exists()


def spoken(repo_root: Path, workdir: Path, home: Path, said: bytes, *flags: str) -> tuple[list[Any], str]:
    """Say lines to the server; what it answers, line by line, and what stands on stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "tur_engine.mcp", *flags],
        input=said,
        capture_output=True,
        check=False,
        timeout=30,
        cwd=workdir,
        env={"PYTHONPATH": str(repo_root / "engine"), "HOME": str(home)},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"x","version":"1"}}}\n'
)


@pytest.mark.slow
def test_a_line_that_is_no_message_is_answered_and_passed_over(repo_root: Path, workdir: Path, home: Path) -> None:
    said = b"{not json\n\n" + b'{"a": 1}\n' + b"\xff\xfe\n" + b"\xef\xbb\xbf" + HELLO + b"after\n"
    answers, stderr = spoken(repo_root, workdir, home, said)
    errors = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert sorted(errors) == [-32700, -32700, -32700, -32600]
    assert [answer["id"] for answer in answers if answer["id"] is not None] == [1]
    assert stderr.count("tur-mcp: WARNING: the line is not JSON; it was passed over") == 3
    assert "Traceback" not in stderr


@pytest.mark.slow
def test_a_request_that_is_wrongly_built_is_answered_by_its_id(repo_root: Path, workdir: Path, home: Path) -> None:
    calls = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}\n{"id":"x","method":"ping"}\n'
    answer = b'{"jsonrpc":"2.0","id":8}\n'
    nameless = b"".join(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\n' % id for id in (b"null", b"true", b"[]", b"1.5"))
    answers, _ = spoken(repo_root, workdir, home, HELLO + calls + answer + nameless)
    assert [said["id"] for said in answers].count(None) == 5
    told = {said["id"]: said for said in answers}
    assert told.keys() == {1, 7, "x", None}
    assert {told[id]["error"]["code"] for id in (7, "x", None)} == {-32600}


@pytest.mark.slow
def test_half_of_a_character_is_bad_input_to_whoever_sent_it(repo_root: Path, workdir: Path, home: Path) -> None:
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    call = (
        b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"learn","arguments":{"text":"A \\ud800 b"}}}\n'
    )
    other = b'{"jsonrpc":"2.0","id":"six","method":"resources/read","params":{"uri":"tur://\\udfff"}}\n'
    nameless = b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}\n'
    answers, stderr = spoken(repo_root, workdir, home, HELLO + ready + call + other + nameless)
    told = {answer["id"]: answer for answer in answers}
    assert told.keys() == {1, 5, "six", None}
    assert told[5]["result"]["isError"]
    assert told[5]["result"]["structuredContent"]["code"] == "bad_input"
    assert told["six"]["error"]["code"] == -32602
    assert "lone surrogate" in told["six"]["error"]["message"]
    assert told[None]["error"]["code"] == -32700
    assert "Traceback" not in stderr


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--as", "human:anna"], "what speaks here is a program, not human:anna"),
        (["--as", "system:x"], "what speaks here is a program"),
        (["--as", ""], "author name is empty"),
        (["--as", "agent:"], "author name is empty"),
        (["--store", ""], "--store is empty"),
    ],
)
def test_a_name_or_store_that_cannot_be_is_refused(
    flags: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(flags)
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert parser().parse_args(["--as", "agent:otter"]).speaker == "agent:otter"


@pytest.mark.slow
def test_a_store_that_is_not_there_is_said_at_the_start(repo_root: Path, workdir: Path, home: Path) -> None:
    answers, stderr = spoken(repo_root, workdir, home, HELLO, "--store", str(workdir / "nowhere"))
    assert [answer["id"] for answer in answers] == [1]
    assert stderr.startswith(f"tur-mcp: there is no store at {workdir / 'nowhere'}")


@pytest.mark.slow
def test_closed_streams_are_named(repo_root: Path, workdir: Path, home: Path) -> None:
    for closed in ("<&-", ">&-"):
        done = subprocess.run(
            ["sh", "-c", f'exec "$0" -m tur_engine.mcp {closed}', sys.executable],
            capture_output=True,
            check=False,
            timeout=30,
            cwd=workdir,
            env={"PYTHONPATH": str(repo_root / "engine"), "HOME": str(home)},
        )
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.startswith(b"tur-mcp: a harness speaks to it")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_only_what_is_there_is_announced(mode: str, workdir: Path) -> None:
    async with Client(TurServer(Visit(None, "otter")), mode=mode) as client:
        told = client.server_capabilities
        assert told.prompts is None
        assert told.tools is not None
        assert not told.tools.list_changed
        assert told.resources is not None
        assert {told.resources.subscribe, told.resources.list_changed} <= {None, False}
        with pytest.raises(MCPError, match="Method not found"):
            await client.get_prompt("any")
