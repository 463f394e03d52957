"""One memory's life and lineage in words: a word for each event, a tree, and what changed between two events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tur_engine.engine import Engine
from tur_engine.records import Belief, Change, Descent, EventKind, LifeStep, Lineage, Status
from tur_engine.text import excerpt, visible

from ..drawing.wording import MARKS, content, standing, when

FALLEN: Final = frozenset({Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED})
_GROUPS: Final = (
    ("learned", "+"),
    ("held", "!"),
    ("proposed", "+"),
    ("restored", "+"),
    ("superseded", "~"),
    ("refuted", "~"),
    ("retracted", "~"),
    ("suspect", "~"),
    ("cleared", "="),
)
"""Groups of a difference, each with the mark before its lines."""
_SETTLED: Final = frozenset({EventKind.RESOLVED, EventKind.CHOSEN})
_SAME: Final = {
    EventKind.CONFIRMED: "confirmed",
    EventKind.ESCALATED: "escalated",
    EventKind.REDACTED: "redacted",
    EventKind.SIGNED: "signed",
    EventKind.APPROVED: "approved",
    EventKind.DECLINED: "declined",
    EventKind.MAPPED: "mapped",
    EventKind.NOTED: "noted",
}


def happened(step: LifeStep) -> tuple[str, str, str]:
    """A glyph, a word and a tone for what an event did to the memory."""
    kind, before, after = step.entry.kind, step.before, step.after
    glyph, tone = MARKS[kind]
    if before is None:
        return glyph, "learned" if kind is EventKind.LEARNED else kind.value, tone
    if step.approved != step.approved_before:
        return ("✶", "approved", "invariant") if step.approved else (glyph, "retired", "suspect")
    if before != after:
        return _moved(before, after)
    if kind in _SETTLED:
        return ("✓", "upheld", "settled") if after.live else (glyph, "decided on", tone)
    if kind is EventKind.UNDONE:
        return glyph, "reopened", tone
    if kind in _SAME:
        return glyph, _SAME[kind], tone
    if step.entry.conflict_id:
        return "!", "challenged", "conflict"
    return (glyph, "built on", "dim") if kind is EventKind.LEARNED else (glyph, "named", "dim")


def _moved(before: Status, after: Status) -> tuple[str, str, str]:
    if after in FALLEN:
        glyph = {Status.SUPERSEDED: "»", Status.REFUTED: "✗"}.get(after, "-")
        return glyph, after.value, "conflict" if after is Status.REFUTED else "suspect"
    if after is Status.SUSPECT:
        return "?", "doubted", "suspect"
    if after is Status.ACTIVE:
        if before in FALLEN:
            return "↺", "restored", "settled"
        return ("↻", "reaffirmed", "settled") if before is Status.SUSPECT else ("✓", "admitted", "settled")
    return "!", f"{after.value.replace('_', ' ')} again", "conflict"


@dataclass(frozen=True)
class Branch:
    """One row of the lineage: a memory under the one that took its place."""

    belief: Belief
    stem: str
    """The lines before it."""
    how: str
    """How it gave way; "" for what holds at the end."""
    descent: Descent | None = None
    again: bool = False
    """True where it stands further up already, with all below it."""


def branches(lineage: Lineage) -> list[Branch]:
    """The lineage as a tree: what holds on top, below it what it took the place of, the latest first."""
    known: Mapping[str, Belief] = {each.memory.digest: each for each in lineage.memories}
    below: dict[str, list[Descent]] = {}
    for each in sorted(lineage.descents, key=lambda each: -each.edge.seq):
        below.setdefault(each.newer, []).append(each)
    gave_way = {each.older for each in lineage.descents}
    tops = sorted((d for d in known if d not in gave_way), key=lambda d: -known[d].memory.seq)
    rows: list[Branch] = []
    seen: set[str] = set()
    # (memory, lines before it, lines before what is below it, what led to it)
    ahead: list[tuple[str, str, str, Descent | None]] = [(top, "", "", None) for top in (tops or [lineage.focus])[::-1]]
    while ahead:
        digest, stem, under, descent = ahead.pop()
        if digest not in known:
            continue
        again = digest in seen
        rows.append(Branch(known[digest], stem, descent.how if descent else "", descent, again))
        if again:
            continue
        seen.add(digest)
        older = below.get(digest, [])
        for place, each in reversed(list(enumerate(older))):
            last = place == len(older) - 1
            ahead.append((each.older, f"{under}{'└─' if last else '├─'} ", f"{under}{'   ' if last else '│  '}", each))
    return rows


def changes(engine: Engine, first: int, last: int) -> list[str]:
    """What stands otherwise after the later event than after the earlier one, a sentence each.

    Slow: for a thread worker.
    """
    between = engine.diff(*sorted((first, last)))
    lines = [_changed(mark, word, each) for word, mark in _GROUPS for each in between.memories[word]]
    for mark, word, conflicts in (("!", "opened", between.opened), ("=", "settled", between.settled)):
        for each in conflicts:
            sides = (each.challenger.memory, each.incumbent.memory)
            against = " against ".join(f'{side.short_id} "{excerpt(side.content, 80)}"' for side in sides)
            lines.append(f"{mark} conflict {word}: {against}")
    return lines


def _changed(mark: str, word: str, change: Change) -> str:
    memory = change.belief.memory
    who, reason = (visible(text, newlines=False) for text in (str(change.by), change.reason))
    because = f". Because: {reason}" if reason else ""
    named = f'{memory.short_id} "{excerpt(content(memory), 200)}"'
    return f"{mark} {word}: {named}, event {change.seq} by {who}{because}"


def exposed(engine: Engine, life: Sequence[LifeStep]) -> dict[int, str]:
    """What is known of each conflict that an event of this life settled. Slow: for a thread worker."""
    settled = {step.entry.seq: step.entry.conflict_id for step in life if step.entry.kind is EventKind.RESOLVED}
    told = {seq: engine.exposure(conflict).sentence for seq, conflict in settled.items() if conflict}
    return {seq: sentence for seq, sentence in told.items() if sentence}


def told(step: LifeStep) -> str:
    """The step in one sentence, with who, when and why."""
    entry = step.entry
    who, summary = (visible(text, newlines=False) for text in (str(entry.actor), entry.summary))
    reason = visible(entry.reason, newlines=False)
    because = f" Because: {reason}" if reason and reason not in summary else ""
    return f"Event {entry.seq}, {when(entry.at)}, by {who}: {summary}.{because}"


def telling(belief: Belief, life: Sequence[LifeStep], lineage: Lineage) -> list[str]:
    """The whole of it as plain lines, for export."""
    memory = belief.memory
    lines = [belief.id, f"{standing(belief)}; scope {memory.scope}; by {memory.author}", "", memory.content, "", "Life"]
    lines += [f"  {happened(step)[1]}: {told(step)}" for step in life]
    if lineage.descents:
        lines += ["", "Lineage"]
        for each in branches(lineage):
            how = f"{each.how}: " if each.how else ""
            kept = each.belief.memory
            said = excerpt(kept.content, 200)
            lines.append(f'  {each.stem}{how}{kept.short_id} ({standing(each.belief)}) "{said}"')
    return [visible(line) for line in lines]
