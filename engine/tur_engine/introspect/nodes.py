"""The nodes of a graph become memories: each passes the gate, what had fallen before comes in as history."""

from __future__ import annotations

from datetime import UTC, datetime

from ..gate import Gate
from ..gate.arrival import arrival
from ..gate.finding import Deliberation
from ..graph.circles import End
from ..ledger import Encoded, Reads, Writing
from ..maintain.cascade import FALLEN
from ..ontology import EdgeType
from ..records import (
    CommittedNode,
    Confidence,
    Draft,
    EventKind,
    ExtractedNode,
    LearnResult,
    MemoryType,
    Outcome,
    Relation,
    Status,
)
from .checking import Checked
from .rehearsing import Remembering
from .wishes import Wishes

_TOGETHER = (EdgeType.DEPENDS_ON, EdgeType.REFINES)


class Violated(Exception):
    """Ends the transaction: a node contradicts an invariant."""

    def __init__(self, node: str, found: Deliberation, vector: bytes | None) -> None:
        self.node, self.found, self.vector = node, found, vector


class Nodes:
    """The nodes of one checked graph on their way in; `at` has the row of each that is."""

    def __init__(self, checked: Checked, wishes: Wishes) -> None:
        self._checked = checked
        self._wishes = wishes
        self.at: dict[str, int] = {}

    def draft(self, reads: Reads, node: ExtractedNode) -> Draft:
        """Return a node as a memory; what it contradicts and is in already stands among its relations."""
        wishes = self._wishes
        provenance = {**wishes.provenance, "node": node.id}
        if node.pinned:
            provenance["pinned"] = "asked for"
        draft = Draft(
            content=node.content,
            scope=wishes.scope,
            author=wishes.actor,
            session=wishes.session,
            confidence=Confidence(score=node.confidence),
            provenance=provenance,
            node_type=node.type,
            relations=tuple(Relation(type="contradicts", target=digest) for digest in self._against(reads, node.id)),
        )
        return draft.model_copy(update={"type": MemoryType.CONCEPT})

    def joined(self, reads: Reads) -> set[frozenset[str]]:
        """Return the texts of the ends of each edge that says that the two go together."""

        def text(end: End) -> str:
            return self._checked.nodes[end].content if isinstance(end, str) else reads.memory(end).content

        return {frozenset((text(a), text(b))) for given, a, b in self._checked.drawn() if given.type in _TOGETHER}

    def take(
        self, reads: Reads, tx: Writing, gate: Gate, weigher: Remembering, node: ExtractedNode, vector: bytes | None
    ) -> CommittedNode:
        """Bring a node in. Raises Violated, ConflictHeld (`fail`)."""
        wishes = self._wishes
        encoded = Encoded(self.draft(reads, node), datetime.now(UTC))
        if (status := self._checked.fallen.get(node.id)) is not None:
            return self._as_history(reads, tx, node, encoded, vector, status)
        found, result = gate.take_in(tx, encoded, vector, wishes.actor, wishes.on_conflict, weigher)
        if result is None:
            raise Violated(node.id, found, vector)
        return self._taken(reads, node, result)

    def _against(self, reads: Reads, name: str) -> list[str]:
        found: dict[str, None] = {}
        for given, source, target in self._checked.edges:
            if name not in (source, target) or not self._checked.is_claim(given, source):
                continue
            other = self.at.get(other) if isinstance(other := target if source == name else source, str) else other
            if other is not None:
                found[reads.digest(other)] = None
        return list(found)

    def _as_history(
        self, reads: Reads, tx: Writing, node: ExtractedNode, encoded: Encoded, vector: bytes | None, status: Status
    ) -> CommittedNode:
        """Bring in what had fallen before the graph was imported: kept, never believed, so nothing weighs it."""
        same = next((mid for mid in reads.same_key(encoded.key) if reads.status(mid) in FALLEN), None)
        if same is None:
            event = arrival(reads, EventKind.LEARNED, Deliberation(encoded), self._wishes.actor, status, vector)
            same = tx.append([event]).seqs[0]
            outcome = Outcome.COMMITTED
        else:
            outcome = Outcome.DUPLICATE
        self.at[node.id] = same
        return CommittedNode(node=node.id, id=reads.memory(same).id, outcome=outcome)

    def _taken(self, reads: Reads, node: ExtractedNode, result: LearnResult) -> CommittedNode:
        assert result.digest is not None
        assert result.id is not None
        mid = reads.mid(result.digest)
        assert mid is not None
        self.at[node.id] = mid
        return CommittedNode(
            node=node.id,
            id=result.id,
            outcome=result.outcome,
            conflicts=result.conflicts,
            warnings=result.warnings,
        )
