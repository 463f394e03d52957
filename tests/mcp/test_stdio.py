"""`tur-mcp` as a harness starts it: a process, spoken to over standard input and output."""

from __future__ import annotations

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
