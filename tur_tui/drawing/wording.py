"""Words and marks for what the ledger holds: one place, so that every pane says the same thing the same way."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from tur_engine.records import Belief, EventKind, Memory, Scalar, Status
from tur_engine.text import counted as counted
from tur_engine.text import visible


class Mark(NamedTuple):
    """How a kind of event is shown: a glyph one cell wide and a tone; the kind itself is the word."""

    glyph: str
    tone: str


MARKS: Final[dict[EventKind, Mark]] = {
    EventKind.FOUNDED: Mark("⌂", "dim"),
    EventKind.LEARNED: Mark("+", "plain"),
    EventKind.HELD: Mark("!", "conflict"),
    EventKind.PROPOSED: Mark("?", "invariant"),
    EventKind.CONFIRMED: Mark("=", "dim"),
    EventKind.NOTED: Mark("✎", "dim"),
    EventKind.REJECTED: Mark("✗", "conflict"),
    EventKind.CHOSEN: Mark("»", "suspect"),
    EventKind.RESOLVED: Mark("✓", "settled"),
    EventKind.UNDONE: Mark("↺", "suspect"),
    EventKind.REAFFIRMED: Mark("↻", "settled"),
    EventKind.ESCALATED: Mark("^", "conflict"),
    EventKind.DETECTED: Mark("⊭", "conflict"),
    EventKind.SIGNED: Mark("✷", "dim"),
    EventKind.APPROVED: Mark("✶", "invariant"),
    EventKind.DECLINED: Mark("✘", "invariant"),
    EventKind.RETRACTED: Mark("-", "suspect"),
    EventKind.REDACTED: Mark("⊘", "dim"),
    EventKind.ENROLLED: Mark("⊞", "invariant"),
    EventKind.REVOKED: Mark("⊟", "invariant"),
    EventKind.POLICY: Mark("#", "invariant"),
    EventKind.QUARANTINED: Mark("⊠", "suspect"),
    EventKind.RELEASED: Mark("⊡", "dim"),
    EventKind.RESTORED: Mark("⟲", "invariant"),
    EventKind.MAPPED: Mark("⋈", "plain"),
    EventKind.PERSONA: Mark("⊛", "invariant"),
    EventKind.RELABELLED: Mark("⊚", "suspect"),
}
"""None of the glyphs is of East Asian ambiguous width or turns into an emoji."""

KIND_WIDTH: Final = max(len(kind) for kind in EventKind)

_STEPS: Final = (
    (60, 1, "s", "second"),
    (3600, 60, "m", "minute"),
    (86400, 3600, "h", "hour"),
    (14 * 86400, 86400, "d", "day"),
    (60 * 86400, 7 * 86400, "w", "week"),
    (730 * 86400, 30 * 86400, "mo", "month"),
)


def now() -> datetime:
    """The clock of the panes; each takes another one in tests."""
    return datetime.now(UTC)


def _measure(at: datetime, moment: datetime) -> tuple[int, str, str]:
    seconds = max(0, int((moment - at).total_seconds()))
    for below, unit, short, long in _STEPS:
        if seconds < below:
            return seconds // unit, short, long
    return seconds // (365 * 86400), "y", "year"


def age(at: datetime, moment: datetime) -> str:
    """How long ago, in at most four cells: `12s`, `3m`, `2h`, `5d`, `3w`, `11mo`, `4y`; `now` below 5 seconds."""
    count, short, _ = _measure(at, moment)
    return "now" if short == "s" and count < 5 else f"{count}{short}"


def age_in_words(at: datetime, moment: datetime) -> str:
    """How long ago, spelled out: `3 minutes ago`."""
    count, short, long = _measure(at, moment)
    if short == "s" and count < 5:
        return "just now"
    return f"{count} {long}{'' if count == 1 else 's'} ago"


def when(at: datetime) -> str:
    """A moment in the person's own time zone, to the minute."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def standing(belief: Belief) -> str:
    """Where a memory stands, in words: its status, and what is in question about it."""
    words = [belief.status.value.replace("_", " ")]
    if belief.approved:
        words.append("approved")
    if belief.status is Status.SUSPECT and belief.suspect_because:
        words.append(f"rests on {len(belief.suspect_because)} fallen")
    if belief.contested:
        words.append("contested")
    return ", ".join(words)


def content(memory: Memory) -> str:
    """The text of a memory, fit for a screen; a redacted one says so."""
    if memory.redacted and not memory.content.strip():
        return "(redacted)"
    return visible(memory.content)


def scalar(value: Scalar) -> str:
    """A structured value as people read it, strings without quotes."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return visible(str(value), newlines=False)
