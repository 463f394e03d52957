"""The part of the admin screen that reads: the lists, the review of what is in front, what others sign meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from textual.message import Message

from tur_engine.engine import Engine
from tur_engine.records import Proposal, ProposalState, Review, ReviewerKey

from ..calls import ask
from ..desk.reviewing import IDLE, KeyLock, ReviewDesk
from ..messages import Arrived, Failed
from .admin_messages import GovernanceRead, NotReviewed, Reviewed
from .beside import BesideScreen
from .following import SILENT
from .live import follow

if TYPE_CHECKING:
    from tur_engine.governor import Governor, Signer


class GovernanceScreen(BesideScreen):
    """Keeps the desk true; every call of the governor runs in a thread worker."""

    def __init__(
        self,
        engine: Engine,
        governor: Governor,
        *,
        idle: float = IDLE,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(engine)
        self.governor = governor
        self.desk = ReviewDesk()
        self.key_lock: KeyLock[Signer] = KeyLock(idle, clock)
        self.known: GovernanceRead | None = None
        self._reading = self._stale = False
        self._problems: dict[str, str] = {}

    def show_desk(self) -> None:
        """Bring every pane in line with the desk."""
        raise NotImplementedError

    def focus_view(self) -> None:
        """Give the keys to what is shown."""
        raise NotImplementedError

    # keys ------------------------------------------------------------------------

    @property
    def own_keys(self) -> list[ReviewerKey]:
        """The enrolled keys whose private half is on this machine."""
        keys = self.known.keys if self.known else []
        return [each for each in keys if each.here and each.revoked_seq is None]

    @property
    def advice(self) -> str:
        """What to do where no key here may sign; "" where one may."""
        if self.known is None or self.own_keys:
            return ""
        if not self.known.keys:
            return "No reviewer is enrolled in this store yet. Make the first key in a shell: tur-adm key init"
        if self.known.files:
            return (
                "A key is on this machine, but this store does not know it. Print its public half with "
                "tur-adm key export-public and have a reviewer enrol it with tur-adm key enrol."
            )
        return "No key is on this machine. Make one with tur-adm key init, then have a reviewer enrol it."

    # reading -----------------------------------------------------------------------

    def read(self) -> None:
        """Read the lists anew; one reading at a time, and once more where something came meanwhile."""
        if self._reading:
            self._stale = True
            return
        self._reading, self._stale = True, False
        governor = self.governor

        def look() -> Message:
            return GovernanceRead(
                proposals=governor.proposals(all=True),
                keys=governor.keys(),
                quorum=governor.quorum(),
                log=governor.signed_log(),
                files=len(governor.own_keys()),
            )

        ask(self, look, group="governance", failed=self._unread)

    def _unread(self, reason: str) -> Failed:
        self._reading = False
        return Failed(reason)

    def on_failed(self, message: Failed) -> None:
        message.stop()
        self.tell(message.sentence)

    def on_governance_read(self, message: GovernanceRead) -> None:
        message.stop()
        self._reading = False
        first = self.known is None
        self.known = message
        gone = self.desk.load(message.proposals)
        if gone and not first:
            self.left_the_list(gone)
        self.show_desk()
        if first:
            self.focus_view()
        self.study()
        if self._stale:
            self.read()

    def left_the_list(self, gone: tuple[Proposal, ...]) -> None:
        """These no longer wait."""
        raise NotImplementedError

    def study(self) -> None:
        """Work out what speaks against the proposal in front. What others wrote may have changed it."""
        proposal, governor = self.desk.current, self.governor
        if proposal is None or proposal.state is not ProposalState.PENDING:
            return
        wanted = proposal.id

        def look() -> Message:
            return Reviewed(governor.review(wanted))

        ask(self, look, group="review", failed=lambda why: NotReviewed(wanted, why))

    def on_reviewed(self, message: Reviewed) -> None:
        message.stop()
        self._problems.pop(message.review.proposal.id, None)
        if self.desk.take_review(message.review):
            self.show_desk()

    def on_not_reviewed(self, message: NotReviewed) -> None:
        message.stop()
        self._problems[message.proposal_id] = message.sentence
        self.desk.forget_review()
        self.show_desk()

    def finding(self) -> tuple[Review | None, str]:
        """What is known about the proposal in front, or why it is not."""
        current, review = self.desk.current, self.desk.review
        return review, "" if review or current is None else self._problems.get(current.id, "")

    # live --------------------------------------------------------------------------

    def follow(self) -> None:
        """Read again when anything is recorded."""
        follow(self, self.engine)

    def on_arrived(self, message: Arrived) -> None:
        message.stop()
        if self.is_current and any(each.kind not in SILENT for each in message.entries):
            self.read()

    def reach_changed(self) -> None:
        """Nothing may be signed on a store that is damaged or out of reach."""
        if self.lost:
            self.key_lock.lock()
        super().reach_changed()
        self.show_desk()
