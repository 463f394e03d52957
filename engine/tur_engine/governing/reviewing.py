"""Proposals as they are shown before a signature: what stands against them, what rests on what would go."""

from __future__ import annotations

import apsw

from ..gate.objections import Standing, objections, told
from ..govern.review import dependants_of, going_of, proposal_of
from ..ledger import Reads
from ..records import Objection, Proposal, ProposalKind, ProposalState, Review
from .signing import Signing


class Reviewing(Signing):
    """Proposals as they are shown before a signature."""

    def proposals(self, *, all: bool = False) -> list[Proposal]:
        """Return the proposals that wait, in the order they were filed; with `all` the decided ones too."""
        return self._engine.proposals(all=all)

    def proposal(self, ref: str) -> Proposal:
        """Return one proposal by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        return self._engine.proposal(ref)

    def review(self, ref: str) -> Review:
        """Return everything to be seen before signing: objections, dependants, the head that would be covered."""
        with self._engine._reads() as (db, reads):
            return self._review(db, reads, reads.find_proposal(ref))

    def _review(self, db: apsw.Connection, reads: Reads, hex: str) -> Review:
        proposal = proposal_of(reads, hex)
        head = self._ledger.tree_head()
        return Review(
            proposal=proposal,
            objections=self._told(db, reads, proposal, self._objections(db, reads, proposal)),
            dependants=dependants_of(reads, proposal) if proposal.state is ProposalState.PENDING else (),
            head_size=head.size,
            head_root=head.root,
        )

    def _objections(self, db: apsw.Connection, reads: Reads, proposal: Proposal) -> list[Standing]:
        if proposal.kind is ProposalKind.RETIRE or proposal.state is not ProposalState.PENDING:
            return []
        going = [belief.memory.digest for belief in going_of(proposal)]
        return objections(db, reads, self._engine._minds, proposal.memory.memory, going)

    def _told(
        self, db: apsw.Connection, reads: Reads, proposal: Proposal, standing: list[Standing]
    ) -> tuple[Objection, ...]:
        """Return the objections; an invariant of a store above leads, for nothing here can replace it."""
        found = told(reads, standing)
        if proposal.kind is ProposalKind.RETIRE or proposal.state is not ProposalState.PENDING:
            return found
        above = self._engine._gate.inherited(db, proposal.memory.memory)
        if above is None:
            return found
        probability = 1.0 if above.certain else self._engine._minds.suspicion
        first = Objection(belief=above.belief, probability=probability, sentence=above.sentence, blocks=above.certain)
        return first, *found
