"""What an event changes, as data: each change is reversible, so undo is the list of inverses.

Projections follow from the effects alone, in order. Ids in effects are full digests and conflict ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..records import ConflictState, Status
from .canonical import digest_of

Effect = dict[str, Any]
_SUBJECTS = ("digest", "conflict", "source", "target", "proposal")


def conflict_id(one: str, other: str, reopens: str = "") -> str:
    """Return the hex of a conflict id: of the sorted pair of digests, and of what it reopens."""
    return digest_of([*sorted((one, other)), *([reopens] if reopens else [])])


def arrive(digest: str, status: Status, embedding_ref: str = "") -> Effect:
    """A memory comes in; its record stands in the event's `memory`."""
    effect: Effect = {"op": "memory", "digest": digest, "status": str(status)}
    if embedding_ref:
        effect["embedding_ref"] = embedding_ref
    return effect


def move(digest: str, before: Status, after: Status) -> Effect:
    """A memory's status moves."""
    return {"op": "status", "digest": digest, "from": str(before), "to": str(after)}


def suspect(digest: str, cause: str, on: bool = True) -> Effect:
    """A memory rests on one that fell (or no longer does)."""
    return {"op": "suspect", "digest": digest, "cause": cause, "on": on}


def edge(source: str, target: str, type: str, on: bool = True) -> Effect:
    """A typed edge is drawn or taken away."""
    return {"op": "edge", "source": source, "target": target, "type": type, "on": on}


def rescope(digest: str, before: str, after: str) -> Effect:
    """A memory holds in a narrower (or again wider) scope."""
    return {"op": "scope", "digest": digest, "from": before, "to": after}


def open_conflict(conflict: str, record: dict[str, Any], reopens: str = "") -> Effect:
    """A conflict is detected; `record` holds sides, probability, type, and evidence behind a body."""
    return {"op": "open", "conflict": conflict, "record": record, "reopens": reopens}


def settle(conflict: str, before: ConflictState, after: ConflictState, verb: str = "") -> Effect:
    """A conflict's state moves. Raises ValueError for a move that the state machine does not have."""
    if not before.may_become(after):
        raise ValueError(f"a conflict cannot go from {before} to {after}")
    return {"op": "state", "conflict": conflict, "from": str(before), "to": str(after), "verb": verb}


def approve(digest: str, on: bool = True) -> Effect:
    """A memory is in force as an invariant (or no longer)."""
    return {"op": "approve", "digest": digest, "on": on}


def propose(
    proposal: str, kind: str, digest: str, replaces: Sequence[str] = (), promotes: str = "", nonce: str = ""
) -> Effect:
    """A proposal waits for people. `nonce` makes a retirement's id, which has no memory of its own to be named by."""
    effect: Effect = {
        "op": "proposal",
        "proposal": proposal,
        "kind": str(kind),
        "digest": digest,
        "replaces": sorted(replaces),
        "promotes": promotes,
    }
    if nonce:
        effect["nonce"] = nonce
    return effect


def decide(proposal: str, before: str, after: str) -> Effect:
    """A proposal was approved or rejected."""
    return {"op": "proposal_state", "proposal": proposal, "from": str(before), "to": str(after)}


def reviewer(key: str, public: str, name: str, on: bool = True) -> Effect:
    """A key may sign for this store (or no longer)."""
    return {"op": "key", "key": key, "public": public, "name": name, "on": on}


def policy(axiom: int, core: int) -> Effect:
    """How many reviewers must sign, by tier."""
    return {"op": "policy", "quorum": {"axiom": axiom, "core": core}}


def quarantine(author: str, on: bool = True) -> Effect:
    """What an author writes is only held (or no longer)."""
    return {"op": "quarantine", "author": author, "on": on}


def proposals_of(kind: str, data: dict[str, Any]) -> list[Effect]:
    """Return the proposals that an event files. Format 1 wrote none beside the memory: there the event tells."""
    effects: list[Effect] = data.get("effects", [])
    found = [effect for effect in effects if effect["op"] == "proposal"]
    if kind == "proposed" and not found:
        digest = next(effect["digest"] for effect in effects if effect["op"] == "memory")
        found = [propose(digest, "adopt", digest, data.get("about", ()))]
    return found


def redact(digest: str, refs: list[str]) -> Effect:
    """The bodies of a memory go; not reversible."""
    return {"op": "redact", "digest": digest, "refs": refs}


def subjects(effects: list[Effect]) -> set[str]:
    """Return every digest and conflict id that the effects change."""
    found: set[str] = set()
    for effect in effects:
        for name in _SUBJECTS:
            if name in effect:
                found.add(effect[name])
    return found
