"""The models in a process of their own: a command that asks them little forks it first, and both import at once.

Python runs one thread at a time, so a thread beside the imports of everything else only loads the weights; a child
imports what they run on too. It is the same code on the same weights, so its answers are the same, byte for byte. It
never outlives the command. Where it does not answer, the command asks the models by itself and says what is wrong.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress

Serving = Mapping[str, Callable[..., bytes]]
"""What the child does, by name: what it makes of some texts."""
_LENGTH = 4
"""Bytes that tell how long a part is."""
_STANDARD = (0, 1, 2)


class Beside:
    """A child that serves."""

    def __init__(self, child: int, ask: int, told: int) -> None:
        self._child = child
        self._ask = ask
        self._told = told
        self._lock = threading.Lock()
        self.serves = True
        """False from the first failure on."""

    def answer(self, name: str, *texts: str) -> bytes:
        """Return what it makes of the texts; nothing where there is no answer, and then there is none any more."""
        asked = b"".join(_packed(each) for each in (name, *texts))
        with self._lock:
            if not self.serves:
                return b""
            with suppress(OSError):
                _write(self._ask, len(texts).to_bytes(1, "big") + asked)
                if answer := _part(self._told):
                    return answer
            self.serves = False
        return b""

    def wake(self) -> None:
        """Let it load what it serves with, before it is asked."""
        with self._lock, suppress(OSError):
            _write(self._ask, b"\0" + _packed(""))

    def end(self) -> None:
        """End it, whatever it does."""
        import signal

        for descriptor in (self._ask, self._told):
            os.close(descriptor)
        with suppress(OSError):
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)


_begun: list[Beside] = []
"""The child, if any."""


def begin(load: Callable[[], Serving]) -> bool:
    """Fork the child; False where this process had better ask the models by itself. To be called before anything is
    begun. `load` is called in the child once it is woken or asked.
    """
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
        _serve(asked, tell, (ask, told), load)
    os.close(asked)
    os.close(tell)
    beside = Beside(child, ask, told)
    atexit.register(beside.end)
    _begun.append(beside)
    return True


def wake() -> None:
    """Let the child load, if there is one."""
    for beside in _begun:
        beside.wake()


def answer(name: str, *texts: str) -> bytes:
    """Return what the child makes of the texts; nothing where there is no child or no answer."""
    return _begun[0].answer(name, *texts) if _begun else b""


def serves() -> bool:
    """True where there is a child that has not failed."""
    return bool(_begun) and _begun[0].serves


def _spares_time() -> bool:
    """True on two processors or more, where a fork of this process is sound: it has no other thread to lose."""
    if sys.platform != "linux":
        return False
    with suppress(OSError):
        return len(os.sched_getaffinity(0)) > 1 and len(os.listdir("/proc/self/task")) == 1
    return False


def _serve(asked: int, tell: int, others: tuple[int, int], load: Callable[[], Serving]) -> None:
    """Load, answer until nobody asks any more, and end. Silent: whoever asks tells what is wrong."""
    try:
        _alone(others)
        serving: Serving = {}
        while count := _read(asked, 1):
            name, *texts = (_part(asked).decode("utf-8", "surrogatepass") for _ in range(1 + count[0]))
            serving = serving or load()
            if name:
                _write(tell, _framed(serving[name](*texts)))
    finally:
        os._exit(0)


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


def _packed(text: str) -> bytes:
    return _framed(text.encode("utf-8", "surrogatepass"))


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(_LENGTH, "big") + data


def _part(descriptor: int) -> bytes:
    """Return the next part, with what tells its length taken off; nothing where the other end closes before."""
    return _read(descriptor, int.from_bytes(_read(descriptor, _LENGTH), "big"))


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
