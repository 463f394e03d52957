"""How a graph is to come in: by whom, where it holds, and what is done where it contradicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..records import Author, OnConflict, Scope


@dataclass(frozen=True)
class Wishes:
    """How a graph is to come in."""

    actor: Author
    scope: Scope = field(default_factory=Scope)
    session: str | None = None
    on_conflict: OnConflict = OnConflict.HOLD
    declared: Sequence[str] = ()
    """Edge types that the persona file declares."""
    provenance: dict[str, str] = field(default_factory=dict)
