"""The admin screen: proposals that wait for signatures, what was decided, the reviewers, the signed log."""

from __future__ import annotations

from math import ceil
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from tur_engine.records import Proposal, ProposalState

from ..actions import bindings, key
from ..desk.reviewing import View
from ..drawing.governing import name, short, tally
from ..widgets.admin_bars import LockLine, ViewBar
from ..widgets.governance_views import GovernancePage, ReviewersPage, SignedLogPage
from ..widgets.key_bar import KeyBar
from ..widgets.line_list import LineList
from ..widgets.proposal_list import ProposalList
from ..widgets.review_view import ReviewView
from .admin_deciding import SigningScreen
from .admin_keys import ADMIN, FEW, FOOTER, INTRODUCTION, SIGNS
from .smallest import SMALLEST

TICK: Final = 0.5
"""Seconds between two looks at the lock's clock."""
_SHARE: Final = 4
"""The list takes at most this part of the rows: a quarter."""

NO_PROPOSAL: Final = (
    "No proposal waits. An agent's axiom or core memory becomes one, and so does whatever would change an invariant; "
    "a person proposes with tur propose or tur-adm proposal submit. It then appears here, to be read and signed."
)
NOTHING_DECIDED: Final = "Nothing has been decided yet. What reviewers approve or reject stays readable here."
READING: Final = "Reading the store..."


