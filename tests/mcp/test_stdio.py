"""`tur-mcp` as a harness starts it: a process, spoken to over standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, LoggingMessageNotificationParams

from tur_engine.cli import __main__ as tur
from tur_engine.version import __version__

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"


def started(repo_root: Path, workdir: Path, home: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tur_engine.mcp", "--as", "otter"],
        cwd=workdir,
        env={"PYTHONPATH": f"{repo_root / 'engine'}", "HOME": str(home)},
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_seeds_story_in_one_follow_up_call(
    mode: str, repo_root: Path, workdir: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tur.main(["init"]) == 0
    logged: list[LoggingMessageNotificationParams] = []

    async def log(params: LoggingMessageNotificationParams) -> None:
        logged.append(params)

    parameters = started(repo_root, workdir, home)
    async with Client(parameters, mode=mode, logging_callback=log, log_level="warning") as client:

        async def call(tool: str, **arguments: Any) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert isinstance(result, CallToolResult)
            assert not result.is_error, result.content
            assert isinstance(result.structured_content, dict)
            return result.structured_content

        await call("learn", content=ALEMBIC)
        held = await call("learn", content=PRISMA)
        assert held["status"] == "conflict_detected"
        done = await call(
            "resolve_conflict",
            conflict_id=held["conflict_id"],
            verb="supersede",
            revision=held["revision"],
            reason="moved to Prisma",
        )
        assert done["status"] == "resolved"
        assert [item["content"] for item in (await call("recall", query="migrations"))["memories"]] == [PRISMA]
        noted = await call("note", content="migrations run via Alembic only")
    assert len(logged) == len(noted["warnings"])
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
    said = b"{not json\n\n" + b'{"a": 1}\n' + b"\xff\xfe\n" + HELLO + b"after\n"
    answers, stderr = spoken(repo_root, workdir, home, said)
    errors = [answer["error"]["code"] for answer in answers if answer["id"] is None]
    assert sorted(errors) == [-32700, -32700, -32700, -32600]
    assert [answer["id"] for answer in answers if answer["id"] is not None] == [1]
    assert stderr.count("tur-mcp: WARNING: the line is not JSON; it was passed over") == 3
    assert "Traceback" not in stderr


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
