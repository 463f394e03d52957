"""A governor that stands in for the real one: what the admin screen asks of it, and who was asked what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Event

from tests.ui.making import AGENT, MOMENT
from tur_engine.errors import NotAllowed, StaleRevision
from tur_engine.records import (
    ApprovalResult,
    Author,
    Belief,
    Memory,
    MemoryType,
    Objection,
    Proposal,
    ProposalKind,
    ProposalState,
    Quorum,
    Review,
    ReviewerKey,
    Scope,
    Signature,
    SignedEntry,
    Status,
)

PASSPHRASE = "on va 7"


def belief(
    text: str,
    type: MemoryType = MemoryType.CORE,
    *,
    approved: bool = True,
    status: Status = Status.ACTIVE,
    author: Author = AGENT,
    **provenance: str,
) -> Belief:
    memory = Memory(
        digest=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        content=text,
        type=type,
        scope=Scope(),
        declared_scope=Scope(),
        author=author,
        occurred_at=MOMENT,
        recorded_at=MOMENT,
        provenance=provenance,
        seq=1,
    )
    return Belief(memory=memory, status=status, approved=approved)


def key(name: str, *, here: bool = False, revoked: int | None = None, seq: int = 2) -> ReviewerKey:
    public = sha256(name.encode()).hexdigest()
    return ReviewerKey(
        id=f"key-{sha256(bytes.fromhex(public)).hexdigest()}",
        public=public,
        name=name,
        enrolled_seq=seq,
        enrolled_at=MOMENT - timedelta(days=30),
        enrolled_by=f"key-{sha256(bytes.fromhex(public)).hexdigest()}",
        revoked_seq=revoked,
        here=here,
    )


MARA, IVO, LEFT = key("mara", here=True), key("ivo", seq=5), key("dana", revoked=9, seq=6)


def proposal(
    text: str,
    kind: ProposalKind = ProposalKind.ADOPT,
    *,
    replaces: Sequence[Belief] = (),
    promotes: Belief | None = None,
    seq: int = 10,
    quorum: int = 1,
    reason: str = "two outages in March went unnoticed",
    state: ProposalState = ProposalState.PENDING,
    by: Author = AGENT,
    at: datetime = MOMENT - timedelta(hours=5),
    memory: Belief | None = None,
) -> Proposal:
    return Proposal(
        id=f"proposal-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}",
        kind=kind,
        state=state,
        seq=seq,
        proposed_at=at,
        proposed_by=by,
        reason=reason,
        memory=memory or belief(text, approved=False, status=Status.PENDING),
        replaces=tuple(replaces),
        promotes=promotes,
        quorum=quorum,
        decided_seq=seq + 1 if state is not ProposalState.PENDING else None,
        decided_at=MOMENT if state is not ProposalState.PENDING else None,
        decided_because="the old rule held" if state is ProposalState.REJECTED else "",
    )


OLD = belief("All service traffic uses TLS 1.2 or newer, and certificates are renewed by hand every year.")
REPLACING = proposal(
    "All service traffic uses TLS 1.3, and certificates are renewed by the platform every 60 days.",
    replaces=[OLD],
    quorum=2,
)
RETIRING = proposal("retire", ProposalKind.RETIRE, memory=belief("Deploys happen on Tuesdays only."), seq=11)
INSIGHT = belief("Retries without a limit took the queue down twice", MemoryType.INSIGHT, approved=False)
PROMOTING = proposal(
    "Every retry has a limit",
    ProposalKind.PROMOTE,
    promotes=INSIGHT,
    seq=12,
    memory=belief(
        "Every retry has a limit",
        approved=False,
        status=Status.PENDING,
        core_type="operational",
        derived_principle="What is not bounded will one day not end.",
        ethical_covenant="We do not burden others with our failures.",
    ),
)


class StandInSigner:
    """A key that signs nothing; it only knows whether it is locked."""

    def __init__(self, of: ReviewerKey) -> None:
        self.key_id, self.name, self.locked = of.id, of.name, False

    def lock(self) -> None:
        self.locked = True


class StandIn:
    """Proposals, keys and log in memory. `asked` keeps what would have been written."""

    def __init__(
        self,
        proposals: Sequence[Proposal] = (REPLACING, RETIRING, PROMOTING),
        *,
        keys: Sequence[ReviewerKey] = (MARA, IVO, LEFT),
        objections: Sequence[Objection] = (),
        dependants: Sequence[Belief] = (),
    ) -> None:
        self.standing = list(proposals)
        self.enrolled = list(keys)
        self.objections, self.dependants = tuple(objections), tuple(dependants)
        self.asked: list[tuple[str, ...]] = []
        self.files: list[object] = [each for each in keys if each.here]
        self.wrong = 0
        self.signers: list[StandInSigner] = []
        self.log: list[SignedEntry] = []
        self.head = 42
        self.pause = Event()
        """Cleared, `review` waits."""
        self.pause.set()

    def keys(self) -> list[ReviewerKey]:
        return self.enrolled

    def own_keys(self) -> list[object]:
        return self.files

    def quorum(self) -> Quorum:
        return Quorum(axiom=2, core=1)

    def proposals(self, *, all: bool = False) -> list[Proposal]:
        return [each for each in self.standing if all or each.state is ProposalState.PENDING]

    def review(self, ref: str) -> Review:
        self.pause.wait(20)
        found = next(each for each in self.standing if each.id == ref)
        return Review(
            proposal=found,
            objections=self.objections,
            dependants=self.dependants,
            head_size=self.head,
            head_root=sha256(b"root").hexdigest(),
        )

    def signed_log(self, limit: int | None = None) -> list[SignedEntry]:
        return self.log

    def unlock(self, passphrase: str, key: str | None = None) -> StandInSigner:
        if passphrase != PASSPHRASE:
            self.wrong += 1
            raise NotAllowed("the passphrase does not open the key of mara.")
        signer = StandInSigner(next(each for each in self.enrolled if each.id == (key or MARA.id)))
        self.signers.append(signer)
        return signer

    def approve(
        self, ref: str, signer: StandInSigner, *, reason: str = "", expect: Review | None = None
    ) -> ApprovalResult:
        assert not signer.locked
        if expect is not None and expect != self.review(ref):
            raise StaleRevision("the proposal changed since it was shown", current=0)
        self.asked.append(("approve", ref, signer.name))
        found = next(each for each in self.standing if each.id == ref)
        signature = Signature(key_id=signer.key_id, name=signer.name, seq=50, at=MOMENT, valid=True)
        have = len(found.signatures) + 1
        done = have >= found.quorum
        change: dict[str, object] = {"signatures": (*found.signatures, signature)}
        if done:
            change |= {"state": ProposalState.APPROVED, "decided_seq": 50, "decided_at": MOMENT}
        self._put(found, change)
        return ApprovalResult(proposal_id=ref, seq=50, signatures=have, quorum=found.quorum, in_force=done)

    def reject(self, ref: str, signer: StandInSigner, reason: str) -> int:
        assert not signer.locked
        self.asked.append(("reject", ref, signer.name, reason))
        found = next(each for each in self.standing if each.id == ref)
        change = {"state": ProposalState.REJECTED, "decided_seq": 51, "decided_at": MOMENT, "decided_because": reason}
        self._put(found, change)
        return 51

    def _put(self, found: Proposal, change: dict[str, object]) -> None:
        self.standing[self.standing.index(found)] = found.model_copy(update=change)
