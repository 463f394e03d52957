"""What begins before the command line is read: the embedder loads beside the imports of everything else.

In a process of its own where one text is to be embedded and the machine can run both; on another thread otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

EMBEDS = frozenset({"learn", "note", "recall"})
"""Commands that are sure to embed a text, and are called all the time."""


def begin(arguments: Sequence[str]) -> None:
    """Begin to load the embedder where the command will want it; what goes wrong is told when it does.

    Models are opened for a few readings, unless a file of many texts is named. Raises KeyboardInterrupt.
    """
    if len(arguments) < 2 or arguments[0] not in EMBEDS or {"--help", "-h"} & set(arguments):
        return
    from ..probe import beside, embedder

    embedder.PACKED = any(each.partition("=")[0] == "--from" for each in arguments)
    if not embedder.PACKED and beside.begin():
        return
    import threading
    from contextlib import suppress

    with _interrupt_put_off(), suppress(ImportError):
        embedder.import_runtime()
    threading.Thread(target=_embedder, name="embedder").start()


@contextmanager
def _interrupt_put_off() -> Iterator[None]:
    """Ctrl-C waits for the end of an import: compiled libraries make an error of their own of it, and stay broken."""
    import signal

    asked: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    heard = before is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, lambda number, frame: asked.append(number))
    try:
        yield
    finally:
        if heard:
            signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


def _embedder() -> None:
    from contextlib import suppress

    from ..probe.embedder import Embedder

    with suppress(Exception):
        Embedder.load().warm()
