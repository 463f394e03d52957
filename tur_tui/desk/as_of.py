"""The moment that is looked at: what a person types for it, which event that is, and the words for the past."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from tur_engine.engine import Engine
from tur_engine.errors import BadInput
from tur_engine.text import excerpt

from ..actions import key
from ..drawing.grid import Piece
from ..drawing.wording import when

_AGO: Final = re.compile(r"(\d{1,5})\s*(m|min|h|d|w)(?:\s+ago)?")
_UNIT: Final = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_NUMBER: Final = re.compile(r"#?(\d{1,18})")
FORMS: Final = "an event number, 2026-03-04, 2026-03-04 12:00, 09:30, yesterday, 2d, 3h, or now"


def read_moment(typed: str, now: datetime) -> int | datetime | None:
    """The event or the moment that was typed; None for the present. Raises BadInput with the forms there are."""
    words = " ".join(typed.lower().split())
    if words in ("", "now"):
        return None
    if number := _NUMBER.fullmatch(words):
        return int(number[1])
    local = now.astimezone()
    if words in ("today", "yesterday"):
        # The end of yesterday, the beginning of today: what was known when the day began.
        return local.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(microseconds=1)
    try:
        if ago := _AGO.fullmatch(words):
            return now - timedelta(**{_UNIT[ago[2]]: int(ago[1])})
        if ":" in words and "-" not in words:
            hour, minute = (int(part) for part in words.split(":", 1))
            return local.replace(hour=hour, minute=minute, second=59, microsecond=999_999)
        at = datetime.fromisoformat(words.upper())
        if len(words) <= len("2026-03-04"):
            at = at.replace(hour=23, minute=59, second=59, microsecond=999_999)
        return (at if at.tzinfo else at.astimezone()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadInput(f'"{excerpt(typed, 40)}" is no moment; give {FORMS}') from None


def event_at(engine: Engine, wanted: int | datetime) -> int:
    """The event, or the last one recorded by that moment. Raises BadInput for a moment before the store."""
    head = engine.head()
    if isinstance(wanted, int):
        if not 1 <= wanted <= head:
            raise BadInput(f"there is no event {wanted}; the ledger holds 1 to {head}")
        return wanted
    seq = engine.event_at(wanted)
    if not seq:
        raise BadInput(f"the store was founded later, on {when(engine.entries([1])[0].at)}")
    return seq


def locked(engine: Engine, what: str) -> str:
    """Why nothing can be `what` (decided, signed) on a view for reading only."""
    if engine.as_of is not None:
        back = f"{key('time.now')} comes back to now"
        return f"This is the past, as of event {engine.as_of}: nothing can be {what} in it. {back}."
    return f"The store is open for reading only: nothing can be {what} here."


def track(width: int, seq: int, head: int) -> list[Piece]:
    """The slider's rail in exactly `width` cells: a knob where the moment is, what lies after it faint."""
    if width < 3:
        return [(" " * max(0, width), "")]
    at = 0 if head <= 1 else round((seq - 1) / (head - 1) * (width - 1))
    return [("━" * at, "known"), ("◆", "knob"), ("─" * (width - 1 - at), "unknown")]
