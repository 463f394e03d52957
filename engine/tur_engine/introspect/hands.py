"""Processes that do one thing to each of many pieces of work. They end at once when whoever began them does.

The standard library's pool waits for what is in hand before it ends, and an interrupt while it waits leaves it waiting.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..errors import TurError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Piece = TypeVar("Piece")
Made = TypeVar("Made")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_AHEAD = 2
"""Pieces a process has at a time: the one in hand, and the next, so that it never waits for this one."""


@contextmanager
def hands(
    count: int, begin: Callable[[], Callable[[Piece], Made]], pieces: Iterable[Piece]
) -> Iterator[Iterator[Made]]:
    """Give what `count` processes make of the pieces, in the pieces' order. `begin` is called in each, and returns what
    makes it. At the end, on an error and at an interrupt all of them are killed. Raises what `begin` and that raise,
    TurError where a process is gone.
    """
    from multiprocessing import get_context

    context = get_context("spawn")
    pipes = [context.Pipe() for _ in range(count)]
    processes: list[BaseProcess] = [
        context.Process(target=_work, args=(theirs, begin), daemon=True) for _, theirs in pipes
    ]
    ours = [mine for mine, _ in pipes]
    try:
        with _one_thread_each(), _deaf():
            for process in processes:
                process.start()
        for _, theirs in pipes:
            theirs.close()  # or the end of a process would not be heard
        yield _made(ours, pieces)
    finally:
        for process in processes:
            if process.pid is not None:
                process.kill()
        for process in processes:
            if process.pid is not None:
                process.join()
        for mine in ours:
            mine.close()


def _made(lines: list[Connection], pieces: Iterable[Any]) -> Iterator[Any]:
    from multiprocessing.connection import wait

    left = enumerate(pieces)
    given: dict[Connection, deque[int]] = {line: deque() for line in lines}
    made: dict[int, Any] = {}
    due = 0

    def give(line: Connection) -> None:
        if (next_one := next(left, None)) is not None:
            number, piece = next_one
            line.send(piece)
            given[line].append(number)

    try:
        for line in lines * _AHEAD:
            give(line)
        while busy := [line for line, numbers in given.items() if numbers]:
            for line in cast("list[Connection]", wait(busy)):
                done, answer = line.recv()
                if not done:
                    raise answer
                made[given[line].popleft()] = answer
                give(line)
            while due in made:
                yield made.pop(due)
                due += 1
    except (EOFError, ConnectionError) as error:
        raise TurError(
            "a process that works for this one was ended from outside, perhaps for want of memory; "
            "start again, with fewer --workers"
        ) from error


def _work(line: Connection, begin: Callable[[], Callable[[Any], Any]]) -> None:
    """Be one of the processes. A Ctrl-C is the first process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    with suppress(EOFError, ConnectionError):
        try:
            make = begin()
            while True:
                line.send((True, make(line.recv())))
        except (EOFError, ConnectionError):
            raise
        except Exception as error:
            line.send((False, error))


def _end_with_the_first() -> None:
    from multiprocessing import parent_process

    if (first := parent_process()) is not None:
        first.join()
        os._exit(1)


@contextmanager
def _deaf() -> Iterator[None]:
    """Let what starts here never hear Ctrl-C, which a terminal sends to all. Here both signals wait for the end of the
    start, which would be left half done.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would open the ears again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes that share the cores must not each take them all for their sums."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
