"""What agents may do: ask. A proposal changes nothing until people sign it (CONTRACTS 6)."""

from __future__ import annotations

import os

from .. import records
from ..errors import BadInput, NotAllowed
from ..ledger import NewEvent, Reads
from ..ledger.canonical import digest_of
from ..ledger.effects import propose
from ..records import Author, Draft, EventKind, Memory, MemoryType
from ..text import accept

REASON_LIMIT = 2048


def check_reason(reason: str) -> str:
    """Return a reason, empty where none is given. Raises BadInput."""
    return accept(reason, "reason", limit=REASON_LIMIT) if reason.strip() else ""


def invariants_named(reads: Reads, refs: list[str] | tuple[str, ...]) -> list[int]:
    """Return the rows of the invariants that a proposal would replace. Raises BadInput for what is none."""
    rows = list(dict.fromkeys(reads.find_memory(ref) for ref in refs))
    for mid in rows:
        if not reads.approved(mid):
            short = reads.memory(mid).short_id
            raise BadInput(
                f"{short} is no invariant in force, so a proposal cannot replace it; "
                "an ordinary memory is superseded by what is learned"
            )
    return rows


def promotion(source: Memory, author: Author, core_type: str, principle: str, covenant: str) -> Draft:
    """Return the core memory that a promotion proposes: the source's text, with what it is to stand for.

    Raises BadInput without a principle. As in upstream's `evolve`, core_type, derived_principle and ethical_covenant
    are kept: in `provenance`.
    """
    given = {"core_type": core_type, "derived_principle": principle, "ethical_covenant": covenant}
    kept = {name: accept(text, name.replace("_", " "), limit=1024) for name, text in given.items() if text.strip()}
    if "derived_principle" not in kept:
        raise BadInput("a promotion says which principle follows from the memory; give --principle")
    return Draft(
        content=source.content,
        type=MemoryType.CORE,
        scope=source.scope,
        topic=source.topic,
        fields=source.fields,
        tags=source.tags,
        author=author,
        session=source.session,
        provenance=source.provenance | kept | {"promoted_from": source.id},
    )


def check_promotable(reads: Reads, mid: int) -> Memory:
    """Return the memory that may be promoted. Raises NotAllowed."""
    memory, status = reads.memory(mid), reads.status(mid)
    if memory.redacted or status != "active":
        raise NotAllowed(f"{memory.short_id} is {status}; only a memory that holds can be promoted")
    if reads.approved(mid):
        raise NotAllowed(f"{memory.short_id} is an invariant already")
    return memory


def retirement(reads: Reads, mid: int, actor: Author, reason: str) -> tuple[str, NewEvent | None]:
    """Return the proposal's hex and its event; no event where the same retirement waits already.

    Raises NotAllowed for what is no invariant in force, BadInput for a bad reason.
    """
    memory = reads.memory(mid)
    if not reads.approved(mid):
        raise NotAllowed(
            f"{memory.short_id} is no invariant in force; an ordinary memory goes by `tur-adm memory retract`"
        )
    for waiting in reads.proposal_ids(records.ProposalState.PENDING):
        filed = reads.filed(waiting)
        if filed.kind is records.ProposalKind.RETIRE and filed.mid == mid:
            return waiting, None
    nonce = os.urandom(16).hex()
    proposal = digest_of({"retire": memory.digest, "nonce": nonce})
    effects = [propose(proposal, records.ProposalKind.RETIRE, memory.digest, nonce=nonce)]
    return proposal, NewEvent(EventKind.PROPOSED, actor, {"effects": effects}).because(check_reason(reason))
