"""Which memories could one of a store clash with? The gate's probe, asked of all that came in before (or after) it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

import apsw

from ..detect.nets import nets
from ..ledger import Reads, search
from ..ledger.codec import topic_key
from ..ledger.sweep import Standing, by_words_between
from ..probe.candidate import Candidate
from ..probe.net import Net, haul
from ..probe.probe import FLOOR, NEAREST, fused, sift
from ..probe.words import distinctive, forms
from ..records import Memory, Status
from .nearest import Near, Vectors

_REMEMBERED = 8192
_END = 2**62


class Shelf:
    """The live memories of one moment, read once each."""

    def __init__(self, db: apsw.Connection, standings: list[Standing], vectors: Vectors) -> None:
        self.db = db
        self.reads = Reads(db)
        self.vectors = vectors
        self.standing = {standing.mid: standing for standing in standings}
        self.approved = [standing.mid for standing in standings if standing.approved]
        self.memory: Callable[[int], Memory] = lru_cache(maxsize=_REMEMBERED)(self.reads.memory)

    def older(self, mid: int, near: Near) -> list[Candidate]:
        """Return the incumbents of a memory worth weighing; `near` are its nearest older ones."""
        return self._worth(mid, near, 0, mid, self.approved)

    def newer(self, mid: int, near: Near, among: Collection[int]) -> list[Candidate]:
        """Return those of later ones, `among` them only, that the memory could stand in the way of."""
        apart = {*self.approved, *(self.standing.keys() - set(among))}
        return self._worth(mid, [hit for hit in near if hit[0] in among], mid + 1, _END, apart)

    def _worth(self, mid: int, near: Near, low: int, high: int, apart: Collection[int]) -> list[Candidate]:
        memory = self.memory(mid)
        words = distinctive(f"{memory.content} {memory.topic or ''}")
        cosines = dict(near)
        rare = [word for word, _ in search.rarest(self.db, words, forms=forms)]
        lexical = by_words_between(self.db, rare, NEAREST, low, high)
        key = topic_key(memory.topic)
        exact = {other for other in self.reads.same_topic(key) if low <= other < high} if key else set()
        exact.update(self._declared(memory, low, high))
        met = haul(nets(memory.content), lambda net, limit: self._cast(net, limit, low, high), self.memory)
        order = fused([other for other, cosine in near if cosine >= FLOOR], lexical, exact, list(met))
        cosines |= self.vectors.cosines(mid, [other for other in order if other not in cosines])
        standing = (other for other in order if other in self.standing and other not in apart)
        return sift(standing, memory.scope, set(words), cosines, exact, self.memory, met)

    def _cast(self, net: Net, limit: int, low: int, high: int) -> list[int]:
        return search.by_phrases(
            self.db,
            net.phrases,
            net.about,
            limit,
            statuses=[str(Status.ACTIVE)],
            now=self.reads.now,
            low=low,
            high=high,
        )

    def _declared(self, memory: Memory, low: int, high: int) -> list[int]:
        """Memories that this one says it contradicts."""
        named = [self.reads.mid(relation.target) for relation in memory.relations if relation.type == "contradicts"]
        return [mid for mid in named if mid is not None and low <= mid < high]
