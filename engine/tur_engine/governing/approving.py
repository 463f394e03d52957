"""Decisions on proposals: signed under the write lock, weighed again there (CONTRACTS 2, 6)."""

from __future__ import annotations

import apsw

from ..errors import InvariantViolation, NoKey, NotAllowed, StaleRevision
from ..gate.objections import Standing, opened, stands_against
from ..gate.secrets import kept_reason
from ..govern.approving import approved, check_approvable, check_waiting, falling, own_keys_of, rejected
from ..govern.review import proposal_of, seen, signatures_of
from ..govern.sealing import check_signers
from ..govern.signer import Signer
from ..govern.statement import Act
from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect
from ..ledger.reads.governance import FiledProposal
from ..records import ApprovalResult, EventKind, Objection, ProposalKind, Review
from ..text import excerpt
from .enrolling import Enrolling
from .reviewing import Reviewing
from .signing import needed


class Approving(Reviewing, Enrolling):
    """Decisions on proposals."""

    def check_decidable(self, ref: str, key: str | None, *, reason: str = "", approving: bool = True) -> None:
        """Raise what would refuse a decision on a proposal whatever the passphrase, so that nobody is asked in vain.

        `key` names the one that is to sign. Raises NotAllowed where it was decided, or approved by that key, already;
        NoKey, BadInput, SecretFound, UnknownId, AmbiguousId.
        """
        kept_reason(reason)
        with self._engine._reads() as (_, reads):
            hex = reads.find_proposal(ref)
            check_waiting(reads, reads.filed(hex))
            signed = {each.key_id: each.name for each in signatures_of(reads, hex) if each.valid}
        held = self.keys()
        may = {each.id for each in held if each.revoked_seq is None}
        usable = self.usable_keys([] if key is None else [key])
        if not may & {each.id for each in usable}:
            first = usable[0]
            ended = "" if all(each.id != first.id for each in held) else ": it was revoked"
            raise NoKey(
                f"the key of {first.name} ({first.id[:12]}) may not sign for this store{ended}; ask a reviewer to "
                "enrol it: tur-adm key export-public, tur-adm key enrol"
            )
        if approving and all(each.id in signed for each in usable):
            raise _signed_already(signed[usable[0].id], hex)

    def approve(self, ref: str, signer: Signer, *, reason: str = "", expect: Review | None = None) -> ApprovalResult:
        """Sign a proposal; the signature that completes the quorum brings it into force.

        `expect` is what the reviewer saw. Raises StaleRevision where that has changed, InvariantViolation where it
        contradicts an invariant that it does not replace, NoKey, NotAllowed.
        """
        reason = kept_reason(reason)
        self.review(ref)  # the models load, and read the texts, before the lock is taken
        with self._writing() as (tx, db, reads):
            hex = reads.find_proposal(ref)
            filed = reads.filed(hex)
            check_waiting(reads, filed)
            check_signers(reads, Act.APPROVE, [signer])
            proposal = proposal_of(reads, hex)
            standing = self._objections(db, reads, proposal)
            against = self._told(db, reads, proposal, standing)
            if expect is not None and seen(expect) != seen(
                expect.model_copy(update={"proposal": proposal, "objections": against})
            ):
                raise StaleRevision(
                    f"proposal-{hex[:8]}, what it replaces or what stands against it has changed since it was shown; "
                    "look at it again",
                    current=self._ledger.head(),
                )
            check_approvable(reads, filed)
            if blocking := next((each for each in against if each.blocks), None):
                raise InvariantViolation(_blocked(reads, blocking))
            valid = {s.key_id for s in signatures_of(reads, hex) if s.valid}
            if signer.key_id in valid:
                raise _signed_already(signer.name, hex)
            complete = len(valid) + 1 >= proposal.quorum
            effects, bodies = self._in_force(db, reads, filed, standing) if complete else ([], [])
            seq = self._append(
                tx,
                reads,
                EventKind.APPROVED if complete else EventKind.SIGNED,
                hex,
                [signer],
                effects,
                reason=reason,
                bodies=bodies,
                **own_keys_of(filed),
            )
            return ApprovalResult(
                proposal_id=f"proposal-{hex}",
                seq=seq,
                signatures=len(valid) + 1,
                quorum=proposal.quorum,
                in_force=complete,
            )

    def _in_force(
        self, db: apsw.Connection, reads: Reads, filed: FiledProposal, standing: list[Standing]
    ) -> tuple[list[Effect], list[Body]]:
        beside, bodies = opened(reads, standing)
        memory = None if filed.kind is ProposalKind.RETIRE else reads.memory(filed.mid)

        def against(digest: str) -> tuple[list[Effect], list[Body]] | None:
            return None if memory is None else stands_against(reads, self._engine._minds, digest, memory)

        falls, more, packed = self._settled(reads, lambda barred: falling(reads, filed, barred), against)
        return approved(reads, filed, falls, [*beside, *more]), [*bodies, *packed]

    def reject(self, ref: str, signer: Signer, reason: str) -> int:
        """Decline a proposal; returns the event. Raises BadInput without a reason, NoKey, NotAllowed."""
        reason = needed(reason)
        with self._writing() as (tx, _, reads):
            filed = reads.filed(reads.find_proposal(ref))
            check_waiting(reads, filed)
            effects = rejected(reads, filed)
            return self._append(
                tx, reads, EventKind.DECLINED, filed.hex, [signer], effects, reason=reason, **own_keys_of(filed)
            )


def _blocked(reads: Reads, objection: Objection) -> str:
    memory = objection.belief.memory
    if reads.mid(memory.digest) is None:
        return f"{objection.sentence}; it is not for this store to replace, reject the proposal"
    return (
        f'it contradicts the invariant {memory.short_id} ("{excerpt(memory.content, 80)}"), '
        "which it does not replace; propose it anew with that one named in --supersedes"
    )


def _signed_already(name: str, hex: str) -> NotAllowed:
    return NotAllowed(f"{name} has signed proposal-{hex[:8]} already; another reviewer must sign")
