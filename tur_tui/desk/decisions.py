"""Verbs and undo as a screen gives them: refused with a reason, asked about where they reach far, written at once.

Every function runs in a thread worker and returns the message that tells what came of it.
"""

from __future__ import annotations

from typing import Literal

from tur_engine.engine import Engine
from tur_engine.errors import StaleRevision, TurError
from tur_engine.records import Conflict, Preview, ResolutionResult, Scope, Verb

from ..calls import one_line, sentence
from ..drawing.wording import counted
from ..messages import AsksFirst, Decided, NotDone, Undone
from .queue import Settled

REACHES_FAR = 2
"""From this many dependants that a verb would put in doubt, it asks first."""


def decide(
    engine: Engine,
    conflict: Conflict,
    verb: Verb,
    *,
    agreed: bool = False,
    text: str | None = None,
    side: Literal["incumbent", "challenger"] | None = None,
    scope: Scope | None = None,
) -> Decided | AsksFirst | NotDone:
    """Give a verb to a conflict as it was seen: if it moved since, nothing is written."""
    try:
        preview = engine.preview(conflict.id, verb)
        if not preview.allowed:
            return NotDone(refusal(verb, preview))
        if not agreed and reach(preview) >= REACHES_FAR:
            return AsksFirst(conflict, preview)
        result = engine.resolve(conflict.id, verb, revision=conflict.revision, text=text, side=side, scope=scope)
    except StaleRevision:
        return NotDone(
            "This conflict changed since it was shown; nothing was written. Look again, then decide.",
            engine.conflicts(),
        )
    except TurError as error:
        return NotDone(sentence(error), engine.conflicts())
    return Decided(result, engine.conflicts())


def undo(engine: Engine, last: Settled | None) -> Undone | NotDone:
    """Take back this sitting's last decision, or the person's last one of an earlier sitting."""
    try:
        result = engine.undo(str(last.seq) if last else None)
    except TurError as error:
        return NotDone(sentence(error), engine.conflicts())
    return Undone(result, engine.conflicts())


def reach(preview: Preview) -> int:
    """How many dependants the verb would put in doubt."""
    return sum(effect.change == "suspect" for effect in preview.effects)


def refusal(verb: Verb, preview: Preview) -> str:
    """Why the verb cannot be given here."""
    word = verb.replace("_", " ")
    return f"{word.capitalize()} is not possible here: {one_line(preview.reason) or 'the store does not allow it.'}"


def done(result: ResolutionResult, along: int = 0) -> str:
    """What was written, in a sentence or two. `along` conflicts were settled by the same verb."""
    conflict, verb = result.conflict, Verb(result.verb)
    old, new = conflict.incumbent.memory.short_id, conflict.challenger.memory.short_id
    if result.waiting:
        others = counted(len(result.waiting), "other conflict")
        are = "is" if len(result.waiting) == 1 else "are"
        return f"Noted. Nothing changes until {others} of {new} {are} settled too."
    said = {
        Verb.SUPERSEDE: f"{old} is superseded by {new}.",
        Verb.REFUTE: f"{new} is refuted, {old} stays.",
        Verb.MERGE: f"{old} and {new} are merged into one text.",
        Verb.FORCE: f"{old} and {new} both stay, as competing.",
        Verb.BRANCH: "One side is narrowed; the two no longer overlap.",
        Verb.DISMISS: f"Not a clash: {old} and {new} both stay.",
        Verb.ABORT: f"{new} is dropped, {old} stays.",
    }[verb]
    suspects = sum(effect.change == "suspect" for effect in result.effects)
    if suspects:
        said += f" {counted(suspects, 'memory', 'memories')} became suspect."
    if along:
        said += f" {counted(along, 'other conflict')} settled with it."
    return said


def taken_back(result: ResolutionResult) -> str:
    """What an undo brought back, and what would undo the undo."""
    if not result.reopened:
        said = f"{short(result.conflict.id)} waits for its verb again."
    elif len(result.reopened) == 1:
        said = f"the conflict is open again, as {short(result.reopened[0])}."
    else:
        said = f"{len(result.reopened)} conflicts are open again."
    return f"Taken back: {said} To redo give its verb again, or in a shell: tur undo {result.seq}."


def short(conflict_id: str) -> str:
    """`conflict-1a2b3c4d`, for people."""
    return conflict_id[: len("conflict-") + 8]
