"""A time as people name it: a date, today, yesterday, how long ago."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from ..errors import BadInput
from .words import moment

HOW = "a date or time, today, yesterday, or how long ago: 30m, 2h, 2d, 1w"
_AGO = re.compile(r"(\d{1,6})\s*(m|min|h|d|w)(?:\s+ago)?")
_UNITS = {"m": "minutes", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def time(text: str, now: datetime) -> datetime | None:
    """Return the time that a text names, seen from an aware `now`; None where it names none."""
    word = text.strip().lower()
    if word in ("today", "yesterday"):
        midnight = datetime(now.year, now.month, now.day).astimezone()
        return midnight if word == "today" else (midnight - timedelta(hours=1)).replace(hour=0)
    if ago := _AGO.fullmatch(word):
        return _before(now, timedelta(**{_UNITS[ago[2]]: int(ago[1])}))
    try:
        return moment(text).astimezone()
    except (BadInput, OverflowError, ValueError, OSError):
        return None


def _before(now: datetime, span: timedelta) -> datetime:
    try:
        return now - span
    except OverflowError:
        return datetime.min.replace(tzinfo=now.tzinfo)
