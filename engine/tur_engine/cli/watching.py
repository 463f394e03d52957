"""`tur conflicts --watch`: conflicts as they come, until Ctrl-C."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import NoStore
from .output import is_terminal

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Conflict
    from .call import Call

BELL = "\a"


def watch(
    call: Call,
    engine: Engine,
    show: Callable[[Conflict], None],
    *,
    bell: bool,
    stop: threading.Event | None = None,
) -> int:
    """Show each conflict that opens from now on; `--json`: one object a line. Ends where nobody reads any more.

    Raises NoStore where the store is gone or replaced meanwhile.
    """
    from .. import payloads

    def look() -> None:
        if engine.displaced():
            raise NoStore(
                f"the store {engine.path} is gone, or another one is in its place; start again once it is there"
            )

    stop = stop or threading.Event()
    head = engine.head()
    known = {conflict.id for conflict in engine.at(head).conflicts()}
    call.out.say(f"{len(known):,} open; waiting for new ones, Ctrl-C ends it")
    for _ in engine.watch(head, stop, beat=look):
        for conflict in engine.conflicts():
            if conflict.id in known:
                continue
            known.add(conflict.id)
            if call.json:
                call.out.json_line(payloads.conflict(conflict))
            else:
                show(conflict)
            if bell and is_terminal(sys.stderr):
                call.out.message(BELL, end="")
        if call.out.unread:
            return 0
    return 0
