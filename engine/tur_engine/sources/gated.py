"""Rules on their way through the gate, weighed as a scan weighs them: their headings keep them apart, its forms count.

Only pairs of which both sides were imported from rule files are; against an invariant, and against what was learned
otherwise, a rule is weighed as any memory is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..detect.verdict import Profile
from ..probe.candidate import Candidate
from ..records import Memory, Relationship, Verdict
from .apart import apart
from .statements import Statement
from .telling import told

if TYPE_CHECKING:
    from ..engine import Engine

Weigh = Callable[[Memory, Sequence[Candidate]], list[Verdict]]


def weigh_rules(engine: Engine) -> None:
    """Let the engine weigh pairs of rules as a scan does, from now on."""
    engine.weigh_through(partial(weighed, Profile(engine.settings.profile)))


def weighed(profile: Profile, weigh: Weigh, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
    """Return one verdict for each candidate; `weigh` is what the detector says of a pair."""
    mine = _rule(challenger)
    theirs = [None if mine is None or c.memory.type.invariant_tier else _rule(c.memory) for c in candidates]
    rules = [at for at, other in enumerate(theirs) if other is not None]
    others = [at for at, other in enumerate(theirs) if other is None]
    found: dict[int, Verdict] = {}
    if others:
        found |= zip(others, weigh(challenger, [candidates[at] for at in others]), strict=True)
    if rules:
        bare = [candidates[at]._replace(memory=_bare(candidates[at].memory), exact=False) for at in rules]
        found |= zip(rules, weigh(_bare(challenger), bare), strict=True)
    for at in rules:
        one, verdict = theirs[at], found[at]
        if one is None or mine is None or verdict.relationship is Relationship.DUPLICATE:
            continue
        kept = None if apart(one.subject, mine.subject) else told(profile, one, mine, candidates[at].cosine, verdict)
        found[at] = kept or verdict.model_copy(update={"relationship": Relationship.COMPATIBLE, "suspicious": False})
    return [found[at] for at in range(len(candidates))]


def _bare(memory: Memory) -> Memory:
    """Return the memory without its topic: headings say where a rule holds, not what it says."""
    return memory.model_copy(update={"topic": None})


def _rule(memory: Memory) -> Statement | None:
    """Return the rule that a memory was imported from; None where it was none, or says more than a rule."""
    file, _, line = memory.provenance.get("imported_from", "").rpartition(":")
    if not file or not line.isdecimal() or memory.fields or memory.relations:
        return None
    return Statement(file=file, line=int(line), text=memory.content, subject=memory.topic or "", scope=memory.scope)
