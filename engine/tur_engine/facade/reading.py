"""What is believed: recall, memories, conflicts, history."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..govern.persona import standing
from ..ledger import Reads, search
from ..ledger.history import Narrator
from ..ledger.schema import OPEN
from ..maintain.view import View
from ..probe.recall import recall
from ..records import (
    Belief,
    Conflict,
    ConflictState,
    FeedFilter,
    HistoryEntry,
    MemoryType,
    Preview,
    ProposalState,
    RecalledMemory,
    Scope,
    Status,
    StoreStatus,
    Verb,
)
from ..text import accept, tokens
from .serving import Serving

OPEN_STATES = tuple(state for state in ConflictState if state.open)


class Reading(Serving):
    """What is believed: recall, memories, conflicts, history."""

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        path: str | None = None,
        branch: str | None = None,
        include_superseded: bool = False,
        session: str | None = None,
    ) -> list[RecalledMemory]:
        """Return what is believed about the query; contested memories bring their other side.

        Nothing where the query holds no word.
        With a `session` ("" for one without a name) it is noted that the actor was handed them: see `exposure`.
        """
        query = accept(query, "query")
        if not tokens(query):  # a vector of signs alone is near to anything short
            return []
        here = Scope(path=path, branch=branch) if path or branch else None
        packed = self._minds.embed(query)
        with self._reads() as (db, reads):
            vector = None if packed is None else packed[-384:]
            hits = recall(db, reads, query, vector, limit=limit, here=here, include_superseded=include_superseded)
            self._note_served(reads, [hit.belief for hit in hits], session)
        return hits

    def memories(
        self,
        *,
        status: Collection[Status] | None = None,
        type: MemoryType | None = None,
        limit: int = 100,
        after: int = 0,
    ) -> list[Belief]:
        """Return memories newest first, live ones where no status is named; `after` pages on from a `memory.seq`."""
        wanted = status if status is not None else (Status.ACTIVE, Status.SUSPECT)
        with self._reads() as (_, reads):
            return [reads.belief(mid) for mid in reads.with_status(wanted, type=type, limit=limit, after=after)]

    def memory(self, ref: str) -> Belief:
        """Return one memory by id or unique prefix of 4+ hex. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return reads.belief(reads.find_memory(ref))

    def full_id(self, ref: str) -> str:
        """Return the full id of a memory, a conflict or a proposal, of which the digits alone may be given.

        Raises UnknownId, AmbiguousId, BadInput.
        """
        with self._reads() as (_, reads):
            return reads.find_any(ref)

    def vectors(self, seqs: Sequence[int]) -> dict[int, bytes]:
        """Return the vectors of memories by `memory.seq`, each behind its model's SHA-256; some have none."""
        with self._reads() as (db, _):
            found = {seq: search.packed(db, seq) for seq in seqs}
        return {seq: packed for seq, packed in found.items() if packed}

    def conflicts(self, *, all: bool = False, limit: int | None = None) -> list[Conflict]:
        """Return open conflicts in queue order: probability, dependants, age; with `all` the settled ones too."""
        with self._reads() as (_, reads):
            ranked = sorted(reads.conflict_ids(() if all else OPEN_STATES), key=reads.rank)
            return [reads.conflict(cid) for cid in ranked[:limit]]

    def conflict(self, ref: str) -> Conflict:
        """Return one conflict by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return reads.conflict(reads.find_conflict(ref))

    def preview(self, ref: str, verb: Verb) -> Preview:
        """Return what a verb would change; nothing is written."""
        with self._reads() as (_, reads):
            conflict = reads.conflict(reads.find_conflict(ref))
            return self._resolver.preview(reads, View(reads), conflict, verb)

    def history(self, ref: str | None = None, *, limit: int | None = None) -> list[HistoryEntry]:
        """Return events oldest first: all, or those about one memory or conflict; `limit` keeps the latest."""
        with self._reads() as (db, reads):
            narrator = Narrator(db, reads)
            seqs = narrator.index(FeedFilter())[::-1] if ref is None else self._mentions(reads, ref)
            if limit is not None:
                seqs = seqs[-limit:] if limit > 0 else []
            return [narrator.entry(seq) for seq in seqs]

    def _mentions(self, reads: Reads, ref: str) -> list[int]:
        return reads.mentions(reads.find_any(ref).rpartition("-")[2])

    def status(self) -> StoreStatus:
        """Return counts, head and what the detector has to go by."""
        with self._reads() as (_, reads):
            counts = reads.counts()
            opened = len(reads.conflict_ids(OPEN_STATES))
            invariants = len(reads.approved_rows())
            pending = len(reads.proposal_ids(ProposalState.PENDING))
            persona = standing(reads, self.path)
        return StoreStatus(
            path=str(self.path),
            store_id=self._ledger.store_id,
            memories=counts,
            open_conflicts=opened,
            invariants=invariants,
            proposals_pending=pending,
            head=self._ledger.tree_head(self._now if self._now != OPEN - 1 else None),
            judge=self._minds.has_judge,
            read_only=self.read_only,
            persona=persona,
            former=self.former(),
        )
