"""Requests over HTTP as the server reads them: what the SDK cannot read is answered as on standard input."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from mcp_types import JSONRPCResponse

from . import unread
from .bearer import VARIABLE

# As ASGI names them.
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

SUCCESS, ACCEPTED, BAD_REQUEST, UNAUTHORIZED = 200, 202, 400, 401
WHERE = (
    "show the token as Authorization: Bearer TOKEN; it is in the file that tur-mcp named on stderr as it started "
    f"(mcp-token in tur-tui's state folder), or what {VARIABLE} said there"
)


class AnsweredPosts:
    """Stands before the SDK's application. Who may ask, and from where, is decided behind it, before anything is read.

    Only where the SDK turns a body down as unreadable, or takes a broken request for a notification, does the answer
    come from here.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _saying_where(send)
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = bytearray()
        held: Message | None = None
        done = False

        async def hear() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                body.extend(message.get("body", b""))
            return message

        async def tell(message: Message) -> None:
            nonlocal held, done
            if message["type"] == "http.response.start" and message["status"] in (ACCEPTED, BAD_REQUEST):
                held = message
            elif held is not None:
                first, held = held, None
                if (answer := unread.answer_to(bytes(body), "body")) is not None:
                    done = True
                    await _say(first, answer, send)
                    return
                await send(first)
                await send(message)
            elif not done:
                await send(message)

        await self._app(scope, hear, tell)


def _saying_where(send: Send) -> Send:
    """Return a `send` whose 401 says where the token is to be found."""
    first: Message | None = None

    async def tell(message: Message) -> None:
        nonlocal first
        if message["type"] == "http.response.start":
            first = message if message["status"] == UNAUTHORIZED else None
        if first is None:
            await send(message)
        elif message["type"] == "http.response.body" and not message.get("more_body"):
            content = json.dumps({"error": "invalid_token", "error_description": WHERE}).encode()
            await _send(first, UNAUTHORIZED, content, send)

    return tell


async def _send(first: Message, status: int, content: bytes, send: Send) -> None:
    kept = [item for item in first["headers"] if item[0].lower() not in (b"content-length", b"content-type")]
    length = str(len(content)).encode()
    headers = [*kept, (b"content-type", b"application/json"), (b"content-length", length)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _say(first: Message, answer: unread.Answer, send: Send) -> None:
    """Send an answer in place of the SDK's, which began with `first`; what a tool says is no fault of the request."""
    content = json.dumps(answer.model_dump(by_alias=True, exclude_unset=True, mode="json")).encode()
    await _send(first, SUCCESS if isinstance(answer, JSONRPCResponse) else BAD_REQUEST, content, send)
