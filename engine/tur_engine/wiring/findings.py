"""What the doctor found: one sentence on each surface, and the command that mends it."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that was looked at."""

    surface: str
    """A harness's name, or what is shared by all."""
    ok: bool | None
    """None: not tried, and nothing is wrong with that."""
    sentence: str
    mend: str = ""
    """What to do, mostly a command."""

    @property
    def word(self) -> str:
        return "-" if self.ok is None else "ok" if self.ok else "missing"
