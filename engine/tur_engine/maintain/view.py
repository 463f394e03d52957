"""The beliefs as a plan sees them: the ledger, or the ledger and one candidate that is not in it yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ledger import Reads
from ..ontology import PASSES_SUSPICION
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
    """Answers by digest. `candidate` and `pairs` add a draft that is not stored: held, with its clashes."""

    def __init__(self, reads: Reads, candidate: str = "", pairs: Sequence[PairState] = ()) -> None:
        self._reads = reads
        self._candidate = candidate
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

    def author(self, digest: str) -> Author | None:
        """Who said it; None for a candidate not stored yet."""
        mid = self._mid(digest)
        return None if mid is None else self._reads.memory(mid).author

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
        if self.pair(cid).state is not ConflictState.RESOLVING:
            return None
        row = self._reads.chosen_event(cid)
        if row is None:
            return None
        data = self._reads.event(row)[2]["decision"]
        return Decision(
            verb=Verb(data["verb"]),
            reason=self._reads.text(data.get("reason_ref", "")) or "",
            text=self._reads.text(data.get("text_ref", "")),
            side=data.get("side"),
            scope=Scope.parse(data["scope"]) if "scope" in data else None,
        )
