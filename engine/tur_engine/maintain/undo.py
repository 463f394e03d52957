"""Taking a decision back: what can be, what stands in the way, and the inverse as a new event. Undo can be undone."""

from __future__ import annotations

from typing import Any

from ..errors import BadInput, NotAllowed
from ..graph.circles import closed_by
from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.effects import Effect, move, subjects
from ..ontology.signatures import ACYCLIC
from ..records import ConflictState, EventKind, Scope, Status
from .guard import Guard
from .inverse import Undoing, UndoPlan, brought, standing

_DECISIONS = (EventKind.RESOLVED, EventKind.CHOSEN, EventKind.UNDONE, EventKind.REAFFIRMED)
_DRAWINGS = (EventKind.MAPPED, EventKind.DETECTED)
"""What a graph, or a pass over the whole store, drew."""

_RETIRE = "; to change an invariant, propose its retirement: tur-adm memory retire ID"
_INSTEAD = {
    EventKind.APPROVED: _RETIRE,
    EventKind.SIGNED: "; while the proposal waits, it can be rejected: tur-adm proposal reject ID",
    EventKind.DECLINED: "; propose it anew: tur propose TEXT",
    EventKind.ENROLLED: "; to end what a key may sign: tur-adm key revoke KEY",
    EventKind.REVOKED: "; to let the key sign again: tur-adm key enrol PUBLIC --name NAME",
    EventKind.POLICY: "; to set the numbers anew: tur-adm policy quorum",
    EventKind.QUARANTINED: "; to let the agent write again: tur-adm release AGENT",
    EventKind.RELEASED: "; to hold what the agent writes: tur-adm quarantine AGENT",
    EventKind.REDACTED: "; the text is gone for good",
    EventKind.PERSONA: "; change the file, and its flags have no force",
}
"""What to do where a signed event was a mistake."""


def plan_undo(reads: Reads, seq: int) -> UndoPlan:
    """Return the inverse of event `seq`. Raises NotAllowed where it cannot be taken back, with the reason."""
    kind = reads.kind(seq)
    if not kind:
        raise BadInput(f"there is no event {seq}; the ledger holds 1 to {reads.last_event()}")
    if "statement" in reads.event(seq)[2]:
        raise NotAllowed(
            f"event {seq} ({kind}) was signed by a reviewer, and no undo takes a signature back"
            + _INSTEAD.get(EventKind(kind), "")
        )
    if kind not in (*_DECISIONS, *_DRAWINGS):
        raise NotAllowed(
            f"event {seq} is of kind {kind}; only decisions can be undone (resolved, chosen, undone, reaffirmed), "
            "and what a graph or a pass over the store drew (mapped, detected)"
        )
    if by := reads.undone_by(seq):
        raise NotAllowed(f"event {seq} was undone already, by event {by}; undo {by} to have it back")
    data = reads.event(seq)[2]
    if kind in _DRAWINGS and (why := _not_drawn(seq, EventKind(kind), data)):
        raise NotAllowed(why)
    if kind == EventKind.UNDONE and reads.kind(int(data["undoes"])) == EventKind.CHOSEN:
        raise NotAllowed(f"event {seq} took back a choice that had changed nothing; give the conflict its verb again")
    if blocker := _blocker(reads, seq, data):
        raise NotAllowed(_refusal(reads, seq, blocker))
    if kind == EventKind.CHOSEN and reads.chosen_event(data["conflict"]) != seq:
        raise NotAllowed(f"event {seq} was a choice that lapsed when a later decision on its case was undone")
    undo = Undoing(reads, seq, data).run()
    if circles := _circles(reads, undo.effects):
        raise NotAllowed(f"what event {seq} took back cannot return beside what was drawn since: {circles[0]}")
    if not undo.effects and kind != EventKind.CHOSEN:
        raise NotAllowed(f"nothing is left of event {seq} that could be taken back")
    return undo


def root_of(reads: Reads, seq: int) -> int:
    """Return the event that a chain of undoings goes back to."""
    while reads.kind(seq) == EventKind.UNDONE:
        seq = int(reads.event(seq)[2]["undoes"])
    return seq


