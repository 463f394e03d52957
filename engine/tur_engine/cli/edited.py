"""What `tur hook after-edit` does: changed lines of a rule file become candidates, the agent hears of a clash."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import TurError
from ..place import seen_from
from ..records import ConflictState, LearnResult, OnConflict, Outcome
from ..sources.agents import is_rule_file
from ..sources.drafting import Desk, top_of
from ..sources.edited import changed
from ..sources.gated import weigh_rules
from ..text import counted, excerpt

if TYPE_CHECKING:
    from ..engine import Engine
    from ..sources import Statement
    from .harness import Asked

MOST = 40
"""Statements of one edit that are offered; a whole file is for `tur import`."""
TOLD = 5


class Edit(NamedTuple):
    """A rule file, and the lines that came into it."""

    path: Path
    added: str


def rule_files(asked: Asked) -> list[Edit]:
    """Return what a tool call changed in rule files, as far as names tell; nothing is read."""
    base = Path(asked.cwd or os.curdir)
    return [
        Edit(Path(os.path.abspath(base / call.path)), call.text)
        for call in asked.calls
        if call.path and is_rule_file(Path(os.path.abspath(base / call.path)).as_posix().lstrip("/"))
    ]


def offer(engine: Engine, edits: Sequence[Edit]) -> list[str]:
    """Pass what the edits say through the gate; return a sentence on each clash. Raises StoreError.

    A file outside the store's folder is passed over: nothing of it holds here.
    """
    told: list[str] = []
    weigh_rules(engine)
    for edit in edits:
        path = Path(os.path.realpath(edit.path))
        top = top_of(path, engine.root)
        name = seen_from(top, path)
        if name is None or seen_from(engine.root, path) is None:
            continue
        try:
            statements = changed(path, top, name, edit.added)
        except TurError as fault:
            told.append(str(fault))
            continue
        told += _offered(engine, Desk(engine.actor, top, engine.root), statements[:MOST])
        if len(statements) > MOST:
            rest = counted(len(statements) - MOST, "more changed statement")
            told.append(f"{rest} of {name} were not looked at; tur import {name} takes them in")
    more = len(told) - TOLD
    return told if more <= 0 else [*told[:TOLD], f"{more:,} more of this kind; tur conflicts lists what waits"]


def _offered(engine: Engine, desk: Desk, statements: Sequence[Statement]) -> list[str]:
    told = []
    for statement in statements:
        if desk.scope(statement.scope) is None:  # nothing of it holds in the store's folder
            continue
        try:
            draft = desk.draft(statement)
            if engine.check(draft).outcome is Outcome.DUPLICATE:  # writing it again confirms nothing
                continue
            result = engine.learn(draft, on_conflict=OnConflict.HOLD)
        except TurError as fault:  # what looks like a secret, for instance
            told.append(f"{statement.file}:{statement.line}: {fault}")
            continue
        if sentence := _sentence(engine, statement, result):
            told.append(sentence)
    return told


def _sentence(engine: Engine, statement: Statement, result: LearnResult) -> str:
    said = f'{statement.file}:{statement.line} ("{excerpt(statement.text, 120)}")'
    if result.outcome is Outcome.INVARIANT and result.invariant is not None:
        memory = result.invariant.memory
        words = f'{memory.short_id} ("{excerpt(memory.content, 120)}")'
        advice = "take it out of the file, or ask for a change with tur propose"
        return f"{said} contradicts the invariant {words}, which people signed; {advice}"
    if result.outcome is not Outcome.CONFLICT:
        return ""
    if not result.conflicts:
        return f"{said} is held for a person"
    conflict = result.conflicts[0].conflict
    memory = conflict.incumbent.memory
    shown = engine.short(conflict.id)
    person = conflict.incumbent.approved or conflict.state is ConflictState.ESCALATED
    how = "a person decides" if person else f"settle it with resolve_conflict or tur resolve {shown} VERB --reason WHY"
    return f'{said} contradicts {memory.short_id} ("{excerpt(memory.content, 120)}") and is held as {shown}: {how}'
