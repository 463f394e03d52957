"""Taking a decision back: the inverse of each effect, in reverse order, as a new event. Undo can be undone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.canonical import digest_of
from ..ledger.effects import Effect, edge, move, open_conflict, rescope, settle, subjects, suspect
from ..records import ConflictState, EventKind, Status, Verb

_DECISIONS = (EventKind.RESOLVED, EventKind.CHOSEN, EventKind.UNDONE, EventKind.REAFFIRMED)


@dataclass
class UndoPlan:
    """The inverse of one event. `verbs` keeps what each reopened conflict was settled with, for a redo."""

    target: int
    effects: list[Effect] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    verbs: dict[str, str] = field(default_factory=dict)


def conflict_id(one: str, other: str, reopens: str = "") -> str:
    """Return the hex of a conflict id: of the sorted pair of digests, and of what it reopens."""
    return digest_of([*sorted((one, other)), *([reopens] if reopens else [])])


def plan_undo(reads: Reads, seq: int) -> UndoPlan:
    """Return the inverse of event `seq`. Raises NotAllowed where it cannot be taken back, with the reason."""
    kind = reads.kind(seq)
    if kind not in _DECISIONS:
        raise NotAllowed(
            f"event {seq} is {('of kind ' + kind) if kind else 'not there'}; only decisions can be undone "
            "(resolved, chosen, undone, reaffirmed)"
        )
    if reads.undone(seq):
        raise NotAllowed(f"event {seq} was undone already; undo that undoing to restore it")
    data = reads.event(seq)[2]
    if kind == EventKind.UNDONE and reads.kind(int(data["undoes"])) == EventKind.CHOSEN:
        raise NotAllowed(
            f"event {seq} took back a choice that had changed nothing yet; give the conflict its verb again"
        )
    if blocker := _blocker(reads, seq, data):
        raise NotAllowed(
            f"event {blocker} ({reads.kind(blocker)}) came later and changed the same memories; undo that first"
        )
    undo = UndoPlan(seq)
    for effect in reversed(data["effects"]):
        undo.effects.extend(_inverse(reads, effect, data, undo))
    return undo


def _blocker(reads: Reads, seq: int, data: dict[str, Any]) -> int | None:
    later: set[int] = set()
    for subject in subjects(data["effects"]):
        later.update(s for s in reads.mentions(subject, changes_only=True) if s > seq)
    return next((s for s in sorted(later) if not _cancelled(reads, s)), None)


def _cancelled(reads: Reads, seq: int) -> bool:
    """True for an undone event, and for an undoing whose target lies with it after the event in question."""
    if reads.undone(seq):
        return True
    return reads.kind(seq) == EventKind.UNDONE and reads.undone(int(reads.event(seq)[2]["undoes"]))


def _inverse(reads: Reads, effect: Effect, data: dict[str, Any], undo: UndoPlan) -> list[Effect]:
    match effect["op"]:
        case "status":
            return [move(effect["digest"], Status(effect["to"]), Status(effect["from"]))]
        case "memory":
            return [move(effect["digest"], Status(effect["status"]), Status.RETRACTED)]
        case "suspect":
            return [suspect(effect["digest"], effect["cause"], not effect["on"])]
        case "edge":
            return [edge(effect["source"], effect["target"], effect["type"], not effect["on"])]
        case "scope":
            return [rescope(effect["digest"], effect["to"], effect["from"])]
        case "open":
            return _close_again(reads, effect["conflict"], data)
        case "state":
            return _reopen(reads, effect, undo)
        case other:
            raise NotAllowed(f"an event that holds {other!r} cannot be undone")


def _reopen(reads: Reads, effect: Effect, undo: UndoPlan) -> list[Effect]:
    """A settled conflict stays settled; a successor opens in its place (CONTRACTS 1)."""
    cid = effect["conflict"]
    if cid in undo.verbs or f"conflict-{cid}" in undo.reopened:
        return []
    made: list[Effect] = []
    state = reads.state(cid)
    if state is not ConflictState.RESOLVED:
        made.append(settle(cid, state, ConflictState.RESOLVED))
    elif effect["to"] != ConflictState.RESOLVED:
        return []
    record = reads.conflict_record(cid)
    parent, successor = cid, conflict_id(record["incumbent"], record["challenger"], cid)
    while reads.has_conflict(successor):  # undone, redone and now undone again
        parent, successor = successor, conflict_id(record["incumbent"], record["challenger"], successor)
    undo.verbs[cid] = effect["verb"]
    undo.verbs[successor] = effect["verb"]
    undo.reopened.append(f"conflict-{successor}")
    made.append(open_conflict(successor, record, reopens=parent))
    return made


def _close_again(reads: Reads, cid: str, data: dict[str, Any]) -> list[Effect]:
    verb = data.get("verbs", {}).get(cid, str(Verb.DISMISS))
    return [
        settle(cid, reads.state(cid), ConflictState.RESOLVING, verb),
        settle(cid, ConflictState.RESOLVING, ConflictState.RESOLVED, verb),
    ]
