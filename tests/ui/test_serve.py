"""`tur-tui serve`: who is let in, and that a tab can look but not decide."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.ui.stores import PAIRS, kinds, store
from tur_tui.serve import ADDRESS, Pages, command

pytest.importorskip("textual_serve", reason="the extra `serve` is not installed")

import aiohttp


@asynccontextmanager
async def served(*words: str) -> AsyncIterator[tuple[Pages, aiohttp.ClientSession]]:
    from aiohttp import web

    listener = socket.create_server((ADDRESS, 0))
    pages = Pages(words, listener.getsockname()[1])
    runner = web.AppRunner(pages.application())
    await runner.setup()
    await web.SockSite(runner, listener).start()
    try:
        async with aiohttp.ClientSession() as client:
            yield pages, client
    finally:
        await runner.cleanup()


async def test_only_our_own_page_with_the_token_is_let_in() -> None:
    async with served("false") as (pages, client):
        base, other = f"http://{pages.host}", f"http://{pages.host}/{'x' * len(pages.token)}"
        own = {"Origin": base}
        for address, headers, status in (
            (pages.url, {}, 200),
            (f"{pages.url}static/css/xterm.css", {}, 200),
            (f"{other}/static/css/xterm.css", {}, 404),
            (f"{base}/", {}, 404),
            (f"{other}/", {}, 404),
            (f"{other}/ws", own, 404),
            (pages.url, {"Host": "evil.example"}, 403),
            (pages.url, {"Origin": "https://evil.example"}, 403),
            (f"{pages.url}ws", {"Origin": "https://evil.example"}, 403),
            (f"{pages.url}ws", {"Origin": "null"}, 403),
            (f"{pages.url}ws", {}, 403),
            (f"{pages.url}static/../../etc/passwd", {}, 404),
        ):
            async with client.get(address, headers=headers) as answer:
                assert answer.status == status, (address, headers)
        async with client.get(pages.url) as answer:
            page = await answer.text()
            assert "googleapis" not in page
            assert f"ws://{pages.host}/{pages.token}/ws" in page
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.slow
async def test_a_tab_shows_the_workbench_and_cannot_decide(tmp_path: Path) -> None:
    store(tmp_path, PAIRS[:1]).close()
    async with served(*command(tmp_path, write=False, theme=None)) as (pages, client):
        address = f"ws://{pages.host}/{pages.token}/ws?width=100&height=oops"
        async with client.ws_connect(address, headers={"Origin": f"http://{pages.host}"}) as tab:
            seen = ""

            async def until(words: str) -> None:
                nonlocal seen
                async with asyncio.timeout(60):
                    while words not in seen:
                        message = await tab.receive()
                        assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
                        seen += message.data.decode(errors="replace") if isinstance(message.data, bytes) else ""

            await until("Alembic")
            await tab.send_str("no json")
            await tab.send_json({"stdin": "s"})
            await tab.send_json(["resize", {"width": 90, "height": 30}])
            await tab.send_json(["stdin", "s"])
            await until("reading only")
    from tests.ui.stores import MARA
    from tur_engine.engine import Engine

    with Engine.open(tmp_path, actor=MARA) as engine:
        assert kinds(engine) == []


@pytest.mark.slow
@pytest.mark.parametrize("deaf", [False, True])
async def test_a_closed_tab_leaves_no_process_behind(
    deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that paints without end into a tab that has gone, and one that does not hear that it should end."""
    monkeypatch.setattr("tur_tui.serve.PATIENCE", 1.0)
    note = tmp_path / "pid"
    program = (
        "import os, pathlib, select, sys\n"
        f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
        "out = sys.stdout.buffer\n"
        "out.write(b'__GANGLION__\\n')\n"
        f"while {deaf} or not select.select([0], [], [], 0)[0]:\n"
        "    out.write(b'D' + (9).to_bytes(4, 'big') + b'x' * 9); out.flush()\n"
    )
    async with served(sys.executable, "-c", program) as (pages, client):
        address = f"ws://{pages.host}/{pages.token}/ws"
        async with client.ws_connect(address, headers={"Origin": f"http://{pages.host}"}) as tab:
            await tab.receive()
        async with asyncio.timeout(20):
            while Path(f"/proc/{note.read_text()}").exists():
                await asyncio.sleep(0.05)
