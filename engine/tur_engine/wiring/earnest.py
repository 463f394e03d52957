"""What the throw-away stage cannot show of a server or hook: the store that it names, and the time that it is given."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from ..errors import TurError
from ..records import Author
from .wired import Wire

LEAST = 2
"""Seconds below which a program is ended before it has answered on a busy machine."""


def in_earnest(wire: Wire, root: Path, actor: Author) -> tuple[str, str] | None:
    """Return what would keep it from working where it is wired, and what mends that; None where nothing would."""
    if wire.seconds is not None and wire.seconds < LEAST:
        given = f"is given {wire.seconds:g} s, so it is ended before it answers"
        return given, f"give it {LEAST} s at least, or take the time out of the file"
    named = store_of(wire)
    for word in ("${workspaceFolder}", "${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR"):
        named = named.replace(word, str(root))
    named = os.path.expanduser(named)
    if not named or "$" in named:
        return None
    return _fault_of(root / named, actor)


def _fault_of(store: Path, actor: Author) -> tuple[str, str] | None:
    from .. import whereabouts
    from ..engine import Engine

    try:
        path = whereabouts.find(store)
        if path.exists():
            Engine.open(path, actor=actor, read_only=True).close()
            return None
        why = "there is none"
    except TurError as error:
        why = str(error)
    return f"names a store that does not open: {store} ({why})", "tur init there, or name the store that holds here"


def store_of(wire: Wire) -> str:
    """Return the store that its command names, as it is written; "" for none."""
    if wire.args:
        words = list(wire.args)
    else:
        try:
            words = shlex.split(wire.command)
        except ValueError:
            words = wire.command.split()
    for at, word in enumerate(words):
        if word == "--store" and at + 1 < len(words):
            return words[at + 1]
        if word.startswith("--store="):
            return word.removeprefix("--store=")
    return ""
