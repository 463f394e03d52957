"""Streamable HTTP on this machine alone: a token for every call, no foreign Origin, no foreign Host."""

from __future__ import annotations

import errno
import os
import socket
import sys

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from ..errors import TurError
from .bearer import Bearer, Token
from .posts import AnsweredPosts
from .server import TurServer
from .visit import Visit

HOST = "127.0.0.1"
PORT = 8127
PATH = "/mcp"
_GOODBYE = 2
"""Seconds that open streams get when the server is stopped."""


def bound(port: int) -> socket.socket:
    """Return a socket that listens on the loopback address; port 0 takes a free one. Raises TurError."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # a port left a moment ago may be taken again; elsewhere the flag would share it
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen(128)
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRINUSE:
            raise TurError(f"port {port} on {HOST} is in use; give another with --port, or 0 for a free one") from None
        raise TurError(f"port {port} on {HOST} cannot be used ({error.strerror})") from error
    return made


def security(port: int) -> TransportSecuritySettings:
    """What the SDK lets through: Host and Origin of this server under its two names (DNS rebinding)."""
    names = [f"{name}:{port}" for name in (HOST, "localhost")]
    return TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])


def serve(visit: Visit, listener: socket.socket, token: Token) -> None:
    """Serve until the process is told to stop. Says on stderr where, and a new token once."""
    port = listener.getsockname()[1]
    app = TurServer(visit, Bearer(token.text)).streamable_http_app(
        streamable_http_path=PATH, host=HOST, transport_security=security(port)
    )
    config = uvicorn.Config(
        AnsweredPosts(app),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=_GOODBYE,
    )
    print(f"tur-mcp: listening on http://{HOST}:{port}{PATH}", file=sys.stderr)
    if token.fresh:
        print(f"tur-mcp: token {token.text}", file=sys.stderr)
        print(f"tur-mcp: it is kept in {token.source} and not shown again", file=sys.stderr, flush=True)
    else:
        print(f"tur-mcp: the token is the one in {token.source}", file=sys.stderr, flush=True)
    anyio.run(lambda: uvicorn.Server(config).serve(sockets=[listener]))
