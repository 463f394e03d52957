"""What others confirmed since is theirs too: an agent that takes its own back does not take it from them."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import NotAllowed
from ..ledger import Reads
from ..records import Author, AuthorKind, EventKind, Status


def leave_confirmed(reads: Reads, falling: Iterable[str], since: int, actor: Author) -> None:
    """Raise NotAllowed where an agent would take out a memory that somebody else confirmed after event `since`."""
    if actor.kind is AuthorKind.HUMAN:
        return
    for digest in falling:
        mid = reads.mid(digest)
        if mid is None or reads.status(mid) is not Status.ACTIVE:
            continue
        for seq in reads.mentions(digest):
            if seq <= since or reads.kind(seq) != EventKind.CONFIRMED:
                continue
            by = reads.event(seq)[1]
            if by != actor:
                raise NotAllowed(
                    f"event {seq} ({EventKind.CONFIRMED}) by {by} confirmed {reads.memory(mid).short_id} since; "
                    "it is not yours alone any more: learn what is to hold instead, or leave it to people"
                )
