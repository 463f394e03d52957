"""Ctrl-C or SIGTERM in what takes long: what is said to be kept is what is kept. A batch finishes the line in hand."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

Line = TypeVar("Line")


class Terminated(BaseException):
    """SIGTERM: a batch says how far it came as it does at Ctrl-C, and the exit code is another."""

    exit_code = 128 + signal.SIGTERM


_PUT_OFF: dict[int, tuple[object, type[BaseException]]] = {
    signal.SIGINT: (signal.default_int_handler, KeyboardInterrupt),
    signal.SIGTERM: (signal.SIG_DFL, Terminated),
}
"""What is put off where nobody else cares for it, and what it ends in."""


class BetweenLines:
    """Puts both off while a line is in hand. While none is, and at the second time, it stops at once."""

    def __init__(self) -> None:
        self._in_hand = False
        self._asked: type[BaseException] | None = None
        self._before: dict[int, Any] = {}

    def read(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Pass lines on; each is in hand until `through` tells that it is not."""
        for line in lines:
            self._in_hand = True
            yield line

    def telling(self, progress: Callable[[int], None]) -> Callable[[int], None]:
        """Return a `progress` that also lets go of the line. Raises what waited for that."""

        def through(line: int) -> None:
            progress(line)
            self._in_hand = False
            if asked := self._asked:
                self._asked = None
                raise asked

        return through

    def __enter__(self) -> Self:
        for number, (plain, _) in _PUT_OFF.items():
            if (before := signal.getsignal(number)) == plain:
                with suppress(ValueError):  # not the main thread, which no signal reaches
                    signal.signal(number, self._interrupted)
                    self._before[number] = before
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        asked = _PUT_OFF[number][1]
        if not self._in_hand or self._asked:
            raise asked
        self._asked = asked


class AsInterrupt:
    """SIGTERM ends what runs here as Ctrl-C does: it is cleared away, kept and told alike. The exit code differs."""

    def __init__(self) -> None:
        self._before: Any = None
        self.exit_code = 128 + signal.SIGINT

    def __enter__(self) -> Self:
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            with suppress(ValueError):  # not the main thread, which no signal reaches
                self._before = signal.signal(signal.SIGTERM, self._terminated)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)
        if isinstance(error, KeyboardInterrupt) and self.exit_code == Terminated.exit_code:
            raise Terminated from error

    def _terminated(self, number: int, frame: FrameType | None) -> None:
        self.exit_code = Terminated.exit_code
        raise KeyboardInterrupt
