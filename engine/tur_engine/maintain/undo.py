"""Taking a decision back: the inverse of each effect, in reverse order, as a new event. Undo can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput, NotAllowed
from ..ledger import Reads
from ..ledger.bodies import Body
from ..ledger.canonical import digest_of
from ..ledger.effects import Effect, edge, move, open_conflict, rescope, settle, subjects, suspect
from ..records import ConflictState, EventKind, Scope, Status, Verb
from .cascade import FALLEN, shaken
from .guard import Guard
from .view import View

_DECISIONS = (EventKind.RESOLVED, EventKind.CHOSEN, EventKind.UNDONE, EventKind.REAFFIRMED)
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

    @property
    def widened(self) -> dict[str, str]:
        """The scopes that it gives back, by digest."""
        return {e["digest"]: e["to"] for e in self.effects if e["op"] == "scope"}


def conflict_id(one: str, other: str, reopens: str = "") -> str:
    """Return the hex of a conflict id: of the sorted pair of digests, and of what it reopens."""
    return digest_of([*sorted((one, other)), *([reopens] if reopens else [])])


def plan_undo(reads: Reads, seq: int) -> UndoPlan:
    """Return the inverse of event `seq`. Raises NotAllowed where it cannot be taken back, with the reason."""
    kind = reads.kind(seq)
    if not kind:
        raise BadInput(f"there is no event {seq}; the ledger holds 1 to {reads.last_event()}")
    if "statement" in reads.event(seq)[2]:
        raise NotAllowed(
            f"event {seq} ({kind}) was signed by a reviewer, and no undo takes a signature back; "
            "to change an invariant, propose its retirement: tur-adm memory retire ID"
        )
    if kind not in _DECISIONS:
        raise NotAllowed(
            f"event {seq} is of kind {kind}; only decisions can be undone (resolved, chosen, undone, reaffirmed)"
        )
    if reads.undone(seq):
        raise NotAllowed(f"event {seq} was undone already; undo that undoing to restore it")
    data = reads.event(seq)[2]
    if kind == EventKind.UNDONE and reads.kind(int(data["undoes"])) == EventKind.CHOSEN:
        raise NotAllowed(f"event {seq} took back a choice that had changed nothing; give the conflict its verb again")
    if blocker := _blocker(reads, seq, data):
        raise NotAllowed(_refusal(reads, seq, blocker))
    if kind == EventKind.CHOSEN and reads.chosen_event(data["conflict"]) != seq:
        raise NotAllowed(f"event {seq} was a choice that lapsed when a later decision on its case was undone")
    undo = _Undoing(reads, seq, data).run()
    if not undo.effects and kind != EventKind.CHOSEN:
        raise NotAllowed(f"nothing is left of event {seq} that could be taken back")
    return undo


def admit_the_free(reads: Reads, undo: UndoPlan, guard: Guard) -> list[Body]:
    """Let in what would be held with no open conflict left: what it clashed with is gone.

    What an invariant stands against stays held; returns the bodies of the conflicts that this opens.
    """
    bodies: list[Body] = []
    view = View(reads)
    closed = {e["conflict"] for e in undo.effects if e["op"] == "state" and e["to"] == ConflictState.RESOLVED}
    opened = {e["record"]["challenger"] for e in undo.effects if e["op"] == "open"}
    touched = set(undo.statuses) | {reads.digest(side) for cid in closed for side in reads.sides(cid)}
    for digest in sorted(touched - opened):
        mid = reads.mid(digest)
        assert mid is not None
        if _at(reads, undo.statuses, digest) is not Status.HELD:
            continue
        if not any(reads.sides(cid)[1] == mid for cid in reads.conflicts_of(mid) if cid not in closed):
            scope = undo.widened.get(digest)
            if bars := guard(reads, digest, Scope.parse(scope) if scope else None):
                undo.effects += [effect for bar in bars for effect in bar.effects]
                bodies += [each for bar in bars for each in bar.bodies]
                continue
            undo.effects.append(move(digest, Status.HELD, Status.ACTIVE))
            doubts = shaken(view, digest, lambda d: _at(reads, undo.statuses, d), view.grounds(digest))
            undo.effects += [suspect(memory, cause) for memory, cause in doubts]
    return bodies


def _at(reads: Reads, statuses: Mapping[str, Status], digest: str) -> Status:
    mid = reads.mid(digest)
    assert mid is not None
    return statuses.get(digest) or reads.status(mid)


def _blocker(reads: Reads, seq: int, data: dict[str, Any]) -> int | None:
    """Return the first later event that changed the same records; a suspect mark is no such change."""
    mine = _changed(data)
    later = {s for subject in mine for s in reads.mentions(subject, changes_only=True) if s > seq}
    for s in sorted(later):
        event = reads.event(s)[2]
        if mine & (_changed(event) | set(event.get("about", ()))) and not _cancelled(reads, s, seq):
            return s
    return None


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
    if kind in _DECISIONS:
        return f"{came}; undo that first"
    if kind == EventKind.ESCALATED:
        return f"{came}: it waits for people now; give it a verb instead"
    return f"{came}, and cannot be undone; so event {seq} stays: learn what is to hold instead"


class _Undoing:
    """Collects the inverse of one event."""

    def __init__(self, reads: Reads, seq: int, data: dict[str, Any]) -> None:
        self._reads = reads
        self._view = View(reads)
        self._data = data
        self._undo = UndoPlan(seq)

    def run(self) -> UndoPlan:
        undo = self._undo
        opened, settled = [], []
        for effect in reversed(self._data["effects"]):
            match effect["op"]:
                case "open":
                    opened.append(effect["conflict"])
                case "state":
                    settled.append(effect)
                case _:
                    undo.effects.extend(self._inverse(effect))
        for effect in settled:
            self._reopen(effect["conflict"], effect["verb"], settled_by_it=effect["to"] == ConflictState.RESOLVED)
        for cid in opened:
            self._close_again(cid)
        self._moot()
        for digest in self._returning():
            self._ask_again(digest)
        self._suspicions()
        return undo

    def _inverse(self, effect: Effect) -> list[Effect]:
        match effect["op"]:
            case "status":
                return [move(effect["digest"], Status(effect["to"]), Status(effect["from"]))]
            case "memory":
                return [move(effect["digest"], Status(effect["status"]), Status.RETRACTED)]
            case "suspect":
                on = not effect["on"]
                if self._view.suspected(effect["digest"], effect["cause"]) is on:
                    return []
                if on and self._at(effect["cause"]) not in FALLEN:
                    return []
                return [suspect(effect["digest"], effect["cause"], on)]
            case "edge":
                return [edge(effect["source"], effect["target"], effect["type"], not effect["on"])]
            case "scope":
                return [rescope(effect["digest"], effect["to"], effect["from"])]
            case other:
                raise NotAllowed(f"an event that holds {other!r} cannot be undone")

    def _at(self, digest: str) -> Status:
        return _at(self._reads, self._undo.statuses, digest)

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
        """What the event opened is settled as before; what it had found anew stays open while both sides hold."""
        verb = self._data.get("verbs", {}).get(cid, "")
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
        """A merged text is withdrawn with its merge; else the decision that holds again made the conflict moot."""
        return str(Verb.ABORT if "memory" in self._data else self._data["decision"]["verb"])

    def _settle(self, cid: str, verb: str) -> None:
        state = self._reads.state(cid)
        if state is ConflictState.DETECTED:
            self._undo.effects.append(settle(cid, state, ConflictState.RESOLVING, verb))
            state = ConflictState.RESOLVING
        self._undo.effects.append(settle(cid, state, ConflictState.RESOLVED, verb))

    # suspicion ----------------------------------------------------------------------

    def _fell_meanwhile(self, cause: str) -> bool:
        """False for a ground that had fallen before: the mark was set then, or the memory was reaffirmed."""
        mid = self._reads.mid(cause)
        assert mid is not None
        before = self._reads.as_of(self._undo.target - 1)
        return before.mid(cause) is None or before.status(mid) not in FALLEN

    def _suspicions(self) -> None:
        """What comes back clears those who doubted because of it, and is doubted where its own ground fell."""
        moved = {(e["digest"], e["cause"]) for e in self._undo.effects if e["op"] == "suspect"}
        marks: list[Effect] = []
        for digest in self._returning():
            mid = self._reads.mid(digest)
            assert mid is not None
            doubting = [self._reads.digest(d) for d in self._reads.suspected_by(mid)]
            marks += [suspect(d, digest, on=False) for d in doubting if (d, digest) not in moved]
            for memory, cause in shaken(self._view, digest, self._at, self._view.grounds(digest)):
                if (memory, cause) not in moved and self._fell_meanwhile(cause):
                    moved.add((memory, cause))
                    marks.append(suspect(memory, cause))
        self._undo.effects.extend(marks)
