"""The inverse of each effect of one event, in reverse order, and what follows from it for conflicts and marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.effects import Effect, conflict_id, move, open_conflict, rescope, settle
from ..records import ConflictState, EventKind, Status, Verb
from .cascade import FALLEN
from .labels import with_marks
from .view import View

_HELD_TO_A_FALL = (Verb.SUPERSEDE, Verb.REFUTE, Verb.MERGE, Verb.ABORT)
"""Verbs that leave one side standing: both live again means the question is open again."""


@dataclass
class UndoPlan:
    """The inverse of one event. `verbs` keeps what each reopened conflict was settled with, for a redo."""

    target: int
    effects: list[Effect] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    verbs: dict[str, str] = field(default_factory=dict)

    @property
    def statuses(self) -> dict[str, Status]:
        """Where the memories that it moves stand afterwards."""
        return {e["digest"]: Status(e["to"]) for e in self.effects if e["op"] == "status"}

    def mark(self, view: View) -> None:
        """Bring the suspect marks in line with the rest of the effects."""
        self.effects = with_marks(view, self.effects, undoing=self.target)

    @property
    def widened(self) -> dict[str, str]:
        """The scopes that it gives back, by digest."""
        return {e["digest"]: e["to"] for e in self.effects if e["op"] == "scope"}


def standing(reads: Reads, statuses: Mapping[str, Status], digest: str) -> Status:
    """Return where a memory stands once these moves have happened."""
    mid = reads.mid(digest)
    assert mid is not None
    return statuses.get(digest) or reads.status(mid)


def brought(reads: Reads, seq: int, data: dict[str, Any]) -> dict[str, int]:
    """Return the memories that came in with a graph that event `seq` mapped, by digest, with their rows."""
    after = data.get("graph", {}).get("after")
    if after is None:
        return {}
    rows = {digest: reads.mid(digest) or 0 for digest in data.get("about", ())}
    return {digest: mid for digest, mid in rows.items() if after < mid < seq}


class Undoing:
    """Collects the inverse of one event."""

    def __init__(self, reads: Reads, seq: int, data: dict[str, Any]) -> None:
        self._reads = reads
        self._drew = reads.kind(seq) in (EventKind.MAPPED, EventKind.DETECTED)
        self._view = View(reads)
        self._data = data
        self._undo = UndoPlan(seq)

    def run(self) -> UndoPlan:
        undo = self._undo
        opened, settled = [], []
        undo.effects += [
            move(digest, self._reads.status(mid), Status.RETRACTED)
            for digest, mid in brought(self._reads, undo.target, self._data).items()
            if self._reads.status(mid) is not Status.RETRACTED
        ]
        for effect in reversed(self._data["effects"]):
            match effect["op"]:
                case "open":
                    opened.append(effect["conflict"])
                case "state":
                    settled.append(effect)
                case _:
                    undo.effects.extend(self._inverse(effect))
        for effect in sorted(settled, key=self._is_aside):
            self._reopen(effect["conflict"], effect["verb"], settled_by_it=effect["to"] == ConflictState.RESOLVED)
        for cid in opened:
            self._close_again(cid)
        self._moot()
        for digest in self._returning():
            self._ask_again(digest)
        undo.mark(self._view)
        return undo

    def _is_aside(self, settlement: Effect) -> bool:
        """False for the conflict that was decided: it comes back before those that were settled along with it."""
        decided = self._data.get("conflict")
        sides = self._reads.sides
        return decided is None or sides(settlement["conflict"]) != sides(str(decided))

    def _inverse(self, effect: Effect) -> list[Effect]:
        match effect["op"]:
            case "status":
                return [move(effect["digest"], Status(effect["to"]), Status(effect["from"]))]
            case "memory":
                return [move(effect["digest"], Status(effect["status"]), Status.RETRACTED)]
            case "suspect":
                return []  # the marks follow from what stands afterwards
            case "edge":
                return [{**effect, "on": not effect["on"]}]
            case "scope":
                return [rescope(effect["digest"], effect["to"], effect["from"])]
            case other:
                raise NotAllowed(f"an event that holds {other!r} cannot be undone")

    def _at(self, digest: str) -> Status:
        return standing(self._reads, self._undo.statuses, digest)

    def _fallen_side(self, cid: str) -> bool:
        return any(self._at(self._reads.digest(side)) in FALLEN for side in self._reads.sides(cid))

    def _returning(self) -> list[str]:
        """Memories that fell and hold, or are held, again."""
        return [d for d, s in self._undo.statuses.items() if s not in FALLEN and self._view.status(d) in FALLEN]

    # conflicts ----------------------------------------------------------------------

    def _reopen(self, cid: str, verb: str, *, settled_by_it: bool) -> None:
        """A settled conflict stays settled; a successor opens in its place (CONTRACTS 1)."""
        undo, reads = self._undo, self._reads
        if cid in undo.verbs:
            return
        state = reads.state(cid)
        if state is not ConflictState.RESOLVED:
            undo.effects.append(settle(cid, state, ConflictState.RESOLVED))
        elif not settled_by_it:
            return
        if self._fallen_side(cid):
            return  # the other side lost elsewhere meanwhile
        parent = self._latest(cid)
        if parent != cid and reads.state(parent).open:
            return
        record = reads.conflict_record(cid)
        successor = conflict_id(record["incumbent"], record["challenger"], parent)
        undo.verbs |= dict.fromkeys((cid, parent, successor), verb)
        undo.reopened.append(f"conflict-{successor}")
        undo.effects.append(open_conflict(successor, record, reopens=parent))

    def _close_again(self, cid: str) -> None:
        """What the event opened is settled as before; what it had found anew stays open while both sides hold.

        What a graph only claimed is no conflict without it.
        """
        verb = self._data.get("verbs", {}).get(cid, "")
        if self._drew and not self._fallen_side(cid):
            verb = str(Verb.DISMISS)
        cid = self._latest(cid)
        if self._reads.state(cid).open and (verb or self._fallen_side(cid)):
            self._settle(cid, verb or self._verb())

    def _latest(self, cid: str) -> str:
        """Follow a conflict that was undone, restored and undone again to its last successor."""
        record = self._reads.conflict_record(cid)
        while self._reads.has_conflict(successor := conflict_id(record["incumbent"], record["challenger"], cid)):
            cid = successor
        return cid

    def _ask_again(self, digest: str) -> None:
        """Of another conflict one side had to fall; where both hold again, it opens again."""
        mid = self._reads.mid(digest)
        assert mid is not None
        for cid in self._reads.conflicts_of(mid, open_only=False):
            verb = self._reads.settlement_of(cid)
            if verb in _HELD_TO_A_FALL and not self._fallen_side(cid):
                self._reopen(cid, str(verb), settled_by_it=True)

    def _moot(self) -> None:
        """Open conflicts of a memory that falls are settled with it."""
        closed = {e["conflict"] for e in self._undo.effects if e["op"] == "state"}
        for digest, status in list(self._undo.statuses.items()):
            mid = self._reads.mid(digest)
            if status not in FALLEN or mid is None:
                continue
            for cid in self._reads.conflicts_of(mid):
                if cid not in closed:
                    closed.add(cid)
                    self._settle(cid, self._verb())

    def _verb(self) -> str:
        """What came in by a merge or a graph is withdrawn; else the decision that holds again makes it moot."""
        decision = None if "memory" in self._data else self._data.get("decision")
        return str(decision["verb"] if decision else Verb.ABORT)

    def _settle(self, cid: str, verb: str) -> None:
        state = self._reads.state(cid)
        if state is ConflictState.DETECTED:
            self._undo.effects.append(settle(cid, state, ConflictState.RESOLVING, verb))
            state = ConflictState.RESOLVING
        self._undo.effects.append(settle(cid, state, ConflictState.RESOLVED, verb))
