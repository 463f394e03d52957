"""What a verb changes: effect by effect, and as a preview."""

from __future__ import annotations

from .base import Record
from .conflict import Verb


class Effect(Record):
    """One change a verb brings: a memory's status moves, an edge is drawn, a scope narrows."""

    subject: str
    """Full id of the memory; of conflicts that are settled along with another the first one's."""
    change: str
    """`status`, `suspect`, `edge`, `scope`, `new`, `conflict`."""
    before: str = ""
    after: str = ""
    sentence: str


class Preview(Record):
    """What one verb would change, in plain sentences; nothing is written."""

    verb: Verb
    allowed: bool = True
    reason: str = ""
    """Why it is not allowed."""
    effects: tuple[Effect, ...] = ()
    later: tuple[Effect, ...] = ()
    """What it would change on this pair once the rest of the candidate's conflicts is settled."""

    @property
    def summary(self) -> str:
        if self.later and not self.effects:
            return f"{self.reason}; then {_told(self.later)}"
        return _told(self.effects) or self.reason


def _told(effects: tuple[Effect, ...]) -> str:
    return "; ".join(dict.fromkeys(effect.sentence for effect in effects))