class AdminScreen(SigningScreen):
    """Composes the panes and shows in them what desk, lock and governor say."""

    AUTO_FOCUS = ""
    CSS_PATH = "admin.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ADMIN)]
    TABLE = ADMIN
    INTRODUCTION = INTRODUCTION
    OWN_KEYS = (("In the list", LineList), ("In the text and on the pages", ReviewView))
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (SMALLEST[0], "-narrow"), (100, "-normal")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (SMALLEST[1], "-short"), (20, "-high")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        yield LockLine(id="lock")
        yield ViewBar(id="views")
        with Vertical(id="proposals"):
            with Vertical(id="listing"):
                yield Static("", id="columns", markup=False)
                yield ProposalList(id="list")
            yield ReviewView(id="review")
        yield ReviewersPage(id="reviewers")
        yield SignedLogPage(id="log")
        yield Static(
            f"Too small to show what is signed; {SMALLEST[0]}x{SMALLEST[1]} will do.", id="too-small", markup=False
        )
        yield Static("", id="told", markup=False)
        yield KeyBar(FOOTER, id="keys")
        yield KeyBar(FEW, id="few-keys")

    def on_mount(self) -> None:
        self.query_one(LockLine).store = str(self.engine.path)
        self.query_one("#reviewers").border_title = "Reviewers"
        self.query_one("#log").border_title = "Signed log"
        self.query_one(ReviewView).clear(READING)
        self.set_interval(TICK, self.look_at_the_clock)
        self.show_desk()
        self.follow()

    def on_screen_resume(self) -> None:
        """Shown for the first time, or again: much may have been recorded meanwhile."""
        self.read()

    def on_unmount(self) -> None:
        self.key_lock.lock()

    def on_key(self, event: events.Key) -> None:
        """Somebody is there."""
        self.key_lock.touch()
        self.wanted = ""

    def on_click(self, event: events.Click) -> None:
        self.key_lock.touch()

    # the desk on the panes -----------------------------------------------------------

    def show_lock(self) -> None:
        line, signer = self.query_one(LockLine), self.key_lock.signer
        line.signer = f"{name(signer.name)} {short(signer.key_id)}" if signer else ""
        self.query_one("#keys", KeyBar).without = frozenset({"key.unlock" if signer else "key.lock"})
        left = self.key_lock.left
        line.minutes = f"{ceil(left / 60)} min" if left > 60 else "under a minute"
        line.warning = self.loss or ("read-only" if self.engine.read_only else "")
        keys = self.own_keys
        if keys:
            line.remark = f"{key('key.unlock')} unlocks " + (
                f"{name(keys[0].name)} {short(keys[0].id)}" if len(keys) == 1 else "a key"
            )
        else:
            line.remark = f"no key here can sign; {key('page.reviewers')} says what to do" if self.known else ""

    def show_desk(self) -> None:
        desk, known = self.desk, self.known
        self.show_lock()
        bar = self.query_one(ViewBar)
        bar.view = desk.view
        self.query_one("#keys", KeyBar).writes = desk.view is View.WAITING and bool(desk.waiting)
        if known:
            keys = sum(each.revoked_seq is None for each in known.keys)
            bar.count({View.WAITING: len(desk.waiting), View.DECIDED: len(desk.decided), View.REVIEWERS: keys})
            self.query_one(ReviewersPage).show(known.keys, known.quorum, self.advice)
            self.query_one(SignedLogPage).show(known.log)
        self.update_classes({f"-{view}": desk.view is view for view in View})
        if desk.view in (View.WAITING, View.DECIDED):
            self._show_list()
        self._arrange()
        if self.focused is None or not self.focused.display or not self.focused.is_on_screen:
            self.focus_view()

    def _show_list(self) -> None:
        desk, review = self.desk, self.query_one(ReviewView)
        waiting = desk.view is View.WAITING
        self.query_one("#listing").border_title = "Waiting for signatures" if waiting else "Decided"
        self.set_class(not desk.listed, "-empty")
        self.query_one(ProposalList).show(desk.listed, desk.place, "")
        self._show_current(review, waiting)

    def _show_current(self, review: ReviewView, waiting: bool) -> None:
        current = self.desk.current
        if current is None:
            review.border_title, review.border_subtitle = "", ""
            empty = (NO_PROPOSAL if waiting else NOTHING_DECIDED) if self.known else READING
            review.clear(" ".join(filter(None, (empty, self.advice))) if waiting else empty)
            return
        review.border_title = Content(short(current.id))
        review.border_subtitle = Content(f"{tally(current)} signed")
        review.show_proposal(current, *self.finding())

    def _arrange(self) -> None:
        """The list is as high as it has rows, up to a quarter of the window."""
        listing = self.query_one(ProposalList)
        listing.styles.height = max(1, min(len(self.desk.listed), max(2, self.size.height // _SHARE)))
        width = self.size.width - (4 if self.has_class("-normal") else 2)
        self.query_one("#columns", Static).update(listing.heading(width))

    def on_resize(self) -> None:
        self._arrange()

    @on(LineList.Highlighted)
    def follow_cursor(self, message: LineList.Highlighted) -> None:
        proposal = self.query_one(ProposalList).proposal(message.index)
        if message.by_person and proposal and self.desk.select(proposal.id):
            self._show_current(self.query_one(ReviewView), self.desk.view is View.WAITING)
            self.study()

    def left_the_list(self, gone: tuple[Proposal, ...]) -> None:
        """Somebody decided; said where the person has not just done it."""
        now = {each.id: each for each in self.desk.decided}
        for each in gone:
            decided = now.get(each.id)
            word = "approved" if decided and decided.state is ProposalState.APPROVED else "rejected"
            if decided and not str(self.query_one("#told", Static).render()):
                self.tell(f"{short(each.id)} was {word}.", problem=False)

    # moving ----------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        if self.desk.step(by) is None:
            self.tell("No proposal is listed here.", problem=False)
            return
        self.show_desk()
        self.study()

    def action_view(self, view: str) -> None:
        self.desk.view = View(view)
        self.show_desk()
        self.focus_view()
        self.study()

    def action_turn(self, by: int) -> None:
        views = list(View)
        self.action_view(views[(views.index(self.desk.view) + by) % len(views)])

    @on(ViewBar.Chosen)
    def show_view(self, message: ViewBar.Chosen) -> None:
        self.action_view(message.view)

    def focus_view(self) -> None:
        """Give the keys to what the page shows."""
        panes = {View.REVIEWERS: "#reviewers", View.LOG: "#log"}
        self.set_focus(self.query_one(panes.get(self.desk.view, "#list" if self.desk.listed else "#review")))

    def action_pane(self, by: int = 1) -> None:
        if self.desk.listed:
            to_text = self.focused is not None and self.focused.id == "list"
            self.set_focus(self.query_one("#review" if to_text else "#list"))

    def action_more(self) -> None:
        if self.desk.view in (View.WAITING, View.DECIDED):
            self.query_one(ReviewView).action_page(1)
        else:
            for page in self.query(GovernancePage):
                page.action_page(1)

    # looking and leaving -----------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action in SIGNS and self.too_small else True

    def action_copy_id(self) -> None:
        if current := self.desk.current:
            self.app.copy_to_clipboard(current.id)
            self.tell(f"Copied {short(current.id)}, in full.", problem=False)
        else:
            self.tell("No proposal is in front: there is no id to copy.", problem=False)

    def action_quit_when_done(self) -> None:
        """Leave once what was typed ahead on the triage screen is written."""
        self.key_lock.lock()
        super().action_quit_when_done()
