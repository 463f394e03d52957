"""`tur-mcp --http` as a process of its own, and clients of the official SDK that speak to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation

PROGRAM = """
import json, os, pathlib, signal, sys
def dump(*_):
    made = pathlib.Path(os.environ["TUR_DUMP"])
    made.with_suffix(".new").write_text(json.dumps(sorted(sys.modules)))
    made.with_suffix(".new").rename(made)
if hasattr(signal, "SIGUSR1"):
    signal.signal(signal.SIGUSR1, dump)
from tur_engine.mcp.__main__ import main
sys.exit(main(["--http", "--port", "0", *sys.argv[1:]]))
"""
LONGEST = 60


@dataclass(frozen=True)
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    url: str
    token: str
    said: str
    store: Path
    dump: Path

    @asynccontextmanager
    async def client(self, agent: str = "otter", **options: Any) -> AsyncIterator[Client]:
        """A client that shows the token and calls itself so."""
        headers = {"Authorization": f"Bearer {self.token}"}
        info = Implementation(name=agent, version="1")
        async with (
            httpx2.AsyncClient(headers=headers, timeout=LONGEST) as http,
            Client(streamable_http_client(self.url, http_client=http), client_info=info, **options) as client,
        ):
            yield client

    def loaded(self) -> set[str]:
        """The modules that the process has loaded by now."""
        import json

        self.process.send_signal(signal.SIGUSR1)
        until = time.monotonic() + LONGEST
        while not self.dump.exists() and time.monotonic() < until:
            time.sleep(0.05)
        return set(json.loads(self.dump.read_text()))


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and return its structured content; `is_error` tells whether it was refused."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult)
    assert isinstance(result.structured_content, dict)
    return result.structured_content | {"is_error": result.is_error}


@contextmanager
def serving(repo_root: Path, store: Path, home: Path, *flags: str) -> Iterator[Served]:
    """Start a server on a free port; stop it at the end."""
    dump = home / "modules.json"
    environment = os.environ | {
        "PYTHONPATH": str(repo_root / "engine"),
        "HOME": str(home),
        "TUR_NO_JUDGE": "1",
        "TUR_DUMP": str(dump),
    }
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "--store", str(store), *flags],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stderr is not None
    try:
        said = ""
        while "kept in" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        url, token = re.search(r"http://\S+", said), re.search(r"token (\S+)", said)
        assert url is not None
        assert token is not None
        yield Served(process, url[0], token[1], said, store, dump)
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        code = process.wait(LONGEST)
        process.stderr.close()
        assert code == 130, rest
        assert "Traceback" not in rest, rest
