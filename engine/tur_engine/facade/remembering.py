"""What was believed at any moment, how one memory came to stand where it does, and what it descends from."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..ledger import Reads
from ..ledger.history import Narrator
from ..ledger.reads.finding import find
from ..ledger.reads.remembered import remembered
from ..records import Belief, Descent, Edge, LifeStep, Lineage, MemoryType, Remembered, Status
from .store import Store

_DESCENT = frozenset({"superseded_by", "refuted_by"})
MOST_RELATED = 200
"""Memories of one lineage that are read at the most."""


class Remembering(Store):
    """What was believed, and how it came about."""

    def remembered(
        self, *, text: str = "", type: MemoryType | None = None, by: str = "", ever: bool = False
    ) -> list[Remembered]:
        """Return what is believed, without texts, newest first; with `ever` all that was ever learned or held.

        `text` is words that words of the memory begin with, or the begin of an id; `by` is part of an actor's name.
        """
        with self._reads() as (_, reads):
            return remembered(reads, text=text, type=type, by=by, ever=ever)

    def find(self, text: str, *, limit: int = 12) -> list[Belief]:
        """Return the memories meant by what a person types, best first: an id, words as they begin, misspelt words."""
        with self._reads() as (_, reads):
            return [reads.belief(seq) for seq in find(reads, text, limit)]

    def beliefs(self, seqs: Sequence[int]) -> list[Belief]:
        """Return the memories that these events brought in, in the order given."""
        with self._reads() as (_, reads):
            return [reads.belief(seq) for seq in seqs]

    def life(self, ref: str) -> list[LifeStep]:
        """Return the events about a memory, oldest first, each with where the memory stood before and after.

        Raises UnknownId, AmbiguousId, BadInput.
        """
        with self._reads() as (db, reads):
            mid = reads.find_memory(ref)
            narrator = Narrator(db, reads)
            steps = []
            for seq in reads.mentions(reads.digest(mid)):
                if seq < mid:
                    continue  # an event that foretold it
                after = reads.as_of(seq)
                before = reads.as_of(seq - 1) if seq > mid else None
                steps.append(
                    LifeStep(
                        entry=narrator.entry(seq),
                        before=_standing(before, mid) if before else None,
                        after=_standing(after, mid),
                        approved_before=before.approved(mid) if before else False,
                        approved=after.approved(mid),
                    )
                )
            return steps

    def lineage(self, ref: str, *, limit: int = MOST_RELATED) -> Lineage:
        """Return what a memory superseded, merged or refuted, and what did so to it, as far as that reaches.

        Raises UnknownId, AmbiguousId, BadInput.
        """
        with self._reads() as (_, reads):
            start = reads.digest(reads.find_memory(ref))
            found: dict[str, None] = {start: None}
            descents: dict[tuple[str, str], Descent] = {}
            ahead = deque([start])
            more = False
            while ahead:
                mid = reads.mid(ahead.popleft())
                for source, target, kind, seq in reads.edge_rows(mid) if mid is not None else ():
                    if kind not in _DESCENT:
                        continue
                    fresh = [end for end in (source, target) if end not in found]
                    if fresh and len(found) >= limit:
                        more = True
                        continue
                    found.update(dict.fromkeys(fresh))
                    ahead.extend(fresh)
                    if (source, target) not in descents:
                        edge = reads.drawn(source, target, kind, seq)
                        how = _how(reads, edge)
                        descents[source, target] = Descent(older=source, newer=target, how=how, edge=edge)
            memories = [reads.belief(mid) for mid in map(reads.mid, found) if mid is not None]
        return Lineage(focus=start, memories=tuple(memories), descents=tuple(descents.values()), more=more)


def _standing(reads: Reads, mid: int) -> Status:
    status = reads.status(mid)
    return Status.SUSPECT if status is Status.ACTIVE and reads.causes(mid) else status


def _how(reads: Reads, edge: Edge) -> str:
    if edge.type == "refuted_by":
        return "refuted"
    data = reads.event(reads.decision_behind(edge.source, edge.target, edge.seq))[2]
    return "merged" if data.get("decision", {}).get("verb") == "merge" else "superseded"
