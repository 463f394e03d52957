"""What only people may decide: proposals of invariants, of promotion and of retirement."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..gate.secrets import kept_reason
from ..govern.proposing import check_promotable, promotion, retirement
from ..govern.review import proposal_of
from ..ledger import Reads
from ..records import (
    Draft,
    LearnResult,
    Proposal,
    ProposalState,
)
from .store import Store


class Asking(Store):
    """What only people may decide: proposals of invariants, of promotion and of retirement."""

    def propose(self, draft: Draft, *, replaces: Sequence[str] = (), reason: str = "") -> LearnResult:
        """File an axiom or core memory for people to approve, in place of the invariants it names.

        Outcomes are results: proposed, duplicate, or invariant_violation where it contradicts an invariant that it
        does not name. Raises BadInput for another type, and for what is no invariant; SecretFound.
        """
        self._writable()
        if not draft.type.invariant_tier:
            raise BadInput(f"a {draft.type} needs no proposal, it is learned; propose an axiom or a core memory")
        return self._gate.propose(draft, self.actor, replaces=replaces, reason=kept_reason(reason))

    def propose_promotion(
        self, ref: str, core_type: str, principle: str, covenant: str, reason: str = ""
    ) -> LearnResult:
        """Ask people to make a core memory of one that holds. Raises NotAllowed, BadInput, UnknownId."""
        self._writable()
        with self._reads() as (_, reads):
            source = check_promotable(reads, reads.find_memory(ref))
        draft = promotion(source, self.actor, core_type, principle, covenant)
        return self._gate.propose(draft, self.actor, promotes=source.digest, reason=kept_reason(reason))

    def propose_retirement(self, ref: str, reason: str) -> Proposal:
        """Ask people to take an invariant out of force; the proposal that waits already where one does.

        Raises NotAllowed for what is no invariant, BadInput without a reason.
        """
        self._writable()
        if not reason.strip():
            raise BadInput("a retirement needs a reason; people decide on it")
        reason = kept_reason(reason)
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            proposal, event = retirement(reads, reads.find_memory(ref), self.actor, reason)
            if event is not None:
                tx.append([event])
            return proposal_of(Reads(db), proposal)

    def proposals(self, *, all: bool = False) -> list[Proposal]:
        """Return the proposals that wait, oldest first; with `all` the decided ones too."""
        with self._reads() as (_, reads):
            return [proposal_of(reads, found) for found in reads.proposal_ids(None if all else ProposalState.PENDING)]

    def proposal(self, ref: str) -> Proposal:
        """Return one proposal by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return proposal_of(reads, reads.find_proposal(ref))
