"""Weighs memories of one moment, each against what came in before it, with the gate's detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from ..detect.joined import as_joined
from ..gate.invariants import against, clashes, doubtful
from ..ledger import Reads
from ..ledger.sweep import live, vectors
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..probe.probe import NEAREST
from ..records import Memory, Relationship, Verdict
from .candidates import Shelf
from .consolidation import refining
from .findings import Examination, Finding, Kind
from .nearest import Near, Vectors
from .partition import Block, unmet

if TYPE_CHECKING:
    from ..gate.weigher import Weigher
    from .answers import Remembering

_JOINING = (str(EdgeType.DEPENDS_ON), str(EdgeType.REFINES))


class Weighing:
    """One moment of a store on the scales. Writes nothing."""

    def __init__(
        self,
        db: apsw.Connection,
        upto: int,
        weigher: Weigher,
        judge: Remembering | None,
        noted: Mapping[int, int],
    ) -> None:
        """`upto` is the last event looked at, `noted` what earlier passes weighed (partition.Plan)."""
        standings = live(db, upto)
        self._shelf = Shelf(db, standings, Vectors(standings, vectors(db, upto)))
        self._weigher = weigher
        self._judge = judge
        self._noted = noted
        self._first_noted = min(noted.values(), default=0)
        self._last_noted = max(noted, default=0)

    def examine(self, block: Block) -> list[Examination]:
        """Return what was found on each memory of a block."""
        older = self._shelf.vectors.older(block.mids, NEAREST)
        found = [self._one(mid, older.get(mid, [])) for mid in block.mids]
        return found + [self._lawful(mid) for mid in block.lawful]

    def _one(self, mid: int, near: Near) -> Examination:
        found = self._lawful(mid)
        memory = self._shelf.memory(mid)
        standing = self._shelf.standing.get(mid)
        if standing is None or standing.approved or memory.redacted:
            return found
        candidates = self._shelf.older(mid, near)
        for candidate, verdict in self._weigh(found, memory, candidates):
            self._note(found, candidate.memory, memory, candidate, verdict)
        if mid < self._last_noted and standing.since > self._first_noted:
            self._catch_up(found, memory, unmet(self._noted, mid, standing.since))
        return found

    def _catch_up(self, found: Examination, memory: Memory, later: frozenset[int]) -> None:
        """A memory that holds again, or elsewhere, since later ones were weighed is weighed against those."""
        if not later:
            return
        near = self._shelf.vectors.newer([memory.seq], NEAREST).get(memory.seq, [])
        for each in self._shelf.newer(memory.seq, near, later):
            offered = each._replace(memory=memory)
            for _, verdict in self._weigh(found, each.memory, [offered]):
                self._note(found, memory, each.memory, offered, verdict)

    def _weigh(
        self, found: Examination, challenger: Memory, candidates: Sequence[Candidate]
    ) -> list[tuple[Candidate, Verdict]]:
        if not candidates:
            return []
        if self._judge is not None:
            self._judge.about([challenger, *(candidate.memory for candidate in candidates)])
        verdicts = self._weigher.weigh(as_joined(challenger, self._joined(challenger.seq, candidates)), candidates)
        found.pairs += len(verdicts)
        found.read += sum(verdict.judged for verdict in verdicts)
        return list(zip(candidates, verdicts, strict=True))

    def _joined(self, mid: int, candidates: Sequence[Candidate]) -> list[str]:
        """Return the digests of those where an edge says that one of the two rests on the other, or refines it."""
        steps = set(self._shelf.reads.steps_from([mid, *(each.memory.seq for each in candidates)], _JOINING))
        pairs = ((each.memory, {(mid, each.memory.seq), (each.memory.seq, mid)}) for each in candidates)
        return [memory.digest for memory, ends in pairs if ends & steps]

    def _lawful(self, mid: int) -> Examination:
        """Weigh a memory against the invariants in force; of two invariants the later one."""
        found = Examination(mid)
        shelf, standing, memory = self._shelf, self._shelf.standing.get(mid), self._shelf.memory(mid)
        if not shelf.approved or standing is None or memory.redacted:
            return found
        apart = {other for other in shelf.approved if other >= mid} if standing.approved else {mid}
        if self._judge is not None:
            self._judge.about([memory, *(shelf.memory(other) for other in shelf.approved)])
        vector = shelf.vectors.vector(mid)
        for candidate, verdict in against(shelf.db, Reads(shelf.db), self._weigher, memory, vector, apart):
            found.pairs += 1
            found.read += verdict.judged
            if clashes(verdict) or doubtful(verdict, self._weigher.suspicion):
                found.findings.append(Finding(Kind.VIOLATION, candidate.memory.seq, mid, verdict))
        return found

    def _note(self, found: Examination, older: Memory, newer: Memory, candidate: Candidate, verdict: Verdict) -> None:
        match verdict.relationship:
            case Relationship.CLASH:
                found.findings.append(Finding(Kind.CONTRADICTION, older.seq, newer.seq, verdict))
            case Relationship.DUPLICATE:
                if older.scope == newer.scope:
                    found.findings.append(Finding(Kind.DUPLICATE, older.seq, newer.seq, verdict))
            case Relationship.COMPATIBLE if self._judge is not None:
                told = refining(older, newer, verdict, candidate.cosine)
                if told is not None:
                    specific, general = told
                    found.findings.append(Finding(Kind.REFINEMENT, general.seq, specific.seq, verdict))


def law_of(db: apsw.Connection) -> bytes:
    """Return what names the invariants in force, and where each holds."""
    from hashlib import sha256

    reads = Reads(db)
    told = [(reads.digest(mid), reads.scope_of(mid)) for mid in reads.approved_rows()]
    return sha256(repr(sorted(told)).encode()).digest()[:16] if told else b""
