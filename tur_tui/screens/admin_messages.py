"""What the governor's calls in thread workers answer with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tur_engine.records import ApprovalResult, Proposal, Quorum, Review, ReviewerKey, SignedEntry

if TYPE_CHECKING:
    from tur_engine.governor import Signer


@dataclass
class GovernanceRead(Message):
    """Everything about the store's constitution as it stands now."""

    proposals: list[Proposal]
    keys: list[ReviewerKey]
    quorum: Quorum
    log: list[SignedEntry]
    files: int
    """How many private keys are on this machine, enrolled in this store or not."""


@dataclass
class Reviewed(Message):
    """What speaks against a proposal, and what rests on what would go."""

    review: Review


@dataclass
class NotReviewed(Message):
    """That could not be worked out."""

    proposal_id: str
    sentence: str


@dataclass
class Unlocked(Message):
    """The passphrase was right."""

    signer: Signer


@dataclass
class Approved(Message):
    """A signature was written."""

    result: ApprovalResult


@dataclass
class Rejected(Message):
    """A rejection was written."""

    seq: int


@dataclass
class Refused(Message):
    """Nothing was written; the sentence says why."""

    sentence: str
