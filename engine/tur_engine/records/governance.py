"""What people govern by: reviewers' keys, proposals, reviews, quorum (CONTRACTS 6)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from .author import Author
from .base import Record
from .memory import Belief, MemoryType


class ProposalKind(StrEnum):
    """What a proposal asks for."""

    ADOPT = "adopt"
    """A new axiom or core memory."""
    PROMOTE = "promote"
    """A memory that is there already becomes a core memory."""
    RETIRE = "retire"
    """An invariant goes out of force."""


class ProposalState(StrEnum):
    """Where a proposal stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class ReviewerKey(Record):
    """A key that may sign for this store. `id` is `key-<64 hex>`, the SHA-256 of the 32 raw public bytes."""

    id: str
    public: str
    """64 hex: the raw Ed25519 public key."""
    name: str
    enrolled_seq: int
    enrolled_at: datetime
    enrolled_by: str
    """Id of the key that signed for it; its own for the first."""
    revoked_seq: int | None = None
    here: bool = False
    """True where this machine holds its private half."""


class KeyFile(Record):
    """A private key on this machine, locked by its passphrase. `id` as of ReviewerKey."""

    id: str
    public: str
    name: str
    path: str


class Quorum(Record):
    """How many different reviewers must sign before a proposal takes force."""

    axiom: int = 1
    core: int = 1

    def needed(self, type: MemoryType) -> int:
        """Return the number of signatures for one tier."""
        return self.axiom if type is MemoryType.AXIOM else self.core

    @property
    def highest(self) -> int:
        """Signatures that a change of the rules themselves needs."""
        return max(self.axiom, self.core)


class Signature(Record):
    """One reviewer's signature over one proposal."""

    key_id: str
    name: str
    seq: int
    at: datetime
    valid: bool
    reason: str = ""


class Proposal(Record):
    """A change of the constitution that waits, or waited, for people. `id` is `proposal-<64 hex>`."""

    id: str
    kind: ProposalKind
    state: ProposalState
    seq: int
    proposed_at: datetime
    proposed_by: Author
    reason: str = ""
    memory: Belief
    """What is to come in force; of a retirement, what is to go."""
    replaces: tuple[Belief, ...] = ()
    """Invariants that go out of force when this comes in."""
    promotes: Belief | None = None
    """Of a promotion: the memory it is made from."""
    signatures: tuple[Signature, ...] = ()
    quorum: int = 1
    decided_seq: int | None = None
    decided_at: datetime | None = None
    decided_because: str = ""


class Objection(Record):
    """A live memory that clashes with what is proposed."""

    belief: Belief
    probability: float
    sentence: str
    blocks: bool
    """True for an invariant that the proposal does not replace: approval is refused."""


class Review(Record):
    """Everything a reviewer needs to see before signing; nothing is cut."""

    proposal: Proposal
    objections: tuple[Objection, ...] = ()
    dependants: tuple[Belief, ...] = ()
    """What rests on the invariants that would go."""
    head_size: int
    head_root: str
    """The tree head that a signature made now would cover."""


class ApprovalResult(Record):
    """What a signature did."""

    proposal_id: str
    seq: int
    signatures: int
    quorum: int
    in_force: bool


class SignedEntry(Record):
    """One line of the signed log: who signed what, and whether the signature holds."""

    seq: int
    at: datetime
    act: str
    """enrol, revoke, policy, approve, reject, redact, quarantine, release, restore, persona."""
    key_id: str
    name: str
    subject: str
    reason: str = ""
    valid: bool
