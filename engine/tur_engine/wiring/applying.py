"""Writes a plan: each file whole or not at all, and where one fails none of them."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import BadInput, TurError
from ..replacing import replace
from .harnesses import Reach
from .plan import Change, Plan
from .wired import text_of


def check(plan: Plan, root: Path) -> None:
    """Raise BadInput where a file of the project lies, by way of a link, outside of it."""
    if plan.reach is Reach.USER:
        return
    inside = Path(os.path.realpath(root))
    for change in plan.changes:
        real = Path(os.path.realpath(change.path))
        if not real.is_relative_to(inside):
            raise BadInput(f"{change.path} leads out of {root}, to {real}; nothing was written")


def carry_out(plan: Plan, root: Path) -> None:
    """Write every change. Raises BadInput, TurError: nothing stands half-written then."""
    check(plan, root)
    for change in plan.changes:
        if text_of(change.path) != change.before:
            raise TurError(f"{change.path} was changed by somebody else meanwhile; nothing was written, try again")
    done: list[Change] = []
    try:
        for change in plan.changes:
            _write(change.path, change.after)
            done.append(change)
    except OSError as error:
        for change in done:
            _write(change.path, change.before)
        where = error.filename or change.path
        raise TurError(f"{where} cannot be written ({error.strerror or error}); every file is as it was") from None


def _write(path: Path, text: str | None) -> None:
    real = Path(os.path.realpath(path))
    if text is None:
        real.unlink(missing_ok=True)
        _drop_if_empty(real.parent)
        return
    made = not real.parent.exists()
    real.parent.mkdir(parents=True, exist_ok=True)
    try:
        replace(real, text.encode("utf-8"))
    except OSError:
        if made:
            _drop_if_empty(real.parent)
        raise


def _drop_if_empty(folder: Path) -> None:
    """Remove a harness's folder where nothing is left in it."""
    if folder.name in (".claude", ".cursor", ".codex", ".gemini"):
        try:
            folder.rmdir()
        except OSError:  # something else lies there
            return
