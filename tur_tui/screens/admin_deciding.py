"""The part of the admin screen that signs: unlock, look once more, approve or reject; and the lock on the key."""

from __future__ import annotations

from collections.abc import Callable

from tur_engine.records import ApprovalResult, Proposal, ProposalKind

from ..desk.as_of import locked
from ..desk.reviewing import View, why_not
from ..drawing.governing import asks, name, short
from ..drawing.wording import counted
from .admin_messages import Reviewed
from .admin_reading import GovernanceScreen

Then = Callable[[Proposal], None]


class SigningScreen(GovernanceScreen):
    """`A` and `R` act on the proposal in front, and on no other one that came there meanwhile."""

    wanted = ""
    """The proposal that A was pressed on before its review was known; any other key gives that up."""

    def on_reviewed(self, message: Reviewed) -> None:
        """What was asked for while this was still being worked out goes on now."""
        super().on_reviewed(message)
        proposal, wanted = self.desk.current, self.wanted
        if proposal is not None and proposal.id == wanted == message.review.proposal.id and self.is_current:
            self.wanted = ""
            self.tell("")
            self._decide("approve", self._open_approval)

    # the lock ----------------------------------------------------------------------

    def show_lock(self) -> None:
        """Bring the line on top in line with the lock."""
        raise NotImplementedError

    def look_at_the_clock(self) -> None:
        """Lock the key where nobody was there for a while, and say so."""
        if self.key_lock.expired():
            minutes = self.key_lock.idle / 60
            idle = counted(round(minutes), "minute") if minutes >= 1 else counted(round(self.key_lock.idle), "second")
            self.tell(f"The key locked itself: no key was pressed for {idle}.", problem=False)
        self.show_lock()

    def action_lock(self) -> None:
        done = self.key_lock.lock()
        self.tell("The key is locked." if done else "The key is locked already.", problem=False)
        self.show_lock()

    def action_unlock(self) -> None:
        if signer := self.key_lock.signer:
            self.tell(f"The key of {name(signer.name)} is unlocked already; L locks it.", problem=False)
        elif problem := self.cannot_sign:
            self.tell(problem)
        else:
            self._unlock("", lambda: self.tell("Unlocked. A approves, R rejects, L locks again.", problem=False))

    @property
    def cannot_sign(self) -> str:
        """Why nothing can be signed here at all, in a sentence; "" where something can."""
        if self.lost:
            return self.lost
        if self.engine.read_only:
            return locked(self.engine, "signed")
        if self.known is None:
            return "The store is still being read."
        return self.advice

    def _unlock(self, purpose: str, then: Callable[[], None]) -> None:
        from .admin_unlock import UnlockScreen  # not needed before

        def closed(unlocked: bool | None) -> None:
            self.show_lock()
            if unlocked:
                then()

        self.app.push_screen(UnlockScreen(self.governor, self.key_lock, self.own_keys, purpose), closed)

    # verbs -------------------------------------------------------------------------

    def action_approve(self) -> None:
        self._decide("approve", self._open_approval)

    def action_reject(self) -> None:
        self._decide("reject", self._open_rejection)

    def _decide(self, word: str, then: Then) -> None:
        """Refuse with the reason, or go on with the proposal in front once a key is unlocked."""
        proposal = self.desk.current
        if self.desk.view is not View.WAITING:
            self.tell("Only what waits can be signed; w shows the proposals that do.")
        elif proposal is None:
            self.tell(f"No proposal waits: there is nothing to {word}.")
        elif problem := self.cannot_sign or (self._stands_in_the_way(proposal) if word == "approve" else ""):
            self.tell(problem)
        elif self.key_lock.signer is None:
            seen = proposal.id
            self._unlock(f"To {word} {short(seen)}: {asks(proposal)}.", lambda: self._go_on(seen, then))
        else:
            then(proposal)

    def _stands_in_the_way(self, proposal: Proposal) -> str:
        """Why it cannot be approved, as far as that is known by now."""
        review, problem = self.finding()
        signer = self.key_lock.signer
        if problem or review is None:
            return problem
        return why_not(proposal, review, signer.key_id if signer else None)

    def _go_on(self, seen: str, then: Then) -> None:
        proposal = self.desk.current
        if proposal is None or proposal.id != seen:
            self.tell("Another proposal is in front by now; nothing was signed.")
        else:
            then(proposal)

    def _open_approval(self, proposal: Proposal) -> None:
        from .admin_sign import ApproveScreen  # not needed before

        if problem := self._stands_in_the_way(proposal):
            self.tell(problem)
            return
        review = self.finding()[0]
        if review is None:
            self.wanted = proposal.id
            self.tell("What speaks against it is still being worked out; the last look opens then.", problem=False)
            return

        def closed(result: ApprovalResult | None) -> None:
            self.show_lock()
            if result:
                self.tell(outcome(proposal, result), problem=False)
            else:
                self.tell("Nothing was signed.", problem=False)

        self.app.push_screen(ApproveScreen(self.governor, self.key_lock, review), closed)

    def _open_rejection(self, proposal: Proposal) -> None:
        from .admin_sign import RejectScreen  # not needed before

        def closed(seq: int | None) -> None:
            self.show_lock()
            done = f"{short(proposal.id)} is rejected (event {seq})." if seq is not None else "Nothing was signed."
            self.tell(done, problem=False)

        self.app.push_screen(RejectScreen(self.governor, self.key_lock, proposal, self.finding()[0]), closed)


def outcome(proposal: Proposal, result: ApprovalResult) -> str:
    """What a signature did, in a sentence."""
    if not result.in_force:
        left = max(1, result.quorum - result.signatures)
        tally = f"{result.signatures} of {result.quorum}"
        return f"Signed, {tally}: {counted(left, 'more reviewer')} must sign (event {result.seq})."
    what = proposal.memory.memory.short_id
    is_now = "is out of force" if proposal.kind is ProposalKind.RETIRE else "is in force"
    by = counted(result.signatures, "signature")
    return f"Approved: {what} {is_now}, by {by} (event {result.seq})."
