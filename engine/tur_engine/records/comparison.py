"""Two structured memories that differ in a field."""

from __future__ import annotations

from .base import Record
from .memory import Belief


class FieldClash(Record):
    """A pair with a common scoping key, and the names of the fields whose values differ."""

    incumbent: Belief
    challenger: Belief
    fields: tuple[str, ...]
    conflict_id: str
    """The id of the pair's conflict, stored or not: it follows from the two digests."""
    new: bool
    """True where nobody knew of the pair before this comparison."""
