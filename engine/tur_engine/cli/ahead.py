"""What begins before the command line is read: the models load beside the imports of everything else.

In a process of its own where one text is asked about and the machine can run both; on another thread otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..probe.beside import Serving

EMBEDS = frozenset({"learn", "note", "recall"})
"""Commands that are sure to embed a text, and are called all the time."""
GUARDS = "guard"
"""Asks every pair reader, and only where something is in force: a harness runs it before each of its tools."""
_NO_MODEL = frozenset({"--help", "-h", "--log"})


def begin(arguments: Sequence[str]) -> None:
    """Begin to load the models where the command will want them; what goes wrong is told when it does.

    They are opened for a few readings, unless many texts are asked about. Raises KeyboardInterrupt.
    """
    if len(arguments) < 2 or arguments[0] not in {*EMBEDS, GUARDS} or _NO_MODEL & set(arguments):
        return
    from ..probe import beside, embedder

    guards = arguments[0] == GUARDS
    embedder.PACKED = "-" in arguments if guards else any(each.partition("=")[0] == "--from" for each in arguments)
    if not embedder.PACKED and beside.begin(partial(_serving, warm=not guards)):
        if "--hook" not in arguments:  # that one looks first whether there is anything to weigh
            beside.wake()
        return
    if guards:
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


def _serving(*, warm: bool) -> Serving:
    """Load what models run on, `warm` the embedder too; who reads pairs loads when a pair comes.

    Raises what the models raise.
    """
    from ..probe.embedder import Embedder, import_runtime, quantise

    import_runtime()
    embedder = Embedder.load()
    if warm:
        embedder.warm()
    readers = {room: partial(_read, room) for room in ("judge", "skimmer")}
    return {"embedder": lambda text: quantise(embedder.embed([text]))[0], **readers}


def _read(room: str, first: str, second: str) -> bytes:
    from ..detect.judge import packed

    return packed(room, first, second)


def _embedder() -> None:
    from contextlib import suppress

    from ..probe.embedder import Embedder

    with suppress(Exception):
        Embedder.load().warm()
