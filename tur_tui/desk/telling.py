"""A conflict or a memory told as plain lines: for a terminal without a workbench, and for pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tur_engine.records import Belief, Conflict, HistoryEntry, Preview, Verb
from tur_engine.text import visible

from ..drawing.wording import content, standing
from ..drawing.wrapping import wrapped


@dataclass(frozen=True)
class Account:
    """Everything about one conflict or one memory."""

    history: Sequence[HistoryEntry]
    conflict: Conflict | None = None
    previews: Mapping[Verb, Preview] = field(default_factory=dict)
    memory: Belief | None = None
    exposed: str = ""
    """How long the conflict stood open, and whom its sides reached."""


def told(account: Account, width: int) -> Iterator[str]:
    """Everything about it, top to bottom, no line wider than asked."""
    if account.conflict:
        yield from _conflict(account.conflict, width)
        yield from wrapped(visible(account.exposed, newlines=False), width) if account.exposed else ()
    if account.memory:
        yield from _side("Memory", account.memory, width)
    if account.previews:
        yield from ("", "What each verb would do")
        for preview in account.previews.values():
            effects = "; ".join(each.sentence for each in preview.effects) or "nothing changes"
            said = effects if preview.allowed else f"not possible. {preview.reason}"
            yield from _hanging(f"  {preview.verb.key} {preview.verb}: ", said, width)
    yield from ("", "So far")
    for entry in account.history:
        why = f" ({entry.reason})" if entry.reason else ""
        yield from _hanging(f"  #{entry.seq} ", f"{entry.actor}: {entry.summary}{why}", width)


def _conflict(conflict: Conflict, width: int) -> Iterator[str]:
    yield from wrapped(
        f"{conflict.id}: {conflict.probability:.0%} likely that the two cannot both hold; {conflict.conflict_type}, "
        f"found by {conflict.detected_by} evidence. State: {conflict.state}, revision {conflict.revision}.",
        width,
    )
    yield ""
    yield from _side("Existing", conflict.incumbent, width)
    yield ""
    yield from _side("New", conflict.challenger, width)
    yield from ("", "Why")
    for piece in sorted(conflict.evidence, key=lambda each: -abs(each.weight)):
        yield from _hanging(f"  {piece.weight:+5.2f} ", piece.sentence, width)
    if not conflict.evidence:
        yield "  no evidence is recorded"
    if done := conflict.settlement:
        why = f": {done.reason}" if done.reason else ", without a reason"
        yield ""
        yield from wrapped(visible(f"Settled: {done.verb} by {done.by}{why}", newlines=False), width)


def _side(title: str, belief: Belief, width: int) -> Iterator[str]:
    memory = belief.memory
    yield f"{title}: {belief.id}"
    yield from (f"  | {line}" for line in wrapped(content(memory), width - 4))
    facts = f"{standing(belief)}; scope {memory.scope}; by {memory.author}; confidence {memory.confidence.score:.2f}"
    yield from _hanging("  ", facts, width)


def _hanging(head: str, text: str, width: int) -> Iterator[str]:
    first, *rest = wrapped(visible(text, newlines=False), max(16, width - len(head))) or [""]
    yield head + first
    yield from (" " * len(head) + line for line in rest)
