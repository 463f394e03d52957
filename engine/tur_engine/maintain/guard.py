"""What stands against a memory that a decision would let in: an invariant in force, a quarantine (CONTRACTS 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect
from ..records import Scope


class Bar(NamedTuple):
    """One thing against it."""

    sentence: str
    """Why it stays out, as people read it."""
    violates: str = ""
    """Id of the invariant that it contradicts for certain; empty for a suspicion or a quarantine."""
    conflict: str = ""
    """The conflict to be opened; empty where the other side is not in this store."""
    waivable: bool = False
    """True where a person may let it in all the same."""
    effects: Sequence[Effect] = ()
    bodies: Sequence[Body] = ()


Guard = Callable[[Reads, str, Scope | None], list[Bar]]
"""Gives what stands against a held memory (by digest) that would hold in a scope; None: where it holds now."""
