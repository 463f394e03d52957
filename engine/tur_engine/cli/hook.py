"""`tur guard --hook`: a harness asks before it runs a tool. Exit 2 and a reason on stderr stop it, 0 lets it go on.

What cannot be read, and a store that cannot serve, let it go on and say so on stderr: a guard that breaks the harness
would be taken out.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import BinaryIO

from ..errors import TurError
from ..place import seen_from
from ..text import counted, excerpt, visible
from .call import Call
from .guarding import opened
from .harness import proposed
from .output import Unanswered
from .warned import LONGEST, headline, left_out

STOPS = 2
PATIENCE = 12
"""Seconds for the weighing. A harness that waits no longer than 20 would let everything pass after that, unseen."""


def run(call: Call, stream: BinaryIO | None, branch: str | None = None) -> int:
    """Answer one tool call; a closed standard input is None. `branch` stands for the checkout's. Raises nothing."""
    try:
        return _run(call, stream, branch)
    except TurError as error:
        return _let_go(call, str(error))
    except Exception as error:
        if os.environ.get("TUR_DEBUG"):
            raise
        return _let_go(call, f"a fault in this program ({type(error).__name__}: {error})")


def _run(call: Call, stream: BinaryIO | None, branch: str | None) -> int:
    if stream is None:
        return _let_go(call, "standard input is closed")
    sent = stream.read(LONGEST + 1)
    if len(sent) > LONGEST:
        return _let_go(call, "the tool call is longer than 1 MB, and was not read")
    asked = proposed(sent)
    if not asked.calls:
        return _let_go(call, asked.unread) if asked.unread else 0
    from .. import whereabouts
    from ..probe import beside

    beside.wake()
    from ..facade.guarding import LONGEST_FILE
    from ..records import GuardWarning

    store = call.store
    if store is None and asked.cwd and Path(asked.cwd).is_dir():
        store = whereabouts.find(None, Path(asked.cwd))
    found: list[GuardWarning] = []
    until, unread = monotonic() + PATIENCE, 0
    with opened(call, store) as engine:
        on = branch or engine.place(Path(asked.cwd) if asked.cwd else None).branch
        for each in asked.calls:
            if monotonic() >= until:
                unread += 1
                continue
            where = _inside(engine.root, asked.cwd, each.path)
            if each.path is None:
                report = engine.guard(
                    each.text, path=where, on=on, is_command=each.is_command, session=asked.session, until=until
                )
            else:
                name = where or PurePosixPath(each.path).name
                report = engine.guard_file(name, each.text, session=asked.session, until=until)
                if len(each.text) > LONGEST_FILE:
                    call.out.warn(f"of the file, what follows the first {LONGEST_FILE:,} characters was not weighed")
            found += report.warnings
            for sentence in left_out(report):
                call.out.warn(sentence)
    if unread:
        call.out.warn(f"not weighed, for the time was over: {counted(unread, 'more part')} of the tool call")
    for warning in found:
        call.out.message(visible(f"tur: {headline(warning)}", newlines=False))
        call.out.message(visible(f"tur: the action: {excerpt(warning.action, 300)}", newlines=False))
        call.out.message(visible(f"tur: {warning.advice}", newlines=False))
    against = [warning for warning in found if warning.binding]
    if against and asked.wants_json:
        reason = "\n".join(f"{headline(warning)} {warning.advice}" for warning in against)
        with suppress(Unanswered):  # the exit code stops it too
            call.out.json({"permission": "deny", "agent_message": reason, "user_message": reason})
    return STOPS if against else 0


def _inside(root: Path, cwd: str, path: str | None) -> str | None:
    """Return where it is done, relative to the store's root; None where that is the root, outside, or not known."""
    try:
        base = Path(cwd or ".").resolve()
        return seen_from(root, base / path if path else base) or None
    except (OSError, ValueError, RuntimeError):
        return None


def _let_go(call: Call, why: str) -> int:
    call.out.say(visible(f"not guarded: {why}", newlines=False))
    return 0
