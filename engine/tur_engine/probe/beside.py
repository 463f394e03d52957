"""The embedder in a process of its own: a command that embeds one text forks it first, and both import at once.

Python runs one thread at a time, so a thread beside the imports of everything else only loads the weights; a child
imports what they run on too. It is the same embedder on the same weights, so its vector is the same, byte for byte. It
answers once and ends, and never outlives the command. Where it does not answer, the command embeds by itself and says
what is wrong.
"""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import suppress

from .embedder import DIMENSIONS, Embedder, import_runtime, quantise

_LENGTH = 4
"""Bytes that tell how long the text is."""
_STANDARD = (0, 1, 2)


class Beside:
    """A child that embeds one text."""

    def __init__(self, child: int, ask: int, told: int) -> None:
        self._child = child
        self._ask = ask
        self._told = told
        self._answered = False

    def body(self, text: str) -> bytes:
        """Return the int8 body of the text's vector; nothing where there is no answer. To be asked once."""
        given = text.encode("utf-8", "surrogatepass")
        with suppress(OSError):
            _write(self._ask, len(given).to_bytes(_LENGTH, "big") + given)
            answer = _read(self._told, DIMENSIONS)
            self._answered = bool(answer)
            return answer
        return b""

    def end(self) -> None:
        """End it, whatever it does."""
        import signal

        for descriptor in (self._ask, self._told):
            os.close(descriptor)
        with suppress(OSError):
            if not self._answered:
                os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)


_begun: list[Beside] = []
"""The child that has not been asked yet, if any."""


def begin() -> bool:
    """Fork the child; False where this process had better embed by itself. To be called before anything is begun."""
    if not _spares_time():
        return False
    asked, ask, told, tell = pipes = (*os.pipe(), *os.pipe())
    try:
        if min(pipes) <= _STANDARD[-1]:  # a standard stream is closed, and what is told it would land here
            raise OSError
        child = os.fork()
    except OSError:  # or there may be no more processes
        for descriptor in pipes:
            os.close(descriptor)
        return False
    if child == 0:
        _serve(asked, tell, (ask, told))
    os.close(asked)
    os.close(tell)
    beside = Beside(child, ask, told)
    atexit.register(beside.end)
    _begun.append(beside)
    return True


def body(text: str) -> bytes:
    """Return what the child makes of the text, once; nothing where there is no child or no answer."""
    return _begun.pop().body(text) if _begun else b""


def _spares_time() -> bool:
    """True on two processors or more, where a fork of this process is sound: it has no other thread to lose."""
    if sys.platform != "linux":
        return False
    with suppress(OSError):
        return len(os.sched_getaffinity(0)) > 1 and len(os.listdir("/proc/self/task")) == 1
    return False


def _serve(asked: int, tell: int, others: tuple[int, int]) -> None:
    """Load, answer once and end; ends early where nobody asks. Silent: whoever asks tells what is wrong."""
    code = 1
    try:
        _alone(others)
        import_runtime()
        embedder = Embedder.load()
        embedder.warm()
        length = int.from_bytes(_read(asked, _LENGTH), "big")
        if text := _read(asked, length):
            _write(tell, *quantise(embedder.embed([text.decode("utf-8", "surrogatepass")])))
            code = 0
    finally:
        os._exit(code)


def _alone(others: tuple[int, int]) -> None:
    """Hold nothing that somebody else waits for the end of, and leave Ctrl-C to the command."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for descriptor in others:
        os.close(descriptor)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in _STANDARD:
        os.dup2(nowhere, stream)
    os.close(nowhere)


def _read(descriptor: int, length: int) -> bytes:
    """Return so many bytes; nothing where the other end closes before."""
    read = b""
    while len(read) < length and (part := os.read(descriptor, length - len(read))):
        read += part
    return read if len(read) == length else b""


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
