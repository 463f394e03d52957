"""`tur undo --session S` and `--agent A`: all that a bad session brought in, shown before it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from ..errors import BadInput
from ..text import counted, visible
from . import moments
from .call import Call
from .output import terminal

if TYPE_CHECKING:
    from ..records import SessionUndo


def roll_back(call: Call, session: str, agent: str, since: str, reason: str, *, yes: bool, dry_run: bool) -> int:
    """Show what would be taken back, ask, take it back. Raises BadInput where nobody can be asked."""
    from .. import payloads
    from ..records import Author, AuthorKind

    who = Author.parse(agent, AuthorKind.AGENT) if agent else None
    start = _since(since) if since else None
    if not (yes or dry_run or terminal()):
        raise BadInput("nobody can be asked here: --dry-run shows what would be taken back, --yes does it")
    with call.open() as engine:
        if not yes:
            preview = engine.undo_session(session=session, agent=who, since=start, reason=reason, dry_run=True)
            with call.out.before_it():
                if dry_run and call.json:
                    call.out.json(payloads.session_undo(preview))
                    return 0
                ends = dry_run or not preview.done
                _tell(preview, call.out.data if ends else call.out.message)
                if ends:
                    return 0
            if not call.out.agreed(f"Take {preview.done} back?"):
                call.out.say("nothing was taken back")
                return 0
        result = engine.undo_session(session=session, agent=who, since=start, reason=reason)
        if call.json:
            call.out.json(payloads.session_undo(result))
        else:
            _tell(result, call.out.data)
    return 0


def _since(text: str) -> datetime:
    found = moments.time(text, datetime.now().astimezone())
    if found is None:
        raise BadInput(f"--since {visible(text, newlines=False)!r} is no time; write {moments.HOW}")
    return found


def _tell(result: SessionUndo, say: Callable[[str], None]) -> None:
    if not result.steps:
        say("nothing to take back")
        return
    head = "Would take back" if result.dry_run else "Took back"
    say(f"{head} {result.done:,} of {counted(len(result.steps), 'event')}, the newest first")
    for step in result.steps:
        line = f"  {step.seq:>6}  {visible(step.summary, newlines=False)}"
        say(line if step.done else f"{line}\n          stays: {visible(step.reason, newlines=False)}")
