"""`tur hook`: what a harness runs at the start of a session and after an edit. `tur setup` writes these commands.

Neither ever stops a harness: what cannot be done is one line on stderr and exit 0.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import TurError
from ..text import visible
from . import program
from .call import Call, answers
from .harness import Asked, proposed
from .output import Unanswered, is_terminal
from .warned import LONGEST

if TYPE_CHECKING:
    from ..engine import Engine

HOLD = "TUR_ON_CONFLICT"
_SAID = re.compile(rf"^\s*(?:export\s+)?{HOLD}=", re.MULTILINE)


def register(app: typer.Typer) -> None:
    """Add the family."""
    family = program.family("What a harness runs: `tur setup` writes these commands, `tur doctor` tries them.")
    family.command("session-start")(answers(session_start))
    family.command("after-edit")(answers(after_edit))
    app.add_typer(family, name="hook")


def session_start(
    call: Call,
    budget: Annotated[
        int, typer.Option("--budget", "-b", metavar="N", min=50, max=100000, help="About so many tokens.")
    ] = 2000,
) -> int:
    """Give the agent what holds here: `tur context` and what waits, in the form that the harness reads.

    The harness sends JSON on stdin; without any the answer is plain text. Claude Code is told besides to let
    `tur learn` hold what contradicts, in the commands of this session.
    """
    return _harmless(call, lambda: _start(call, budget))


def after_edit(call: Call) -> int:
    """Offer the lines that an edit changed in a rule file to the gate; what contradicts is held.

    The harness sends its tool call as JSON on stdin. Files that are no rule files are passed over without a word. The
    agent hears one sentence a clash; exit 0 always, for the edit is done.
    """
    return _harmless(call, lambda: _edited(call))


def _start(call: Call, budget: int) -> int:
    from ..place import Place

    asked = _asked()
    _hold_in_shell(call)
    with _engine(call, asked) as engine:
        folder = Path(asked.cwd) if asked.cwd else None
        here = Place.of(engine.root, folder)
        found = engine.context(path=here.path, branch=here.branch, budget=budget, session=asked.session)
        waiting = engine.status().open_conflicts
    parts = [found.text] if found.text else []
    if waiting:
        what = "contradictions wait" if waiting > 1 else "contradiction waits"
        parts.append(f"{waiting:,} {what} for a decision: list_conflicts, or tur conflicts.")
    if parts:
        _give(call, asked, "\n".join(parts))
    return 0


def _edited(call: Call) -> int:
    asked = _asked()
    if not asked.event and not asked.calls:
        call.out.say(f"nothing to look at: {asked.unread or 'the tool call names no file'}")
        return 0
    if asked.calls and not any(_may_hold_rules(call.path or "") for call in asked.calls):
        return 0
    from .edited import offer, rule_files

    edits = rule_files(asked)
    if not edits:
        return 0
    with _engine(call, asked, write=True) as engine:
        told = offer(engine, edits)
    for sentence in told:
        call.out.say(visible(sentence, newlines=False))
    if told:
        _give(call, asked, "\n".join(f"tur: {visible(sentence, newlines=False)}" for sentence in told))
    return 0


def _may_hold_rules(path: str) -> bool:
    """A first look at a name, before anything heavy is loaded: most edits are of code."""
    return path.lower().endswith((".md", ".mdc")) or PurePath(path).name.startswith(".")


def _asked() -> Asked:
    """Read what the harness sends; a person at a terminal sends nothing."""
    if is_terminal(sys.stdin) or sys.stdin is None:
        return Asked()
    raw = sys.stdin.buffer.read(LONGEST + 1)[:LONGEST]
    return proposed(raw) if raw.strip() else Asked()


def _engine(call: Call, asked: Asked, *, write: bool = False) -> Engine:
    """Open the store that holds where the harness works; none is founded."""
    from .. import whereabouts
    from ..engine import Engine

    store = call.store
    if store is None and asked.cwd and Path(asked.cwd).is_dir():
        store = whereabouts.find(None, Path(asked.cwd))
    return Engine.open(store, actor=call.actor, read_only=not write)


def _give(call: Call, asked: Asked, text: str) -> None:
    """Write a text for the agent, as its harness reads it (docs/setup.md)."""
    if asked.is_cursor:
        call.out.json({"additional_context": text})
    elif asked.event:
        call.out.json({"hookSpecificOutput": {"hookEventName": asked.event, "additionalContext": text}})
    else:
        call.out.data(text)


def _hold_in_shell(call: Call) -> None:
    """Let `tur learn` in the agent's shell hold what contradicts: Claude Code sources the file of this variable.

    What the file says of it already stands. Where it cannot be written the agent is given its context all the same.
    """
    named = os.environ.get("CLAUDE_ENV_FILE")
    if not named or HOLD in os.environ:
        return
    file = Path(named)
    try:
        text = file.read_text("utf-8", "replace") if file.exists() else ""
        if _SAID.search(text):
            return
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}export {HOLD}=hold\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        sentence = f"$CLAUDE_ENV_FILE ({named}) cannot be written: {why}; tur learn in this shell does not hold"
        call.out.warn(visible(sentence, newlines=False))


def _harmless(call: Call, work: Callable[[], int]) -> int:
    try:
        return work()
    except (TurError, OSError) as error:
        call.out.say(visible(f"passed over: {error}", newlines=False))
    except Unanswered as error:
        call.out.say(f"passed over: the answer could not be written: {error}")
    except Exception as error:
        if os.environ.get("TUR_DEBUG"):
            raise
        call.out.say(visible(f"passed over: a fault in this program ({type(error).__name__}: {error})", newlines=False))
    return 0
