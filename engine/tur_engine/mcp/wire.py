"""Standard input as the server reads it: a line that is no message is answered, where the SDK drops it."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Self

from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

log = logging.getLogger("tur_engine.mcp")


class AnsweredLines:
    """The SDK's stream of messages; bad lines are answered with JSON-RPC's -32700 or -32600 and passed over."""

    def __init__(self, read: ReadStream[SessionMessage | Exception], write: WriteStream[SessionMessage]) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> object:
        """The context of whoever sent the last message; the SDK asks for it."""
        return getattr(self._read, "last_context", None)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        while isinstance(item := await self._read.__anext__(), Exception):
            await self._refuse(item)
        return item

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        while isinstance(item := await self._read.receive(), Exception):
            await self._refuse(item)
        return item

    async def _refuse(self, error: Exception) -> None:
        code, sentence = PARSE_ERROR, "the line is not JSON"
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            if not str(first["input"]).strip():
                return  # a blank line
            if first["type"] != "json_invalid":
                code, sentence = INVALID_REQUEST, "the line is JSON, but no JSON-RPC 2.0 message"
        log.warning("%s; it was passed over", sentence)
        answer = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=sentence))
        await self._write.send(SessionMessage(answer))

    async def aclose(self) -> None:
        """Close the stream below."""
        await self._read.aclose()

    async def __aenter__(self) -> Self:
        await self._read.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._read.__aexit__(kind, error, trace)
