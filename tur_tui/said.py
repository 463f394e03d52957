"""What the workbench said since it was started, so that a toast that is gone can be read again."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime
from typing import Final

KEPT: Final = 500
"""Sentences that are remembered."""


@dataclass(frozen=True)
class Said:
    """One sentence."""

    at: datetime
    kind: str
    """`information`, `warning` or `error`."""
    text: str


class Log(deque[Said]):
    """The last of them, oldest first."""

    def __init__(self) -> None:
        super().__init__(maxlen=KEPT)

    def take(self, text: str, kind: str, at: datetime) -> None:
        """Remember a sentence; one that is said again at once is remembered once."""
        if text and not (self and (self[-1].text, self[-1].kind) == (text, kind)):
            self.append(Said(at, kind, text))
