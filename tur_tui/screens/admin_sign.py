"""The last look before a signature, and the reason of a rejection: the whole text stands on both dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Label, Static

from tur_engine.records import ApprovalResult, Proposal, Review

from ..desk.reviewing import KeyLock, why_not
from ..drawing.governing import name, short
from ..widgets.fields import PlainInput
from ..widgets.problem import Problem
from ..widgets.review_view import ReviewView
from .admin_messages import Approved, Rejected
from .admin_modal import TOO_SMALL, ReviewerModal

if TYPE_CHECKING:
    from tur_engine.governor import Governor, Signer

UNREAD = "space reads on; y signs once the end was in view; Esc leaves unsigned"
KEYS = "Enter or F2 signs and rejects; Esc leaves unsigned; pgdn and pgup read on"
NO_REASON = "Not rejected: say why, in a sentence; the reason stays on record."
READ = "y signs and approves; Esc or n leaves unsigned"


class ApproveScreen(ReviewerModal[ApprovalResult | None]):
    """`y` signs, once the end of the text has been in view; Enter does nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "sign", "Sign"),
        Binding("space", "more", "Read on"),
        Binding("escape,n,q", "leave", "Leave"),
    ]

    def __init__(self, governor: Governor, key_lock: KeyLock[Signer], review: Review) -> None:
        super().__init__(governor, key_lock)
        self._review = review
        self._read = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall") as dialog:
            signer = self.key_lock.signer
            dialog.border_title = Content(f"Sign and approve {short(self._review.proposal.id)}?")
            dialog.border_subtitle = Content(_signing_as(signer))
            yield ReviewView(id="text")
            yield Problem(spare=True)
            yield Static(UNREAD, id="keys", classes="keys", markup=False)

    def on_mount(self) -> None:
        text = self.query_one(ReviewView)
        text.show_proposal(self._review.proposal, self._review)
        text.focus()
        self.watch(text, "scroll_y", self._look, init=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Note whether the end has been in view, in a window where it could be read."""
        if self.too_small:
            self.tell(TOO_SMALL)
            return
        if not self.writing and not self._read:
            self.tell("")
        self._read = self._read or self.query_one(ReviewView).seen_to_the_end
        self.query_one("#keys", Static).update(READ if self._read else UNREAD)

    def action_more(self) -> None:
        self.query_one(ReviewView).action_page(1)

    def action_sign(self) -> None:
        if not self.writing:
            governor, review, proposal = self.governor, self._review, self._review.proposal
            if problem := self.dead or self._against():
                self.tell(problem)
            else:
                self.sign(lambda signer: Approved(governor.approve(proposal.id, signer, expect=review)))

    def _against(self) -> str:
        """Why this proposal is not to be signed now; empty where nothing is against it."""
        if not self._read:
            return "Not signed: the end of the text has not been in view yet."
        signer = self.key_lock.signer
        assert signer is not None
        return why_not(self._review.proposal, self._review, signer.key_id)

    def refusal(self, sentence: str) -> str:
        return f"Not signed. {sentence}"

    def on_approved(self, message: Approved) -> None:
        message.stop()
        self.dismiss(message.result)


class RejectScreen(ReviewerModal[int | None]):
    """Enter in the field rejects, where a reason stands in it; Esc leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s,f2", "reject", "Reject", priority=True),
        Binding("pagedown", "page(1)", "Text down", show=False),
        Binding("pageup", "page(-1)", "Text up", show=False),
        Binding("escape", "leave", "Leave"),
    ]
    DRAFTED = ("reason",)

    def __init__(
        self, governor: Governor, key_lock: KeyLock[Signer], proposal: Proposal, review: Review | None
    ) -> None:
        super().__init__(governor, key_lock)
        self._proposal, self._review = proposal, review

    @property
    def about(self) -> str:
        return f"reject {self._proposal.id}"

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall") as dialog:
            signer = self.key_lock.signer
            dialog.border_title = Content(f"Reject {short(self._proposal.id)}")
            dialog.border_subtitle = Content(_signing_as(signer))
            yield ReviewView(id="text")
            yield Label("Reason, for whoever proposed it; it is signed and stays on record", markup=False)
            yield PlainInput(placeholder="for example: the outage of 3 March shows why it stands", id="reason")
            yield Problem(spare=True)
            yield Static(KEYS, classes="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(ReviewView).show_proposal(self._proposal, self._review)
        reason = self.query_one("#reason", Input)
        reason.focus()
        self.watch(reason, "selection", self.key_lock.touch, init=False)  # moves with every key that edits

    def action_page(self, direction: int) -> None:
        self.query_one(ReviewView).action_page(direction)

    @on(Input.Submitted)
    def action_reject(self) -> None:
        if not self.writing:
            governor, proposal, reason = self.governor, self._proposal, self.query_one("#reason", Input).value.strip()
            if problem := self.dead or ("" if reason else NO_REASON):
                self.tell(problem)
            else:
                self.sign(lambda signer: Rejected(governor.reject(proposal.id, signer, reason)))

    def refusal(self, sentence: str) -> str:
        return f"Not rejected. {sentence}"

    def on_rejected(self, message: Rejected) -> None:
        message.stop()
        self.dismiss(message.seq)


def _signing_as(signer: Signer | None) -> str:
    return f"as {name(signer.name)}, {short(signer.key_id)}" if signer else "locked"