def admit_the_free(reads: Reads, undo: UndoPlan, guard: Guard) -> list[Body]:
    """Let in what would be held with no open conflict left: what it clashed with is gone.

    What an invariant stands against stays held; returns the bodies of the conflicts that this opens.
    """
    bodies: list[Body] = []
    closed = {e["conflict"] for e in undo.effects if e["op"] == "state" and e["to"] == ConflictState.RESOLVED}
    opened = {e["record"]["challenger"] for e in undo.effects if e["op"] == "open"}
    touched = set(undo.statuses) | {reads.digest(side) for cid in closed for side in reads.sides(cid)}
    for digest in sorted(touched - opened):
        mid = reads.mid(digest)
        assert mid is not None
        if standing(reads, undo.statuses, digest) is not Status.HELD:
            continue
        if not any(reads.sides(cid)[1] == mid for cid in reads.conflicts_of(mid) if cid not in closed):
            scope = undo.widened.get(digest)
            if bars := guard(reads, digest, Scope.parse(scope) if scope else None):
                undo.effects += [effect for bar in bars for effect in bar.effects]
                bodies += [each for bar in bars for each in bar.bodies]
                continue
            undo.effects.append(move(digest, Status.HELD, Status.ACTIVE))
    return bodies


def _not_drawn(seq: int, kind: EventKind, data: dict[str, Any]) -> str:
    """Return why an event that draws edges is not taken back; empty where it is."""
    opened = next((e["conflict"] for e in data["effects"] if e["op"] == "open"), "")
    if kind is EventKind.DETECTED and opened:
        return (
            f"event {seq} found a conflict, which is settled by a verb: tur resolve conflict-{opened[:8]} dismiss "
            "where it is none"
        )
    if kind is EventKind.MAPPED and "after" not in data.get("graph", {}):
        return f"event {seq} does not tell what came in with its graph; tur undo --session takes back who committed it"
    return ""


def _circles(reads: Reads, effects: list[Effect]) -> list[str]:
    """Return the circles that edges which come back would close."""
    drawn = [e for e in effects if e["op"] == "edge" and e["on"] and e["type"] in ACYCLIC]
    ends = [(e["type"], reads.mid(e["source"]), reads.mid(e["target"])) for e in drawn]
    return closed_by(reads, [(kind, one, other) for kind, one, other in ends if one is not None and other is not None])


def _blocker(reads: Reads, seq: int, data: dict[str, Any]) -> int | None:
    """Return the first later event that changed the same records; a suspect mark is no such change.

    An edge that a graph or a pass drew stands by itself: what else becomes of its ends does not hold it.
    """
    edges: set[tuple[str, str, str]] = set()
    mine = _changed(data)
    if reads.kind(root_of(reads, seq)) in _DRAWINGS:
        edges = _edges(data)
        mine = _changed({"effects": [e for e in data["effects"] if e["op"] != "edge"]}) | set(brought(reads, seq, data))
    named = mine | {source for source, _, _ in edges}
    later = {s for subject in named for s in reads.mentions(subject, changes_only=True) if s > seq}
    for s in sorted(later):
        event = reads.event(s)[2]
        touched = mine & (_changed(event) | set(event.get("about", ()))) or edges & _edges(event)
        if touched and not _cancelled(reads, s, seq):
            return s
    return None


def _edges(data: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(e["source"], e["target"], e["type"]) for e in data.get("effects", ()) if e["op"] == "edge"}


def _opened(data: dict[str, Any]) -> set[str]:
    return {e["conflict"] for e in data.get("effects", ()) if e["op"] == "open"}


def _changed(data: dict[str, Any]) -> set[str]:
    own = {str(data["conflict"])} if "conflict" in data and "decision" in data else set()
    return subjects([e for e in data.get("effects", ()) if e["op"] not in ("suspect", "proposal")]) | own


def _cancelled(reads: Reads, later: int, seq: int) -> bool:
    """True for an undone event, and for an undoing whose target lies with it after event `seq`."""
    if reads.undone(later):
        return True
    if reads.kind(later) != EventKind.UNDONE:
        return False
    target = int(reads.event(later)[2]["undoes"])
    return target > seq and reads.undone(target)


def _refusal(reads: Reads, seq: int, blocker: int) -> str:
    kind = reads.kind(blocker)
    came = f"event {blocker} ({kind}) came later and changed the same memories or conflict"
    if kind in (*_DECISIONS, EventKind.MAPPED):
        return f"{came}; undo that first"
    if kind == EventKind.DETECTED:
        return f"{came}; {'give that conflict its verb' if _opened(reads.event(blocker)[2]) else 'undo that'} first"
    if kind == EventKind.ESCALATED:
        return f"{came}: it waits for people now; give it a verb instead"
    return f"{came}, and cannot be undone; so event {seq} stays: learn what is to hold instead"
