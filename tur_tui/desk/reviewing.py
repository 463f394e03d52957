"""The reviewer's desk: proposals in order, which one is in front, and the lock on the key that signs.

Plain classes without a widget. The governor decides what a proposal needs and what a signature does; the desk only
decides what is in front of the person, and when the key is taken out of reach again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from time import monotonic
from typing import Generic, Protocol, TypeVar

from tur_engine.records import Proposal, ProposalState, Review

from ..drawing.governing import signed

IDLE = 300.0
"""Seconds without a key press after which an unlocked key is locked again."""


class View(StrEnum):
    """What the admin screen shows."""

    WAITING = "waiting"
    DECIDED = "decided"
    REVIEWERS = "reviewers"
    LOG = "log"


class Signing(Protocol):
    """What the lock needs of a signer."""

    @property
    def key_id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def locked(self) -> bool: ...
    def lock(self) -> None: ...


S = TypeVar("S", bound=Signing)


class KeyLock(Generic[S]):
    """One unlocked key at the most; it locks itself once nobody has pressed a key for a while."""

    def __init__(self, idle: float = IDLE, clock: Callable[[], float] = monotonic) -> None:
        self.idle, self._clock = idle, clock
        self._signer: S | None = None
        self._touched = clock()

    @property
    def signer(self) -> S | None:
        """The key that may sign now; None while it is locked. Asking locks it where its time is over."""
        self.expired()
        return self._signer

    @property
    def left(self) -> float:
        """Seconds until it locks itself; 0 while it is locked."""
        if self._signer is None:
            return 0.0
        return max(0.0, self.idle - self.idle_for)

    @property
    def idle_for(self) -> float:
        """Seconds since somebody was there."""
        return self._clock() - self._touched

    def unlock(self, signer: S) -> None:
        """Put a key into reach; another one that was there is locked."""
        if self._signer is not None and self._signer is not signer:
            self._signer.lock()
        self._signer = signer
        self._touched = self._clock()

    def touch(self) -> None:
        """Somebody is there. A key whose time is over already stays locked."""
        if not self.expired():
            self._touched = self._clock()

    def lock(self) -> bool:
        """Take the key out of reach; False where none was in reach."""
        signer, self._signer = self._signer, None
        if signer is None:
            return False
        signer.lock()
        return True

    def expired(self) -> bool:
        """Lock where the time is over, or where the signer locked itself; True where that happened just now."""
        if self._signer is None:
            return False
        if self._signer.locked or self.left <= 0:
            return self.lock()
        return False


class ReviewDesk:
    """Which proposals wait, which are decided, and the one in front of the person in each list."""

    def __init__(self) -> None:
        self.view = View.WAITING
        self._lists: dict[View, list[Proposal]] = {View.WAITING: [], View.DECIDED: []}
        self._current: dict[View, str] = {}
        self._review: Review | None = None

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """Those that wait for signatures, the oldest first."""
        return tuple(self._lists[View.WAITING])

    @property
    def decided(self) -> tuple[Proposal, ...]:
        """Those approved and rejected, the latest decision first."""
        return tuple(self._lists[View.DECIDED])

    @property
    def listed(self) -> tuple[Proposal, ...]:
        """The list of the view; empty for reviewers and log."""
        return tuple(self._lists.get(self.view, ()))

    @property
    def place(self) -> int:
        """Place of the current proposal in the list, from 0; 0 for none."""
        current = self._current.get(self.view)
        return next((at for at, each in enumerate(self.listed) if each.id == current), 0)

    @property
    def current(self) -> Proposal | None:
        """The proposal in front of the person."""
        listed = self.listed
        return listed[self.place] if listed else None

    @property
    def review(self) -> Review | None:
        """What was found out about the proposal in front, once it is known and as long as it is true."""
        current, review = self.current, self._review
        return review if current and review and review.proposal == current else None

    def load(self, proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
        """Take the governor's list; return what no longer waits.

        The proposal in front stays in front while it waits; where it is decided, whoever followed it is next.
        """
        every = list(proposals)
        before = self._lists[View.WAITING]
        waiting = sorted((each for each in every if each.state is ProposalState.PENDING), key=lambda each: each.seq)
        decided = [each for each in every if each.state is not ProposalState.PENDING]
        decided.sort(key=lambda each: each.decided_seq or each.seq, reverse=True)
        ids = {each.id for each in waiting}
        current = self._current.get(View.WAITING)
        if current is not None and current not in ids:
            at = next((n for n, each in enumerate(before) if each.id == current), 0)
            after = (*before[at:], *before[:at])
            self._current[View.WAITING] = next((each.id for each in after if each.id in ids), "")
        self._lists = {View.WAITING: waiting, View.DECIDED: decided}
        return tuple(each for each in before if each.id not in ids)

    def take_review(self, review: Review) -> bool:
        """Keep what was found out; False where another proposal is in front by now."""
        current = self.current
        if current is None or current.id != review.proposal.id:
            return False
        self._review = review
        for listed in self._lists.values():
            listed[:] = [review.proposal if each.id == review.proposal.id else each for each in listed]
        return True

    def forget_review(self) -> None:
        """What was found out may no longer be true."""
        self._review = None

    def select(self, proposal_id: str) -> bool:
        """Put this proposal in front; False where the view does not list it."""
        if all(each.id != proposal_id for each in self.listed):
            return False
        self._current[self.view] = proposal_id
        return True

    def step(self, by: int) -> Proposal | None:
        """The next proposal of the list, from the last to the first, or the one before."""
        listed = self.listed
        if listed:
            self._current[self.view] = listed[(self.place + by) % len(listed)].id
        return self.current


def why_not(proposal: Proposal, review: Review | None, key_id: str | None = None) -> str:
    """Why the proposal cannot be approved now, in a sentence; "" where it can."""
    if proposal.state is not ProposalState.PENDING:
        return f"This proposal is {proposal.state} already; nothing is left to sign."
    if review is None:
        return "What speaks against this proposal is still being worked out; approve again once it is shown."
    if blocking := [each for each in review.objections if each.blocks]:
        names = ", ".join(each.belief.memory.short_id for each in blocking)
        return (
            f"It cannot be approved: it contradicts {names}, in force and not among what it replaces. "
            "Reject it, or have it proposed again so that it replaces what stands against it."
        )
    if key_id is not None and any(each.key_id == key_id and each.valid for each in proposal.signatures):
        need = proposal.quorum - signed(proposal)
        others = "1 other reviewer" if need == 1 else f"{need} other reviewers"
        return f"Your key has signed this proposal; it waits for {others}."
    return ""
