"""The official inspector's command line lists the tools and calls one; skipped where npm does not have it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.test_server import TOOLS
from tur_engine.engine import Engine
from tur_engine.records import Author

PACKAGE = "@modelcontextprotocol/inspector"
CACHE = str(Path.home() / ".npm")
"""npm's cache, looked up before a test gets a home of its own."""


@pytest.mark.slow
def test_the_inspector_lists_and_calls_without_complaint(repo_root: Path, workdir: Path, home: Path) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("there is no npx")
    Engine.init(workdir, actor=Author.parse("human:anna")).close()
    environment = os.environ | {
        "PYTHONPATH": str(repo_root / "engine"),
        "HOME": str(home),
        "npm_config_cache": CACHE,
        "npm_config_update_notifier": "false",
    }

    def inspected(*words: str) -> dict[str, Any]:
        server = [sys.executable, "-m", "tur_engine.mcp", "--store", str(workdir)]
        done = subprocess.run(
            [npx, "--offline", "--yes", PACKAGE, "--cli", *server, *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            cwd=home,
            env=environment,
        )
        if "ENOTCACHED" in done.stderr:
            pytest.skip(f"npm has no {PACKAGE}; npx {PACKAGE} once fetches it")
        assert (done.returncode, done.stderr) == (0, "")
        found = json.loads(done.stdout)
        assert isinstance(found, dict)
        return found

    learning = ("tools/call", "--tool-name", "learn", "--tool-arg", "content=The logo is blue")
    with ThreadPoolExecutor() as pool:
        listed, called = pool.map(lambda words: inspected("--method", *words), [("tools/list",), learning])
    assert {tool["name"] for tool in listed["tools"]} == TOOLS
    assert (called["isError"], called["structuredContent"]["status"]) == (False, "committed")
