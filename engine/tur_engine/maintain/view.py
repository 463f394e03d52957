"""The beliefs as a plan sees them: the ledger, or the ledger and one candidate that is not in it yet."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .. import ontology
from ..errors import BadInput
from ..ledger import Reads
from ..ontology import PASSES_SUSPICION, EdgeType
from ..records import Author, ConflictState, EventKind, Scope, Status, Verb

if TYPE_CHECKING:
    from ..ontology.persona import Force
    from .decision import Decision

_T = TypeVar("_T")


def approved_text(reads: Reads) -> str:
    """Return the persona file's text where people approved it as it is; else nothing. Raises BadInput."""
    if not reads.kinds(str(EventKind.PERSONA)):
        return ""  # nobody ever approved one
    from ..govern import persona

    return persona.approved_text(reads, reads.store)


class PairState(NamedTuple):
    """One conflict as a plan sees it; sides are digests."""

    cid: str
    incumbent: str
    challenger: str
    state: ConflictState


class View:
    """Answers by digest, as of one moment: what was asked once is not read again. Make a new one after a change.

    `pairs` adds the clashes of a draft that is not stored: it counts as held.
    """

    def __init__(self, reads: Reads, pairs: Sequence[PairState] = ()) -> None:
        self._reads = reads
        self._pairs = {pair.cid: pair for pair in pairs}
        self._mids: dict[str, int] = {}
        self._asked: dict[Hashable, Any] = {}

    def once(self, question: Hashable, work: Callable[[], _T]) -> _T:
        """Return what the work gives, done the first time; `question` names it among all that are asked."""
        if question not in self._asked:
            self._asked[question] = work()
        answer: _T = self._asked[question]
        return answer

    def _mid(self, digest: str) -> int | None:
        known = self._mids.get(digest)
        if known is None and (found := self._reads.mid(digest)) is not None:
            known = self._mids[digest] = found
        return known

    def status(self, digest: str) -> Status:
        """Where it stands; a candidate not stored yet is held."""
        return self.once(("status", digest), lambda: self._status(digest))

    def _status(self, digest: str) -> Status:
        mid = self._mid(digest)
        return Status.HELD if mid is None else self._reads.status(mid)

    def approved(self, digest: str) -> bool:
        """True for an invariant in force."""
        return self.once(("approved", digest), lambda: self._approved(digest))

    def _approved(self, digest: str) -> bool:
        mid = self._mid(digest)
        return mid is not None and self._reads.approved(mid)

    def certain(self, cid: str) -> bool:
        """True for a conflict that was found for certain, not as a suspicion alone."""
        if cid in self._pairs:
            return self.pair(cid).state is ConflictState.DETECTED
        record = self._reads.conflict_record(cid)
        return bool(record.get("certain", record.get("state") != ConflictState.ESCALATED))

    def author(self, digest: str) -> Author | None:
        """Who said it; None for a candidate not stored yet."""
        mid = self._mid(digest)
        return None if mid is None else self.once(("author", digest), lambda: self._reads.memory(mid).author)

    def quarantined(self, author: Author | None) -> bool:
        """True where what this author says or decides goes to people."""
        return author is not None and self._reads.quarantined(author)

    def scope(self, digest: str) -> Scope | None:
        """The scope it holds in now; None for a candidate not stored yet."""
        mid = self._mid(digest)
        return None if mid is None else Scope.parse(self._reads.scope_of(mid))

    def passes(self, kind: str) -> bool:
        """True for an edge along which doubt passes: supports, and what is refined."""
        return kind in self._passing

    def supports(self, kind: str) -> bool:
        """True for an edge to a ground: depends_on, and declared types that people gave its force."""
        return kind in self._passing and kind != EdgeType.REFINES

    @cached_property
    def _declared(self) -> Mapping[str, Force]:
        try:
            text = approved_text(self._reads)
            return ontology.forces(text) if text else {}
        except BadInput:  # a file that cannot be read gives no force; `tur status` says so
            return {}

    @cached_property
    def _passing(self) -> tuple[str, ...]:
        return (*PASSES_SUSPICION, *self.declared_to_pass)

    @property
    def declared_to_pass(self) -> list[str]:
        """The custom edge types along which doubt passes, for people approved it."""
        return [name for name, force in self._declared.items() if force.decay]

    def reached(self, digest: str) -> list[tuple[str, str]]:
        """What it leads to over declared transitive types: (edge type, digest). They give no support."""
        types = [name for name, force in self._declared.items() if force.transitive and not force.decay]
        mid = self._mid(digest)
        if mid is None or not types:
            return []
        return [(kind, target) for _, kind, target in self._reads.grounds(mid, types)]

    def resting_on(self, digest: str) -> dict[str, Status]:
        """Memories that rest directly on it, live or not, with where they stand."""
        mid = self._mid(digest)
        found = [] if mid is None else self._reads.resting_on(mid, self._passing)
        self._mids.update({above: row for row, above, _ in found})
        return {above: status for _, above, status in found}

    def grounds(self, digest: str) -> list[tuple[int, str, str]]:
        """What it rests on directly: (justification, edge type, digest)."""
        mid = self._mid(digest)
        return [] if mid is None else self._reads.grounds(mid, self._passing)

    def replaced(self, digest: str, by: str) -> bool:
        """True where one memory was superseded by the other."""
        mid, winner = self._mid(digest), self._mid(by)
        return mid is not None and winner is not None and self._reads.has_edge(mid, winner, EdgeType.SUPERSEDED_BY)

    def causes(self, digest: str) -> list[str]:
        """Fallen memories that make it suspect."""
        mid = self._mid(digest)
        return [] if mid is None else [self._reads.digest(cause) for cause in self._reads.causes(mid)]

    def waived(self, digest: str, undoing: int = 0) -> set[str]:
        """Fallen memories in spite of which people let it stand: reaffirmed, and not taken back.

        `undoing` names an event that is being undone.
        """
        found: set[str] = set()
        if not self._ever_reaffirmed:
            return found
        flipped = self._root(undoing) if undoing else 0
        for seq in self._reads.reaffirmations(digest):
            if self._reads.undone(seq) is (seq == flipped) and digest in self.reaffirmed_by(seq):
                marks = self._reads.event(seq)[2]["effects"]
                found.update(mark["cause"] for mark in marks if mark["op"] == "suspect" and mark["digest"] == digest)
        return found

    @cached_property
    def _ever_reaffirmed(self) -> bool:
        return bool(self._reads.kinds(str(EventKind.REAFFIRMED)))

    def reaffirmed_by(self, seq: int) -> list[str]:
        """The memory that an event reaffirms, or that its undoing concerns; none for other events."""
        root = self._root(seq)
        if self._reads.kind(root) != EventKind.REAFFIRMED:
            return []
        return [str(self._reads.event(root)[2]["effects"][0]["digest"])]

    def _root(self, seq: int) -> int:
        """The first event of a chain of undoings."""
        while self._reads.kind(seq) == EventKind.UNDONE:
            seq = int(self._reads.event(seq)[2]["undoes"])
        return seq

    def pair(self, cid: str) -> PairState:
        """One conflict by its id."""
        return self._pairs.get(cid) or self.once(("pair", cid), lambda: self._stored(cid))

    def _stored(self, cid: str) -> PairState:
        incumbent, challenger = self._reads.sides(cid)
        return PairState(cid, self._reads.digest(incumbent), self._reads.digest(challenger), self._reads.state(cid))

    def open_pairs(self, digest: str) -> list[PairState]:
        """Open conflicts it is a side of, oldest first."""
        return self.once(("open", digest), lambda: self._open_pairs(digest))

    def _open_pairs(self, digest: str) -> list[PairState]:
        mid = self._mid(digest)
        stored = [] if mid is None else [self.pair(cid) for cid in self._reads.conflicts_of(mid)]
        return stored + [p for p in self._pairs.values() if digest in (p.incumbent, p.challenger)]

    def chosen(self, cid: str) -> Decision | None:
        """The decision already given to a conflict that waits for its case."""
        return None if cid in self._pairs else self.once(("chosen", cid), lambda: self._chosen(cid))

    def _chosen(self, cid: str) -> Decision | None:
        seq = self._reads.chosen_event(cid)
        if seq is None:
            return None
        from .decision import Decision

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
        seq = None if cid in self._pairs else self._reads.chosen_event(cid)
        return None if seq is None else self._reads.event(seq)[1]
