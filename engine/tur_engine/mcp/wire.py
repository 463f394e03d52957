"""Standard input as the server reads it: a line that is no message is answered, where the SDK drops it."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Self

from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError
from pydantic import ValidationError

from . import unread

log = logging.getLogger("tur_engine.mcp")


class AnsweredLines:
    """The SDK's stream of messages; bad lines are answered (`unread`) and passed over."""

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
        answer = _answer(error)
        if answer is None:
            return
        sentence = answer.error.message if isinstance(answer, JSONRPCError) else unread.HALF
        log.warning("%s%s", sentence, "; it was passed over" if answer.id is None else "")
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


def _answer(error: Exception) -> unread.Answer | None:
    """Return the answer to a line that the SDK could not read; None for a blank one."""
    if not isinstance(error, ValidationError):
        return unread.not_json("", "line")
    problems = error.errors()
    first = problems[0]
    if first["type"] == "json_invalid":
        line = str(first["input"])
        return unread.not_json(line, "line") if line.strip() else None
    # The SDK tries one kind of message after the other; what lacks a member is told whole.
    told = next((each["input"] for each in problems if each["type"] == "missing" and len(each["loc"]) == 2), None)
    return unread.no_message(told, "line")
