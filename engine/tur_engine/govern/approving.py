"""What a decision on a proposal changes: the effects of one signed event (CONTRACTS 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.effects import Effect, approve, decide, edge, move
from ..ledger.reads.governance import FiledProposal
from ..maintain.labels import with_marks
from ..maintain.plan import Plan, fall
from ..maintain.view import View
from ..ontology import EdgeType
from ..records import ProposalKind, ProposalState, Status, Verb


def own_keys_of(filed: FiledProposal) -> dict[str, Any]:
    """Return what a statement on a proposal says of it beside its id."""
    own: dict[str, Any] = {"kind": str(filed.kind), "replaces": sorted(filed.replaces)}
    return own | ({"promotes": filed.promotes} if filed.promotes else {})


def check_waiting(reads: Reads, filed: FiledProposal) -> None:
    """Raise NotAllowed where a proposal was decided, or what it is about does not stand any more."""
    state, since = reads.proposal_state(filed.hex)
    if state is not ProposalState.PENDING:
        raise NotAllowed(f"proposal-{filed.hex[:8]} was {state} already (event {since}); nothing was changed")


def check_approvable(reads: Reads, filed: FiledProposal) -> None:
    """Raise NotAllowed where what a proposal would replace, promote or retire has changed since it was filed."""
    gone = [filed.mid] if filed.kind is ProposalKind.RETIRE else [reads.mid(digest) for digest in filed.replaces]
    for mid in gone:
        assert mid is not None
        if not reads.approved(mid):
            raise NotAllowed(
                f"{reads.memory(mid).short_id}, which it would take out of force, is no invariant in force any more; "
                "reject the proposal, and propose anew what is still wanted"
            )
    if reads.memory(filed.mid).redacted:
        raise NotAllowed("the proposed text was redacted; reject the proposal")
    if filed.promotes:
        source = reads.mid(filed.promotes)
        assert source is not None
        if reads.status(source) is not Status.ACTIVE:
            raise NotAllowed(
                f"{reads.memory(source).short_id}, which it would promote, is {reads.status(source)} by now; "
                "reject the proposal"
            )


def falling(reads: Reads, filed: FiledProposal, barred: Sequence[str] = ()) -> Plan:
    """Return what goes with an approval: replaced invariants, a promotion's source, what rests on them."""
    view = View(reads)
    if filed.kind is ProposalKind.RETIRE:
        return fall(view, {reads.digest(filed.mid): Status.RETRACTED}, Verb.ABORT, barred=barred)
    new = reads.digest(filed.mid)
    return fall(view, dict.fromkeys(filed.succeeded, Status.SUPERSEDED), Verb.SUPERSEDE, spared=(new,), barred=barred)


def approved(reads: Reads, filed: FiledProposal, falls: Plan, opened: Sequence[Effect]) -> list[Effect]:
    """Return the effects that bring a proposal into force; `opened` are conflicts that people see beside it."""
    digest = reads.digest(filed.mid)
    effects: list[Effect] = []
    if filed.kind is ProposalKind.RETIRE:
        effects += [approve(digest, on=False), *falls.effects]
    else:
        effects += [move(digest, Status.PENDING, Status.ACTIVE), approve(digest)]
        effects += [approve(each, on=False) for each in filed.replaces]
        effects += falls.effects
        effects += [edge(each, digest, EdgeType.SUPERSEDED_BY) for each in filed.succeeded]
        effects = with_marks(View(reads), effects)
    effects += [effect for effect in opened if not _moot(effect, falls)]
    return [*effects, decide(filed.hex, ProposalState.PENDING, ProposalState.APPROVED)]


def _moot(opened: Effect, falls: Plan) -> bool:
    return bool({opened["record"]["incumbent"], opened["record"]["challenger"]} & set(falls.falling))


def rejected(reads: Reads, filed: FiledProposal) -> list[Effect]:
    """Return the effects of a rejection: the proposed text never comes in."""
    effects: list[Effect] = []
    if filed.kind is not ProposalKind.RETIRE:
        effects.append(move(reads.digest(filed.mid), Status.PENDING, Status.RETRACTED))
    return [*effects, decide(filed.hex, ProposalState.PENDING, ProposalState.REJECTED)]
