"""Standard input and output as the server speaks over them: every line is answered, and the end is quiet.

The SDK's own transport drops a line that is no message, cannot leave a read that waits, and fails with a traceback
where nobody listens.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, jsonrpc_message_adapter

from ..errors import TurError
from . import unread

log = logging.getLogger("tur_engine.mcp")

Hears = MemoryObjectReceiveStream[SessionMessage | Exception]
Tells = MemoryObjectSendStream[SessionMessage]
_CHUNK = 1 << 16


@asynccontextmanager
async def lines() -> AsyncIterator[tuple[Hears, Tells]]:
    """Give the streams of messages that stand for standard input and output of this process.

    It ends quietly where nobody listens any more. Raises TurError where one of the two cannot be used.
    """
    source, sink = _apart(0), _apart(1)
    found, hears = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    tells, told = anyio.create_memory_object_stream[SessionMessage](0)
    failed: list[TurError | None] = []
    async with anyio.create_task_group() as group:

        def end(error: OSError, what: str) -> None:
            gone = isinstance(error, ConnectionError)
            failed.append(None if gone else TurError(f"standard {what} ({error.strerror or error}); it ended"))
            group.cancel_scope.cancel()

        async def hear() -> None:
            async with found, answers:
                try:
                    async for line in _lines(source):
                        await _pass_on(line, found, answers)
                except OSError as error:
                    end(error, "input cannot be read")
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):  # the server ended first
                    return

        async def tell() -> None:
            async with told:
                async for item in told:
                    said = item.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n"
                    try:
                        await anyio.to_thread.run_sync(_write, sink, said.encode(errors="replace"))
                    except OSError as error:
                        end(error, "output cannot be written to")
                        return

        answers = tells.clone()
        group.start_soon(hear)
        group.start_soon(tell)
        yield hears, tells
    if failed and (error := failed[0]) is not None:
        raise error


def _apart(fd: int) -> int:
    """Return a descriptor for the harness alone; what else reads gets nothing, what else prints goes to stderr."""
    own = _above_standard(fd)
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nowhere if fd == 0 else 2, fd)
    except OSError:  # stderr is closed
        os.dup2(nowhere, fd)
    finally:
        os.close(nowhere)
    return own


def _above_standard(fd: int) -> int:
    """Duplicate it; not in the place of a standard stream that is closed, which others would write to."""
    own = os.dup(fd)
    if own > 2:
        return own
    try:
        return _above_standard(fd)
    finally:
        os.close(own)


async def _lines(fd: int) -> AsyncIterator[str]:
    """Yield what is read, line by line, without a BOM. A thread of its own waits, and ends with the process."""
    heard, chunks = anyio.create_memory_object_stream[bytes | OSError](0)
    reader = threading.Thread(target=_read, args=(fd, heard.send, asyncio.get_running_loop()), daemon=True)
    reader.start()
    rest = bytearray()
    async with chunks:
        async for chunk in chunks:
            if isinstance(chunk, OSError):
                raise chunk
            *whole, last = chunk.split(b"\n")
            for part in whole:
                yield (rest + part).decode("utf-8-sig", errors="replace")
                rest.clear()
            rest += last
            if not chunk:
                break
    if rest:
        yield rest.decode("utf-8-sig", errors="replace")


def _read(fd: int, hand: Callable[[bytes | OSError], Awaitable[None]], loop: asyncio.AbstractEventLoop) -> None:
    async def handed(chunk: bytes | OSError) -> None:
        await hand(chunk)

    chunk: bytes | OSError = b"-"
    with suppress(Exception):  # the server ended meanwhile, and nobody takes it
        while chunk and not isinstance(chunk, OSError):
            try:
                chunk = os.read(fd, _CHUNK)
            except BlockingIOError:  # whoever opened it does not wait; a thread may
                select.select([fd], [], [])
                continue
            except OSError as error:
                chunk = error
            asyncio.run_coroutine_threadsafe(handed(chunk), loop).result()


def _write(fd: int, said: bytes) -> None:
    left = memoryview(said)
    while left:
        try:
            left = left[os.write(fd, left) :]
        except BlockingIOError:
            select.select([], [fd], [])


async def _pass_on(line: str, found: MemoryObjectSendStream[SessionMessage | Exception], answers: Tells) -> None:
    """Hand a message to the server; what is none is answered and passed over, a blank line passed over alone."""
    if not line.strip():
        return
    if (answer := unread.answer_to(line, "line")) is None:
        await found.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
        return
    sentence = answer.error.message if isinstance(answer, JSONRPCError) else unread.HALF
    log.warning("%s%s", sentence, "; it was passed over" if answer.id is None else "")
    await answers.send(SessionMessage(answer))
