"""Memories, and what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ontology import node_type_of
from ..records import (
    Belief,
    Fall,
    Grounded,
    RecalledMemory,
    Status,
    Support,
    WorkingContext,
)
from .deciding import effects, side
from .plain import Payload, stamp


def memory(belief: Belief, full_id: Callable[[str], str]) -> Payload:
    """One memory in a list. `full_id` turns a digest into an id."""
    return {
        "id": belief.id,
        "content": belief.memory.content,
        "type": belief.memory.type.value,
        "scope": str(belief.memory.scope),
        "status": belief.status.value,
        "contested": belief.contested or bool(belief.pending),
        "conflict_id": belief.pending[0] if belief.pending else None,
        "contested_by": [full_id(digest) for digest in belief.contested_by],
        "suspect": belief.status is Status.SUSPECT,
    }


def memory_in_full(belief: Belief, full_id: Callable[[str], str]) -> Payload:
    """Everything that is known of one memory."""
    held = belief.memory
    return memory(belief, full_id) | {
        "digest": held.digest,
        "declared_scope": str(held.declared_scope),
        "topic": held.topic,
        "fields": dict(held.fields),
        "tags": list(held.tags),
        "relations": [{"type": relation.type, "target": relation.target} for relation in held.relations],
        "author": str(held.author),
        "occurred_at": stamp(held.occurred_at),
        "recorded_at": stamp(held.recorded_at),
        "confidence": held.confidence.model_dump(mode="json"),
        "session": held.session,
        "provenance": dict(held.provenance),
        "node_type": node_type_of(held.type, held.node_type),
        "seq": held.seq,
        "approved": belief.approved,
        "redacted": held.redacted,
        "pending": list(belief.pending),
        "suspect_because": [full_id(digest) for digest in belief.suspect_because],
    }


def recall(hits: Sequence[RecalledMemory], full_id: Callable[[str], str]) -> Payload:
    """`memories[]`, best first; the other side of a contested one stands among them, or is held: `other_sides[]`."""
    known = {hit.belief.memory.digest: hit.belief.id for hit in hits}

    def name(digest: str) -> str:
        return known.get(digest) or full_id(digest)

    return {
        "memories": [memory(hit.belief, name) | _others(hit.others) | {"score": round(hit.score, 4)} for hit in hits]
    }


def _others(held: Sequence[Belief]) -> Payload:
    return {"other_sides": [side(belief) for belief in held]} if held else {}


def context(found: WorkingContext, full_id: Callable[[str], str]) -> Payload:
    """What holds at a place: `invariants[]` and `memories[]`, newest first, and the same as `text`."""
    return {
        "invariants": [
            {
                "id": item.belief.id,
                "content": item.belief.memory.content,
                "type": item.belief.memory.type.value,
                "scope": str(item.belief.memory.scope),
                "store": item.store,
            }
            for item in found.invariants
        ],
        "memories": [memory(item.belief, full_id) | _others(item.others) for item in found.memories],
        "tokens": found.tokens,
        "budget": found.budget,
        "more": found.more,
        "text": found.text,
    }


def support(found: Support, full_id: Callable[[str], str]) -> Payload:
    """Why a memory is believed: each memory once, nearest first; grounds name the others by id."""
    about = found.nodes[0]
    return {
        "id": about.belief.id,
        "status": about.belief.status.value,
        "well_founded": found.well_founded,
        "nodes": [_grounded(node, full_id) for node in found.nodes],
        "circles": [[full_id(one), full_id(other)] for one, other in found.circles],
        "left_out": found.left_out,
    }


def _grounded(node: Grounded, full_id: Callable[[str], str]) -> Payload:
    belief, fallen = node.belief, node.defeat
    return side(belief) | {
        "author": str(belief.memory.author),
        "occurred_at": stamp(belief.memory.occurred_at),
        "recorded_at": stamp(belief.memory.recorded_at),
        "seq": belief.memory.seq,
        "approved": belief.approved,
        "premise": node.premise,
        "justifications": [
            {
                "seq": each.seq,
                "by": str(each.by),
                "at": stamp(each.at),
                "whole": each.whole,
                "grounds": [{"type": ground.type, "id": full_id(ground.target)} for ground in each.grounds],
            }
            for each in node.justifications
        ],
        "beside": [{"type": each.type, "id": full_id(each.target)} for each in node.beside],
        "suspect_because": [full_id(digest) for digest in belief.suspect_because],
        "reaffirmed_in_spite_of": [full_id(digest) for digest in node.reaffirmed],
        "contested_by": [full_id(digest) for digest in belief.contested_by],
        "pending": list(belief.pending),
        "defeat": None
        if fallen is None
        else {
            "status": fallen.status.value,
            "verb": fallen.verb,
            "by": str(fallen.by),
            "at": stamp(fallen.at),
            "reason": fallen.reason,
            "seq": fallen.seq,
            "winner": None if fallen.winner is None else full_id(fallen.winner),
            "conflict_id": fallen.conflict_id,
        },
    }


def fall(found: Fall, full_id: Callable[[str], str]) -> Payload:
    """What would follow if a memory fell; nothing was written."""
    return {
        "id": found.belief.id,
        "verb": found.verb.value,
        "allowed": found.allowed,
        "reason": found.reason,
        "suspects": [
            side(each.belief)
            | {
                "causes": [full_id(digest) for digest in each.causes],
                "through": [full_id(digest) for digest in each.through],
            }
            for each in found.suspects
        ],
        "standing": [side(belief) for belief in found.standing],
        "effects": effects(found.effects),
    }
