"""The beliefs as a plan sees them: the ledger, or the ledger and one candidate that is not in it yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ledger import Reads
from ..ontology import PASSES_SUSPICION, EdgeType
from ..records import Author, ConflictState, Scope, Status, Verb
from .decision import Decision


@dataclass(frozen=True, slots=True)
class PairState:
    """One conflict as a plan sees it; sides are digests."""

    cid: str
    incumbent: str
    challenger: str
    state: ConflictState


class View:
    """Answers by digest. `pairs` adds the clashes of a draft that is not stored: it counts as held."""

    def __init__(self, reads: Reads, pairs: Sequence[PairState] = ()) -> None:
        self._reads = reads
        self._pairs = list(pairs)

    def _mid(self, digest: str) -> int | None:
        return self._reads.mid(digest)

    def status(self, digest: str) -> Status:
        """Where it stands; a candidate not stored yet is held."""
        mid = self._mid(digest)
        return Status.HELD if mid is None else self._reads.status(mid)

    def approved(self, digest: str) -> bool:
        """True for an invariant in force."""
        mid = self._mid(digest)
        return mid is not None and self._reads.approved(mid)

    def certain(self, cid: str) -> bool:
        """True for a conflict that was found for certain, not as a suspicion alone."""
        if any(p.cid == cid for p in self._pairs):
            return self.pair(cid).state is ConflictState.DETECTED
        record = self._reads.conflict_record(cid)
        return bool(record.get("certain", record.get("state") != ConflictState.ESCALATED))

    def author(self, digest: str) -> Author | None:
        """Who said it; None for a candidate not stored yet."""
        mid = self._mid(digest)
        return None if mid is None else self._reads.memory(mid).author

    def quarantined(self, author: Author | None) -> bool:
        """True where what this author says or decides goes to people."""
        return author is not None and self._reads.quarantined(author)

    def scope(self, digest: str) -> Scope | None:
        """The scope it holds in now; None for a candidate not stored yet."""
        mid = self._mid(digest)
        return None if mid is None else Scope.parse(self._reads.scope_of(mid))

    def dependants(self, digest: str) -> list[str]:
        """Live memories that rest directly on it."""
        mid = self._mid(digest)
        if mid is None:
            return []
        return [self._reads.digest(d) for d in self._reads.dependants(mid, PASSES_SUSPICION)]

    def grounds(self, digest: str) -> list[str]:
        """Memories it rests on directly, but for those that it replaced itself."""
        mid = self._mid(digest)
        if mid is None:
            return []
        resting = [e.target for e in self._reads.edges_of(mid) if e.source == digest and e.type in PASSES_SUSPICION]
        return [ground for ground in dict.fromkeys(resting) if not self._replaced(ground, mid)]

    def _replaced(self, digest: str, by: int) -> bool:
        mid = self._mid(digest)
        return mid is not None and self._reads.has_edge(mid, by, EdgeType.SUPERSEDED_BY)

    def causes(self, digest: str) -> list[str]:
        """Fallen memories that make it suspect."""
        mid = self._mid(digest)
        return [] if mid is None else [self._reads.digest(cause) for cause in self._reads.causes(mid)]

    def suspected(self, digest: str, cause: str) -> bool:
        """True where the mark with this cause is set."""
        mid = self._mid(digest)
        return mid is not None and any(self._reads.digest(c) == cause for c in self._reads.causes(mid))

    def pair(self, cid: str) -> PairState:
        """One conflict by its id."""
        for known in self._pairs:
            if known.cid == cid:
                return known
        incumbent, challenger = self._reads.sides(cid)
        return PairState(cid, self._reads.digest(incumbent), self._reads.digest(challenger), self._reads.state(cid))

    def open_pairs(self, digest: str) -> list[PairState]:
        """Open conflicts it is a side of, oldest first."""
        mid = self._mid(digest)
        stored = [] if mid is None else [self.pair(cid) for cid in self._reads.conflicts_of(mid)]
        return stored + [p for p in self._pairs if digest in (p.incumbent, p.challenger)]

    def chosen(self, cid: str) -> Decision | None:
        """The decision already given to a conflict that waits for its case."""
        seq = None if any(p.cid == cid for p in self._pairs) else self._reads.chosen_event(cid)
        if seq is None:
            return None
        data = self._reads.event(seq)[2]["decision"]
        return Decision(
            verb=Verb(data["verb"]),
            reason=self._reads.text(data.get("reason_ref", "")) or "",
            text=self._reads.text(data.get("text_ref", "")),
            side=data.get("side"),
            scope=Scope.parse(data["scope"]) if "scope" in data else None,
        )

    def chosen_by(self, cid: str) -> Author | None:
        """Who gave that decision."""
        seq = None if any(p.cid == cid for p in self._pairs) else self._reads.chosen_event(cid)
        return None if seq is None else self._reads.event(seq)[1]
