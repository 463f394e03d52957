"""One verb for several conflicts: what it would do, asked about once, then written one after the other.

Every function runs in a thread worker and returns the message that tells what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tur_engine.engine import Engine
from tur_engine.errors import StaleRevision, TurError, UnknownId
from tur_engine.records import Conflict, ResolutionResult, Verb
from tur_engine.text import excerpt

from ..actions import key
from ..calls import sentence
from ..drawing.wording import counted
from ..messages import BatchAsks, BatchDone, NotDone
from .decisions import reach, refusal

ONE_AT_A_TIME: Final = frozenset({Verb.MERGE, Verb.BRANCH})
"""Verbs that need a text or a scope of their own."""
_LISTED: Final = 120
"""Characters of a text in the question: what differs must be seen."""


def foresee(engine: Engine, conflicts: Sequence[Conflict], verb: Verb) -> BatchAsks | NotDone:
    """What the verb would do to each; where it can be given to none of them, why."""
    able, lines, left_out = [], [], []
    doubted = 0
    for conflict in conflicts:
        try:
            preview = engine.preview(conflict.id, verb)
        except UnknownId:
            continue
        except TurError as error:
            left_out.append(f"left out: {pair(conflict)}. {sentence(error)}")
            continue
        if preview.allowed:
            able.append(conflict)
            doubted += reach(preview)
            lines.append(pair(conflict, _LISTED))
        else:
            left_out.append(f"left out: {pair(conflict)}. {refusal(verb, preview)}")
    if not able:
        return NotDone(
            left_out[0] if left_out else "None of the marked conflicts is open any more.", engine.conflicts()
        )
    if doubted:
        lines.append(f"{counted(doubted, 'memory that rests', 'memories that rest')} on them would become suspect")
    return BatchAsks(tuple(able), verb, (*lines, *left_out))


def write(engine: Engine, conflicts: Sequence[Conflict], verb: Verb) -> BatchDone:
    """Give the verb to each as it was seen; one that another person or process moved meanwhile is passed over."""
    results: list[ResolutionResult] = []
    along, passed_over = 0, []
    for conflict in conflicts:
        try:
            now = engine.conflict(conflict.id)
            if not now.state.open:
                along += 1  # a verb before it settled this one too, or somebody else did
            elif _moved(conflict, now):
                passed_over.append(f"{pair(conflict)} changed since it was shown")
            else:
                results.append(engine.resolve(conflict.id, verb, revision=now.revision))
        except StaleRevision:
            passed_over.append(f"{pair(conflict)} changed since it was shown")
        except TurError as error:
            passed_over.append(f"{pair(conflict)}: {sentence(error)}")
    return BatchDone(verb, tuple(results), along, tuple(passed_over), engine.conflicts())


def told(done: BatchDone) -> str:
    """What was written, in a sentence or three."""
    word = done.verb.replace("_", " ")
    said = f"{word.capitalize()}: {counted(len(done.results), 'conflict')} settled."
    if done.along:
        said += f" {counted(done.along, 'other')} settled with them."
    if done.passed_over:
        said += f" {len(done.passed_over)} left as {'it is' if len(done.passed_over) == 1 else 'they are'}: "
        said += f"{done.passed_over[0].rstrip('.')}."
    return said + (f" {key('conflict.undo')} takes them back one by one." if done.results else "")


def pair(conflict: Conflict, width: int = 40) -> str:
    """The two sides, each cut to this many characters."""
    old, new = (excerpt(side.memory.content, width) for side in (conflict.incumbent, conflict.challenger))
    return f'"{old}" against "{new}"'


def _moved(seen: Conflict, now: Conflict) -> bool:
    """Whether it is another question than the one shown. What this batch itself did beside it is not."""
    return (seen.incumbent.status, seen.challenger.status, seen.state) != (
        now.incumbent.status,
        now.challenger.status,
        now.state,
    )
