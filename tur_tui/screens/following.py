"""The part of the triage screen that follows the ledger: the feed, its filter, and what other processes bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from tur_engine.engine import Engine
from tur_engine.records import EventKind, FeedFilter, HistoryEntry

from ..calls import ask, one_line
from ..desk.filters import only_families, read_filter
from ..messages import Arrived, Failed, FeedLoaded
from ..widgets.feed import Feed
from ..widgets.fields import PlainInput
from ..widgets.status_line import StatusLine
from .live import follow
from .reaching import ReachingScreen

if TYPE_CHECKING:
    from ..hosting import Host

SILENT = frozenset({EventKind.FOUNDED, EventKind.NOTED, EventKind.CONFIRMED})
"""Kinds that change no conflict and no memory."""
PAUSE = 0.08
"""Seconds of rest in typing before the feed is filtered."""


class FollowingScreen(ReachingScreen):
    """Shows what the ledger records as it is recorded, whoever records it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "clear_filter", "Clear the filter", show=False)]

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.typed = ""
        """The filter as it was typed."""

    @property
    def filter(self) -> FeedFilter:
        """What the feed shows."""
        return read_filter(self.typed)[0]

    def compose_filter(self) -> ComposeResult:
        """The field behind `/`, hidden until it is needed."""
        field = PlainInput(placeholder="words, kind:held, type:fact, by:claude, in:src, is:open", id="filter")
        field.display = False
        yield field

    def say(self, text: str, *, severity: str = "information", timeout: float = 5, series: str = "") -> None:
        """A toast; nothing in it is markup."""
        cast("Host", self.app).say(one_line(text), severity=severity, timeout=timeout, series=series)

    def on_failed(self, message: Failed) -> None:
        self.say(message.sentence, severity="error", timeout=10)

    @on(Feed.Failed)
    def feed_unread(self, message: Feed.Failed) -> None:
        self.say(message.sentence, severity="error", timeout=10)

    # live ------------------------------------------------------------------------

    def follow(self, since: int) -> None:
        """Watch the ledger from this event on, in a thread that ends with the screen, also where a fault ends it."""
        follow(self, self.engine, since, saying="The live feed stopped:", beat=self.beat)

    def beat(self) -> None:
        """Look for what is no event of the ledger; called in the thread that watches it."""

    def on_arrived(self, message: Arrived) -> None:
        if self.typed:
            self.read_feed()
        else:
            self.query_one(Feed).prepend(message.entries)
        self.entries_arrived(message.entries)

    def entries_arrived(self, entries: list[HistoryEntry]) -> None:
        """More was recorded, oldest first."""
        raise NotImplementedError

    @on(Feed.FollowChanged)
    def tell_follow(self, message: Feed.FollowChanged) -> None:
        line = self.query_one(StatusLine)
        line.following, line.unseen = message.following, message.unseen

    # filter ------------------------------------------------------------------------

    def restore_filter(self, typed: str) -> None:
        """Begin with the filter of the last sitting."""
        self.typed = " ".join(typed.split())
        field = self.query_one("#filter", Input)
        with field.prevent(Input.Changed):
            field.value = self.typed
        self.query_one(StatusLine).filter_text = self.typed

    def action_filter(self) -> None:
        field = self.query_one("#filter", Input)
        field.display = True
        self.bring_forward("feed")
        self.set_focus(field)  # at once: what is typed behind the key is for the field

    @on(Input.Changed, "#filter")
    def filter_as_typed(self, message: Input.Changed) -> None:
        self.typed = " ".join(message.value.split())
        _, problem = read_filter(self.typed)
        message.input.border_subtitle = Content(problem or "")
        self.query_one(StatusLine).filter_text = self.typed
        self.set_timer(PAUSE, self.read_feed)

    @on(Input.Submitted, "#filter")
    def keep_filter(self, message: Input.Submitted) -> None:
        """Enter keeps the filter and goes on to what it found."""
        message.stop()
        message.input.display = False
        self.show_pane("feed")

    def action_clear_filter(self) -> None:
        field = self.query_one("#filter", Input)
        was_typing = field.has_focus
        field.value = ""
        field.display = False
        if was_typing:
            self.show_pane("feed")

    def show_pane(self, name: str) -> None:
        """Bring a pane into view and give it the keys."""
        raise NotImplementedError

    def bring_forward(self, name: str) -> None:
        """Bring a pane into view where the window shows one at a time."""
        raise NotImplementedError

    def read_feed(self) -> None:
        """Read which entries the filter lets through."""
        engine, typed, wanted = self.engine, self.typed, self.filter
        none = only_families(typed)
        ask(self, lambda: FeedLoaded(typed, [] if none else engine.feed_index(wanted)), group="feed")

    def on_feed_loaded(self, message: FeedLoaded) -> None:
        if message.typed == self.typed:
            self.show_feed(message.seqs)

    def show_feed(self, seqs: list[int]) -> None:
        """Fill the feed; it goes on following, or a cursor that was moved stays on its entry if still listed."""
        self.query_one(Feed).set_index(
            seqs,
            keep=True,
            empty="Nothing fits; Esc clears the filter." if self.typed else "Nothing is recorded yet.",
        )
