"""What the gate found out about one draft, before anything is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..ledger import Encoded, Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect
from ..maintain.view import PairState, View
from ..records import Belief, Conflict, Outcome, SettledBefore, Status
from .clash import Clash

if TYPE_CHECKING:
    from .inherited import Inherited


@dataclass
class Deliberation:
    """The gate's finding on one draft at one moment."""

    encoded: Encoded
    existing: int | None = None
    """Row of the duplicate, of the same held candidate, or of the same proposal."""
    invariant: int | None = None
    challenges_named_invariant: bool = False
    clashes: list[Clash] = field(default_factory=list)
    settled_before: SettledBefore | None = None
    duplicate: bool = False
    proposal: bool = False
    pending: int | None = None
    """Row of a proposal that says the same."""
    must_hold: bool = False
    """Not to be let in by a flag: it may contradict an invariant, or people are deciding on it."""
    known: list[str] = field(default_factory=list)
    """Conflicts that an identical held candidate has already."""
    named: tuple[int, ...] = ()
    """Rows named in `supersedes`."""
    warnings: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Why it is held though nothing in this store clashes with it: quarantine, a suspicion from another store."""
    inherited: Inherited | None = None
    """An invariant of another store against it."""
    late: list[tuple[str, Effect, Body]] = field(default_factory=list)
    """Conflicts of a held candidate with what came into force since: to be opened now."""
    doubt: float = 0.0
    """The highest probability of a clash among the pairs weighed."""
    seconds: float = 0.0
    """What probe and verdict took."""

    @property
    def digest(self) -> str:
        return self.encoded.digest

    @property
    def violated_elsewhere(self) -> Belief | None:
        """The invariant of another store that it contradicts for certain."""
        return self.inherited.belief if self.inherited is not None and self.inherited.certain else None

    def challenge(self, elsewhere: Inherited | None) -> None:
        """Note that `supersedes` names an invariant of another store."""
        if elsewhere is not None and self.invariant is None:
            self.inherited = elsewhere
            self.warnings.append(elsewhere.where_to_propose)

    def hold_back(self, why: str) -> None:
        """Hold it for people, whatever the flags."""
        self.must_hold = True
        self.kept.append(why)

    @property
    def outcome(self) -> Outcome:
        """What follows, before the caller's wish on conflicts is heard."""
        if self.invariant is not None or self.violated_elsewhere is not None:
            return Outcome.INVARIANT
        if self.duplicate:
            return Outcome.DUPLICATE
        if self.proposal:
            return Outcome.PROPOSED
        return Outcome.CONFLICT if self.clashes or self.known or self.must_hold else Outcome.COMMITTED

    def decided(self, reads: Reads) -> list[str]:
        """Return the open conflicts that the author settles by naming their incumbent."""
        known = [cid for cid in self.known if reads.sides(cid)[0] in self.named]
        return [clash.cid for clash in self.clashes if clash.named] + known

    def in_question(self) -> list[str]:
        """Return every conflict of the draft, known or new."""
        return [clash.cid for clash in self.clashes] + self.known + [cid for cid, _, _ in self.late]

    def view(self, reads: Reads) -> View:
        """Return the beliefs with this draft as a held candidate."""
        if self.existing is not None or reads.mid(self.digest) is not None:
            return View(reads)
        pairs = [PairState(c.cid, c.incumbent, self.digest, c.state) for c in self.clashes]
        return View(reads, pairs)

    def conflicts(self, reads: Reads) -> list[Conflict]:
        """Return the conflicts, strongest first: the stored ones where they are stored, else as they would be."""
        if self.known or self.late:
            opened = [cid for cid, _, _ in self.late if reads.has_conflict(cid)]
            found = [reads.conflict(cid) for cid in [*self.known, *opened]]
        else:
            found = [
                reads.conflict(c.cid) if reads.has_conflict(c.cid) else self._provisional(reads, c)
                for c in self.clashes
            ]
        return sorted(found, key=lambda c: (-c.probability, c.seq, c.incumbent.memory.seq, c.id))

    def _provisional(self, reads: Reads, clash: Clash) -> Conflict:
        verdict = clash.verdict
        incumbent = reads.belief(clash.mid)
        return Conflict(
            id=f"conflict-{clash.cid}",
            incumbent=incumbent,
            challenger=Belief(memory=self.encoded.memory(), status=Status.HELD, contested_by=(clash.incumbent,)),
            state=clash.state,
            revision=0,
            probability=round(verdict.probability, 4),
            conflict_type=verdict.conflict_type,
            detected_by=verdict.detected_by,
            evidence=verdict.evidence,
            suggested=verdict.suggested,
            detected_at=datetime.now(UTC),
            seq=0,
            dependants=len(reads.dependants(clash.mid)),
            conflicting_fields=verdict.conflicting_fields,
        )
