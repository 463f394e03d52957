"""Rolling a bad session back: what an agent learned and decided since a moment, the newest first (CONTRACTS 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from ..errors import InvariantViolation, NotAllowed, UnknownId
from ..ledger import NewEvent, Reads, Writing
from ..ledger.codec import unstamp
from ..ledger.effects import proposals_of
from ..records import (
    Author,
    AuthorKind,
    EventKind,
    ProposalKind,
    ProposalState,
    SessionStep,
    Status,
    Verb,
)
from .cascade import FALLEN
from .confirmed import leave_confirmed
from .inverse import brought
from .letting_in import opened, refuse_quarantined
from .plan import fall
from .resolver import Resolver
from .taking_back import LookAgain
from .view import View

_DECISIONS = (EventKind.RESOLVED, EventKind.CHOSEN, EventKind.UNDONE, EventKind.REAFFIRMED)
_TAKEN_BACK = (*_DECISIONS, EventKind.MAPPED)
_ARRIVALS = (EventKind.LEARNED, EventKind.HELD)
_LEFT = (EventKind.PROPOSED, EventKind.ESCALATED)


class Session(NamedTuple):
    """Whose events: of an agent, of a session by name, since a moment; every condition that is given holds."""

    agent: Author | None = None
    name: str = ""
    since: datetime | None = None


@dataclass
class Rollback:
    """Takes a session's events back inside the caller's transaction."""

    resolver: Resolver
    reads: Reads
    tx: Writing
    actor: Author
    reason: str
    look_again: LookAgain
    short: Callable[[str], str]
    """Names a memory for people, by digest."""
    steps: list[SessionStep] = field(default_factory=list)

    def run(self, session: Session) -> list[SessionStep]:
        """Return what became of each event, in the order it was tried.

        Raises NotAllowed for another's session, UnknownId where nobody learned or decided anything in it.
        """
        refuse_quarantined(self.reads, self.actor, "undo")
        if self.actor.kind is not AuthorKind.HUMAN and session.agent not in (None, self.actor):
            raise NotAllowed(f"{self.actor} takes back its own events only; people take back what others did")
        for seq in reversed(self._events(session)):
            self._step(seq)
        return self.steps

    def _events(self, session: Session) -> list[int]:
        agent = session.agent
        if agent is None and self.actor.kind is not AuthorKind.HUMAN:
            agent = self.actor
        seqs = self.reads.by_actor(agent, [str(kind) for kind in (*_TAKEN_BACK, *_ARRIVALS, *_LEFT)])
        if session.name:
            mine = {d for seq in seqs if (d := self._arrived(seq)) and self._session_of(d) == session.name}
            seqs = [seq for seq in seqs if self._about(seq) & mine]
        if not seqs:
            raise UnknownId(_nothing_of(agent, session.name))
        if session.since is not None:
            seqs = [seq for seq in seqs if unstamp(self.reads.event(seq)[0]) >= session.since]
        return [seq for seq in seqs if not self._undone_within(seq, seqs)]

    def _undone_within(self, seq: int, seqs: list[int]) -> bool:
        """True for what is taken back already, and for an undoing whose target lies in the session with it."""
        if self.reads.undone(seq):
            return True
        return self.reads.kind(seq) == EventKind.UNDONE and int(self.reads.event(seq)[2]["undoes"]) in seqs

    def _arrived(self, seq: int) -> str:
        data = self.reads.event(seq)[2]
        if self.reads.kind(seq) == EventKind.RESOLVED:
            return ""
        return next((e["digest"] for e in data["effects"] if e["op"] == "memory"), "")

    def _session_of(self, digest: str) -> str | None:
        mid = self.reads.mid(digest)
        return None if mid is None else self.reads.memory(mid).session

    def _about(self, seq: int) -> set[str]:
        data = self.reads.event(seq)[2]
        found = {e["digest"] for e in data["effects"] if "digest" in e} | brought(self.reads, seq, data).keys()
        if self.reads.has_conflict(str(data.get("conflict", ""))):
            found |= {self.reads.digest(side) for side in self.reads.sides(data["conflict"])}
        return found

    def _step(self, seq: int) -> None:
        kind = EventKind(self.reads.kind(seq))
        try:
            if kind in _LEFT:
                raise NotAllowed(_why_left(self.reads, kind, self.reads.event(seq)[2]))
            made = self._decision(seq) if kind in _TAKEN_BACK else self._arrival(seq)
        except (NotAllowed, InvariantViolation) as e:
            self.steps.append(SessionStep(seq=seq, kind=kind, done=False, reason=str(e)))
        else:
            if made is not None:
                self.steps.append(SessionStep(seq=seq, kind=kind, done=True, by_seq=made))

    def _decision(self, seq: int) -> int:
        return self.resolver.undo(self.reads, self.tx, seq, self.actor, self.reason, look_again=self.look_again).seq

    def _arrival(self, seq: int) -> int | None:
        """Retract what came in. None for what fell since by a decision that was taken back, or was never let in."""
        digest = self._arrived(seq)
        if not digest:  # a held one that was let in by being said again: its own arrival tells
            return None
        mid = self.reads.mid(digest)
        assert mid is not None
        status = self.reads.status(mid)
        if self.reads.approved(mid):
            raise NotAllowed("it is an invariant in force; propose its retirement")
        if status is Status.RETRACTED:
            return None
        if status in FALLEN:
            raise NotAllowed(f"{self.short(digest)} is {status} by a later decision, which stays")
        if kept := next((s.seq for s in self.steps if _stays(s) and digest in self._about(s.seq)), None):
            raise NotAllowed(f"event {kept}, which decided on it, could not be taken back")
        leave_confirmed(self.reads, [digest], seq, self.actor)
        made, bars = self.resolver.let_in(
            self.reads, lambda barred: fall(View(self.reads), {digest: Status.RETRACTED}, Verb.ABORT, barred=barred)
        )
        data = {"effects": [*made.effects, *opened(bars)], "about": [digest]}
        bodies = [each for found in bars.values() for bar in found for each in bar.bodies]
        event = NewEvent(EventKind.RETRACTED, self.actor, data, bodies).because(self.reason)
        return self.tx.append([event]).seqs[0]


def _why_left(reads: Reads, kind: EventKind, data: dict[str, Any]) -> str:
    """Say why what is up to people stays, as it stands now."""
    if kind is EventKind.ESCALATED:
        waits = reads.state(str(data["conflict"])).open
        return "it waits for people" if waits else "the conflict that it put before people is settled"
    filed = reads.filed(proposals_of(kind, data)[0]["proposal"])
    match reads.proposal_state(filed.hex)[0]:
        case ProposalState.PENDING:
            return "a proposal has no force; reviewers decide on it"
        case ProposalState.REJECTED:
            return "reviewers rejected it, so it has no force"
    if filed.kind is ProposalKind.RETIRE:
        return "reviewers approved the retirement; they alone bring the memory back into force"
    if reads.approved(filed.mid):
        return "reviewers approved it and it is in force; they alone retire it (tur-adm memory retire)"
    return "reviewers approved it, and it went out of force since"


def _stays(step: SessionStep) -> bool:
    """True for a decision that could not be taken back; a graph that could not decided on nothing."""
    return not step.done and step.kind is not EventKind.MAPPED


def _nothing_of(agent: Author | None, name: str) -> str:
    who = "" if agent is None else f" by {agent}"
    where = f" in a session named {name!r}" if name else ""
    return (
        f"nothing was learned or decided{who}{where}, so there is nothing to take back; `tur history` tells who wrote"
    )
