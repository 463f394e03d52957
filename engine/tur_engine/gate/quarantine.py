"""What a quarantined author says is held for people, whether or not anything clashes with it (CONTRACTS 6)."""

from __future__ import annotations

from ..ledger import Reads
from ..records import Author, Status
from .finding import Deliberation


def quarantine(reads: Reads, found: Deliberation, *authors: Author) -> None:
    """Hold a draft back where one of its authors is quarantined, or where it repeats what is held back already."""
    for author in dict.fromkeys(authors):
        if reads.quarantined(author):
            found.hold_back(f"its author {author} is quarantined")
            found.clashes = [clash._replace(guarded=True) for clash in found.clashes]
    if found.existing is not None and not found.must_hold and held_back(reads, found.existing):
        found.hold_back(f"{reads.memory(found.existing).short_id} says the same and is held back for people")


def held_back(reads: Reads, mid: int) -> bool:
    """True for a held memory that no open conflict stops."""
    if reads.status(mid) is not Status.HELD:
        return False
    return not any(reads.sides(cid)[1] == mid for cid in reads.conflicts_of(mid))
