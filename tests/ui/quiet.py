"""When the program has done what a key began: asked of the event loop, where Textual's pilot guesses it from the clock.

The pilot waits twice for 20 ms in which the process used little time: slow on any machine, and wrong on a busy one.
"""

from __future__ import annotations

import asyncio
from time import monotonic, process_time
from weakref import WeakKeyDictionary

from textual._context import active_app
from textual.timer import Timer
from textual.worker import Worker

FRAME = 0.02
"""Seconds: a timer that fires within them (drawing, a scroll) belongs to what is under way."""
FRAMES = 5
"""So many frames without work before a thread counts as waiting for something that comes later."""
SHORT = 0.3
"""Seconds: what is put off for less (a search while letters come, a check of what is typed) was begun by a key."""

begun: WeakKeyDictionary[Timer, float] = WeakKeyDictionary()
"""When each timer that fires once is due, by the clock of `monotonic`."""


async def quiet(min_sleep: float = 0, max_sleep: float = 3) -> None:
    """Wait until nothing is ready to run and no timer fires within a frame; for threads, while they compute."""
    loop = asyncio.get_running_loop()
    end, idle = monotonic() + max_sleep, 0
    await asyncio.sleep(min_sleep)
    while monotonic() < end:
        await asyncio.sleep(0)
        if loop._ready:  # type: ignore[attr-defined]
            continue
        if any(not worker.is_finished and worker.group != "watch" for worker in _workers()):
            used, slept = process_time(), monotonic()
            await asyncio.sleep(FRAME)
            if process_time() - used >= FRAME / 20:
                idle = 0
            elif monotonic() - slept < FRAME * 2:  # a frame that lasted longer says that the machine is busy
                idle += 1
            if idle == FRAMES:
                return
            continue
        now = loop.time()
        due = min((each.when() for each in loop._scheduled if not each.cancelled()), default=now + 1)  # type: ignore[attr-defined]
        if due > now + FRAME:
            return
        await asyncio.sleep(due - now)


async def what_was_put_off() -> None:
    """Wait until no timer that fires once, and soon, is left."""
    while left := [due for timer, due in begun.items() if _waits(timer) and due < monotonic() + SHORT]:
        await asyncio.sleep(max(FRAME / 4, max(left) - monotonic()))


def _waits(timer: Timer) -> bool:
    return timer._task is not None and not timer._task.done()


def _workers() -> list[Worker[object]]:
    app = active_app.get(None)
    return list(app.workers) if app else []
