"""Toasts that neither a slow machine nor a quick person can turn into a standstill or a wall."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from textual.notifications import Notification, Notifications

SHORTEST = 0.05
"""Seconds that a toast is up at least. Textual's timer never ends where it is given a time that is over already."""
MOST: Final = 2
"""Toasts on the screen; what gives way is among the notices."""


@dataclass
class Notice(Notification):
    """A notification whose toast always has a time to be up, however late it is drawn."""

    series: str = ""
    """What it is one of, in the plural; those that follow each other share one toast."""
    number: int = 1
    """How many of the series it stands for."""
    over: bool = False
    """Shown over a dialog too: it answers a key that was pressed there."""

    @property
    def time_left(self) -> float:
        return max(SHORTEST, super().time_left)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0


def make_room(shown: Notifications, newcomer: Notification) -> Notification:
    """What to show for a newcomer: the last of a series stands for all of it, and only so many stay."""
    for last in list(shown):
        if not isinstance(last, Notice) or not isinstance(newcomer, Notice):
            continue
        if newcomer.series and last.series == newcomer.series:
            number = last.number + 1
            newcomer = replace(newcomer, number=number, message=f"{number} {newcomer.series}: {newcomer.message}")
            del shown[last]
        elif newcomer.message == last.message:
            del shown[last]
    up = list(shown)
    while len(up) >= MOST:
        gives_way = next((each for each in up if each.severity == "information"), up[0])
        up.remove(gives_way)
        del shown[gives_way]
    return newcomer


def over_a_dialog(shown: Notifications) -> Notifications:
    """Those that may lie over a dialog; the others wait until it is closed."""
    kept = Notifications()
    for each in shown:
        if isinstance(each, Notice) and each.over:
            kept.add(each)
    return kept
