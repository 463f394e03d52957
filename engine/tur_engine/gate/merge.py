"""What a merge result is: a draft made of both sides, with the text a person wrote."""

from __future__ import annotations

from collections.abc import Mapping

from ..ledger import Reads
from ..ontology import EdgeType
from ..records import Author, Conflict, Draft, Memory, MemoryType, Scope, Status


def merged_draft(text: str, conflict: Conflict, actor: Author, provenance: Mapping[str, str] | None = None) -> Draft:
    """Return the draft of a merge: the incumbent's type, the wider scope, what both sides agree on. Raises BadInput."""
    old, new = conflict.incumbent.memory, conflict.challenger.memory
    relations = tuple(dict.fromkeys(r for m in (old, new) for r in m.relations if r.type != EdgeType.CONTRADICTS))
    sides = {old.digest, new.digest}
    return Draft(
        content=text,
        type=old.type if old.type is not MemoryType.CONCEPT else MemoryType.FACT,
        scope=_wider(old, new),
        topic=old.topic if old.topic == new.topic else None,
        fields={k: v for k, v in old.fields.items() if k in new.fields and new.fields[k] == v},
        tags=tuple({*old.tags, *new.tags}),
        relations=tuple(r for r in relations if r.target not in sides),
        author=actor,
        session=new.session,
        provenance=dict(provenance or {}),
    )


def _wider(old: Memory, new: Memory) -> Scope:
    return new.scope if old.scope.within(new.scope) else old.scope


def case_of(reads: Reads, conflict: Conflict) -> list[str]:
    """Return the digests that a merged text need not be weighed against: both sides, and a held candidate's case."""
    digests = {conflict.incumbent.memory.digest, conflict.challenger.memory.digest}
    mid = reads.mid(conflict.challenger.memory.digest)
    if mid is not None and conflict.challenger.status is Status.HELD:
        for incumbent, challenger in map(reads.sides, reads.conflicts_of(mid)):
            if challenger == mid:
                digests.add(reads.digest(incumbent))
    return sorted(digests)
