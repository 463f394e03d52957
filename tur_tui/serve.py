"""The workbench in a browser tab, on this machine alone: `tur-tui serve`.

Loopback only; the address holds a random token; the page answers to its own host name and origin, so that no other
page that is open in the browser can press a key. One process of the workbench a tab, for reading only unless asked
otherwise.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shlex
import socket
import sys
from collections.abc import Sequence
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .printing import print_lines

if TYPE_CHECKING:
    from aiohttp import web

ADDRESS: Final = "127.0.0.1"
MOST_TABS: Final = 8
"""Workbenches open at the same time."""
PATIENCE: Final = 5.0
"""Seconds that the workbench of a closed tab may take to end."""
NOT_INSTALLED: Final = 'tur-tui: serving needs the extra "serve": pip install "tur-tui[serve]".'
_WIDEST, _HIGHEST = 1000, 400
_FOREIGN_FONT = re.compile(r"<link[^>]*fonts\.googleapis\.com[^>]*>", re.S)
_OWN_FONT = (
    "<style>@font-face {{ font-family: 'Roboto Mono'; src: url('{}fonts/RobotoMono-VariableFont_wght.ttf'); }}</style>"
)


class Pages:
    """The page, its files, and the socket behind it; all below a path that only the person at this terminal knows."""

    def __init__(self, command: Sequence[str], port: int, *, token: str | None = None) -> None:
        self._command, self._port = f"exec {shlex.join(command)}", port
        self.token = token or secrets.token_urlsafe(24)
        self._tabs = 0

    @property
    def host(self) -> str:
        return f"{ADDRESS}:{self._port}"

    @property
    def url(self) -> str:
        """What to open in the browser."""
        return f"http://{self.host}/{self.token}/"

    def application(self) -> web.Application:
        """The routes, each behind the guard."""
        import aiohttp_jinja2
        import jinja2
        from aiohttp import web
        from textual_serve import server

        files = Path(server.__file__).parent
        app = web.Application(middlewares=[self._guard()])
        aiohttp_jinja2.setup(app, loader=jinja2.FileSystemLoader(files / "templates"), autoescape=True)
        app.router.add_get("/{token}/", self._page)
        app.router.add_get("/{token}/ws", self._socket)
        app.router.add_static(f"/{self.token}/static", files / "static", name="static")
        return app

    def _guard(self) -> Any:
        from aiohttp import web

        @web.middleware
        async def guard(request: web.Request, handler: Any) -> web.StreamResponse:
            """Refuse whatever does not come from our own page: another host name, another origin, another token."""
            given = request.path.split("/")[1] if request.path.count("/") > 1 else ""
            if request.headers.get("Host") != self.host:
                raise web.HTTPForbidden(text="This page answers to its own address only.")
            if not compare_digest(given.encode(), self.token.encode()):
                raise web.HTTPNotFound(text="Open the address that tur-tui serve printed.")
            origin = request.headers.get("Origin")
            if origin not in (None, f"http://{self.host}") or (origin is None and request.path.endswith("/ws")):
                raise web.HTTPForbidden(text="Another page may not use the workbench.")
            response: web.StreamResponse = await handler(request)
            if not response.prepared:
                response.headers.update(self._headers())
            return response

        return guard

    def _headers(self) -> dict[str, str]:
        allowed = (
            "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
            f"img-src 'self' data:; connect-src 'self' ws://{self.host}; frame-ancestors 'none'; base-uri 'none'"
        )
        return {
            "Content-Security-Policy": allowed,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }

    async def _page(self, request: web.Request) -> web.Response:
        import aiohttp_jinja2
        from aiohttp import web

        static = f"http://{self.host}/{self.token}/static/"
        context = {
            "font_size": _number(request.query.get("fontsize"), 16, 48),
            "app_websocket_url": f"ws://{self.host}/{self.token}/ws",
            "config": {"static": {"url": static}},
            "application": {"name": "tur-tui"},
        }
        page = aiohttp_jinja2.render_string("app_index.html", request, context)
        return web.Response(text=_FOREIGN_FONT.sub(_OWN_FONT.format(static), page), content_type="text/html")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        """One tab: its keys to a workbench of its own, what that one paints to the tab."""
        from aiohttp import WSMsgType, web
        from textual_serve.app_service import AppService
        from textual_serve.download_manager import DownloadManager

        if self._tabs >= MOST_TABS:
            raise web.HTTPServiceUnavailable(text=f"{MOST_TABS} tabs are open; close one.")
        tab = web.WebSocketResponse(heartbeat=15)
        await tab.prepare(request)
        service = AppService(
            self._command,
            write_bytes=tab.send_bytes,
            write_str=tab.send_str,
            close=tab.close,  # type: ignore[arg-type]
            download_manager=DownloadManager(),
        )
        self._tabs += 1
        try:
            query = request.query
            await service.start(_number(query.get("width"), 80, _WIDEST), _number(query.get("height"), 24, _HIGHEST))
            async for message in tab:
                if message.type == WSMsgType.TEXT:
                    await _obey(service, tab, message.data)
        finally:
            self._tabs -= 1
            await _ended(service)
        return tab


async def _ended(service: Any) -> None:
    """Ask the workbench of a closed tab to end, and see that it has: what it still paints is read and let go."""
    process = service._process
    if process is None:
        return
    try:
        async with asyncio.timeout(PATIENCE):
            await service.stop()
            await process.communicate()
    except TimeoutError:
        process.kill()
        await process.communicate()


async def _obey(service: Any, tab: web.WebSocketResponse, data: str) -> None:
    """Pass on what the page says; what it cannot have said is passed over."""
    try:
        kind, *more = json.loads(data)
    except (ValueError, TypeError):
        return
    said = more[0] if more else None
    if kind == "stdin" and isinstance(said, str):
        await service.send_bytes(said.encode("utf-8", "replace"))
    elif kind == "resize" and isinstance(said, dict):
        width, height = _number(said.get("width"), 80, _WIDEST), _number(said.get("height"), 24, _HIGHEST)
        await service.set_terminal_size(width, height)
    elif kind == "ping":
        await tab.send_json(["pong", said])
    elif kind == "blur":
        await service.blur()
    elif kind == "focus":
        await service.focus()


def _number(text: object, otherwise: int, most: int) -> int:
    try:
        return max(1, min(int(str(text)), most))
    except ValueError:
        return otherwise


def command(store: Path, *, write: bool, theme: str | None) -> list[str]:
    """The workbench that a tab runs."""
    words = [sys.executable, "-m", "tur_tui", "--store", str(store)]
    words += [] if write else ["--read-only"]
    return words + (["--theme", theme] if theme else [])


def serve(store: Path, *, port: int = 0, write: bool = False, theme: str | None = None) -> int:
    """Serve until Ctrl-C, and return the exit code."""
    try:
        import textual_serve.server  # noqa: F401
        from aiohttp import web
    except ModuleNotFoundError:
        print(NOT_INSTALLED, file=sys.stderr)
        return 1
    try:
        listener = socket.create_server((ADDRESS, port))
    except OSError as error:
        print(f"tur-tui: port {port} cannot be served ({error.strerror}); name another with --port.", file=sys.stderr)
        return 1
    pages = Pages(command(store, write=write, theme=theme), listener.getsockname()[1])
    how = "Whoever has this address can decide" if write else "For reading only; --write lets the verbs in"
    print_lines([pages.url, f"{how}. Ctrl-C ends it."])
    web.run_app(pages.application(), sock=listener, print=None)
    return 0
