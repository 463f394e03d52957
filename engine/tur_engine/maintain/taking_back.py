"""Takes decisions back, and suspect marks off: each is an event of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import BadInput, InvariantViolation, NotAllowed
from ..ledger import NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect
from ..records import Author, AuthorKind, ConflictState, EventKind, ResolutionResult, Status, Verb
from .confirmed import leave_confirmed
from .describe import describe
from .inverse import UndoPlan
from .labels import let_stand
from .letting_in import LettingIn, refuse_quarantined
from .plan import Plan
from .undo import admit_the_free, plan_undo, root_of
from .view import View

LookAgain = Callable[[UndoPlan], tuple[list[Effect], list[Body]]]
"""Weighs what an undo brings back against what came in meanwhile; gives the conflicts to be opened."""


class TakingBack(LettingIn):
    """Decisions that are taken back, and memories that stand in spite of what fell."""

    def undo(
        self,
        reads: Reads,
        tx: Writing,
        seq: int | None,
        actor: Author,
        reason: str = "",
        look_again: LookAgain | None = None,
    ) -> ResolutionResult:
        """Append the inverse of event `seq`, of the actor's last decision without one.

        Raises BadInput, NotAllowed; InvariantViolation where what comes back contradicts an invariant approved since.
        """
        if seq is None:
            seq = reads.last_resolution(actor)
            if seq is None:
                back = reads.last_undoing(actor)
                hint = f"to bring back what was undone last: tur undo {back}; else " if back is not None else ""
                raise NotAllowed(
                    f"{actor} has no decision to undo; {hint}name a conflict or an event (`tur history` lists them)"
                )
        refuse_quarantined(reads, actor, "undo")
        undo = plan_undo(reads, seq)
        _, by, target = reads.event(seq)
        if actor.kind is not AuthorKind.HUMAN and by != actor:
            raise NotAllowed(f"event {seq} was decided by {by}; an agent takes back its own decisions only")
        if actor.kind is not AuthorKind.HUMAN:
            _leave_to_people(reads, undo)
        leave_confirmed(reads, (d for d, status in undo.statuses.items() if status is not Status.ACTIVE), seq, actor)
        found, bodies = look_again(undo) if look_again else ([], [])
        undo.effects.extend(found)
        bodies += self._guard_undo(reads, undo)
        bodies += admit_the_free(reads, undo, self.guard)
        undo.mark(View(reads))
        original = reads.event(root_of(reads, seq))[2]
        conflict = _conflict_of(reads, original)
        data: dict[str, Any] = {"undoes": seq, "effects": undo.effects, "verbs": undo.verbs}
        if conflict:
            data["conflict"] = conflict
        if "decision" in original:
            data["decision"] = original["decision"]
        done = tx.append([NewEvent(EventKind.UNDONE, actor, data, bodies).because(reason)])
        if conflict:
            conflict = next((e["conflict"] for e in target["effects"] if e["op"] == "open"), conflict)
            conflict = undo.reopened[0].removeprefix("conflict-") if undo.reopened else conflict
        return ResolutionResult(
            verb="undo",
            conflict=reads.conflict(conflict) if conflict else None,
            seq=done.seqs[0],
            effects=describe(reads, undo.effects),
            reopened=(*undo.reopened, *(f"conflict-{e['conflict']}" for e in found)),
        )

    def _guard_undo(self, reads: Reads, undo: UndoPlan) -> list[Body]:
        """Weigh what the undo itself lets in again. Raises InvariantViolation, NotAllowed."""
        bodies: list[Body] = []
        for digest, scope in Plan(undo.effects).admitted.items():
            for bar in self.guard(reads, digest, scope):
                if bar.violates:
                    raise InvariantViolation.of(bar.violates, f"{bar.sentence}; nothing was undone")
                if not bar.waivable and not bar.effects:
                    raise NotAllowed(f"it would let in what stays held: {bar.sentence}")
                undo.effects += bar.effects
                bodies += bar.bodies
        return bodies

    def reaffirm(self, reads: Reads, tx: Writing, mid: int, actor: Author, reason: str = "") -> int:
        """Clear the suspect mark: the memory stands without what fell.

        Raises NotAllowed where it is not suspect, or an agent would let an invariant stand; BadInput where a person
        gives no reason for one.
        """
        refuse_quarantined(reads, actor, "reaffirm")
        causes = reads.causes(mid)
        memory = reads.memory(mid)
        if not causes or reads.status(mid) is not Status.ACTIVE:
            raise NotAllowed(f"{memory.short_id} is not suspect; there is nothing to reaffirm")
        effects = let_stand(View(reads), memory.digest)
        _guard_invariants(reads, effects, actor, reason)
        return tx.append([NewEvent(EventKind.REAFFIRMED, actor, {"effects": effects}).because(reason)]).seqs[0]


def _leave_to_people(reads: Reads, undo: UndoPlan) -> None:
    """Raise NotAllowed where an agent would close what waits for people though both sides hold."""
    for effect in undo.effects:
        if effect["op"] == "state" and effect["verb"] == Verb.DISMISS and effect["from"] == ConflictState.ESCALATED:
            shown = f"conflict-{reads.shortest(effect['conflict'], 'conflicts', 'cid')}"
            raise NotAllowed(f"{shown}, which it opened, waits for people; they take it back")


def _guard_invariants(reads: Reads, effects: list[Effect], actor: Author, reason: str) -> None:
    """An invariant in force that lost its ground is people's to let stand, and they say why."""
    for effect in effects:
        mid = reads.mid(effect["digest"])
        if mid is None or not reads.approved(mid):
            continue
        shown = reads.memory(mid).short_id
        if actor.kind is not AuthorKind.HUMAN:
            raise NotAllowed(
                f"{shown} is an invariant in force, and people alone let it stand without its ground; ask one of them"
            )
        if not reason:
            raise BadInput(f"{shown} is an invariant in force; say why it stands without its ground: --reason TEXT")


def _conflict_of(reads: Reads, original: dict[str, Any]) -> str:
    """Return the conflict that a decision was on; empty where an edge was drawn, or nobody decided."""
    marks = original["effects"][:1]
    if "conflict" in original or not marks or marks[0]["op"] != "suspect":
        return str(original.get("conflict", ""))
    return _felled_by(reads, marks[0]["cause"])


def _felled_by(reads: Reads, digest: str) -> str:
    """Return the conflict whose settlement made a memory fall; empty where it was taken out by itself."""
    for seq in reversed(reads.mentions(digest, changes_only=True)):
        data = reads.event(seq)[2]
        if "conflict" in data and any(e["op"] == "status" and e["digest"] == digest for e in data["effects"]):
            return str(data["conflict"])
    return ""
