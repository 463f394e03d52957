"""The part of the triage screen that arranges: which pane is in front, how much the feed takes, what comes back."""

from __future__ import annotations

from typing import Final

from ..session import Session
from ..widgets.feed import Feed
from .fronting import put_in_front
from .guarding import GuardingScreen
from .smallest import SMALLEST

PANES: Final = ("diff", "why", "graph", "feed", "verbs")
"""The order of tab."""

FEED_SIZES: Final = 5
"""From 0, not shown, to half of the window."""
ORDINARY: Final = 2


class ArrangingScreen(GuardingScreen):
    """Tab goes from pane to pane; `<` and `>` make the feed smaller and larger. The two texts are always in view."""

    feed_size = ORDINARY

    def restore_panes(self, session: Session) -> None:
        """As the last sitting left it, where this window can."""
        if session.pane != self.pane and session.pane in self._panes:
            self.show_pane(session.pane)

    @property
    def pane(self) -> str:
        """The pane in front."""
        return next((name for name in PANES if self.has_class(f"-{name}")), "diff")

    def show_pane(self, name: str) -> None:
        """Bring a pane into view and give it the keys."""
        if name == "feed" and not self.feed_size:
            self.size_feed(ORDINARY)
        self.bring_forward(name)
        self.query_one(f"#{name}").focus()

    def bring_forward(self, name: str) -> None:
        """Bring a pane into view where the window shows one at a time."""
        put_in_front(self, PANES, name)

    def on_descendant_focus(self) -> None:
        """What has the focus by now: the message may be about what had it before."""
        if self.focused and self.focused.id in PANES:
            self.bring_forward(self.focused.id)

    def action_next_pane(self) -> None:
        self._step_pane(1)

    def action_previous_pane(self) -> None:
        self._step_pane(-1)

    def _step_pane(self, step: int) -> None:
        panes = self._panes
        focused = self.focused.id if self.focused else None
        place = panes.index(focused) + step if focused in panes else 0
        self.show_pane(panes[place % len(panes)])

    @property
    def _panes(self) -> tuple[str, ...]:
        """Those that this window shows or can bring forward."""
        if self.too_small:
            return ("diff",)
        hidden = set() if self.feed_size else {"feed"}
        if self.lost or self.desk.current is None:
            return tuple(name for name in ("diff", "feed") if name not in hidden)
        if self.has_class("-normal") and not self.has_class("-high"):
            hidden.add("graph")
        return tuple(name for name in PANES if name not in hidden)

    @property
    def too_small(self) -> bool:
        """Whether a person could not see what a verb would act on."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    # the feed's share ------------------------------------------------------------------

    def size_feed(self, size: int) -> None:
        """Give the feed one of its sizes."""
        self.feed_size = max(0, min(size, FEED_SIZES - 1))
        self.update_classes({f"-feed-{each}": each == self.feed_size for each in range(FEED_SIZES)})
        if not self.feed_size and self.query_one(Feed).has_focus:
            self.show_pane("diff")

    def action_feed_size(self, step: int) -> None:
        before = self.feed_size
        self.size_feed(before + step)
        if self.feed_size == before:
            self.say("The feed takes half of the window already." if step > 0 else "The feed is not shown already.")
