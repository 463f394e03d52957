"""The moment that the whole workbench shows: the present, or a view of the past in which nothing can be changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from tur_engine.engine import Engine

from .offering import Offering
from .screens.triage import TriageScreen
from .session import Session

if TYPE_CHECKING:
    from tur_engine.governor import Governor

    from .actions import Action


class Moments(Offering):
    """Screens of the present are made once and kept; those of the past are made anew and dropped when left.

    The start screen of the present always stays at the bottom: what is typed ahead there is still written.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("0", "now", "Now", show=False, id="time.now")]

    engine: Engine
    here: Path
    session: Session
    past: Engine | None = None
    """A view of the past; None while the present is shown."""
    moment_words = ""
    """The moment for people."""
    moment_at = ""
    _governor: Governor | None = None
    _lock_after: float
    _lock_clock: Callable[[], float]

    @property
    def asked(self) -> Engine:
        """What screens ask: the store at the moment that is shown."""
        return self.past or self.engine

    def governor(self) -> Governor:
        """The humans' facade of the present, made when it is first needed: nothing that can sign is loaded before."""
        if self._governor is None:
            from tur_engine.governor import Governor

            self._governor = Governor(self.engine)
        return self._governor

    def show_moment(self, past: Engine | None, words: str = "", at: str = "") -> None:
        """Show a view of the past on every screen, or the present again."""
        before, self.past = self.past, past
        self.moment_words, self.moment_at = words, at
        if before is not None and before is not past:
            before.close()
        history = self._history
        if history is not None and self.screen is history:
            history.moment_changed()
        else:
            self._show_again()

    def action_now(self) -> None:
        """One key back to the present, from any screen."""
        if self.past is None:
            self.notify("This is the present already.", timeout=2, markup=False)
        else:
            self.show_moment(None)

    def _show_again(self) -> None:
        """The screen in front, at another moment."""
        from .screens.graph import GraphScreen

        name = type(self.screen).__name__
        refs = self.screen.desk.centre if isinstance(self.screen, GraphScreen) else ()
        self.ground()
        if name == "AdminScreen":
            self.show_admin()
        elif name == "GraphScreen":
            self.show_graph(refs)
        elif name == "HealthScreen":
            self.show_health()

    # screens -----------------------------------------------------------------------

    def ground(self) -> None:
        """Leave what lies on top of the start screen, and have the one of the moment that is shown."""
        while not isinstance(self.screen, TriageScreen):
            self.pop_screen()
        while isinstance(self.screen, TriageScreen) and self.screen.engine is not self.asked:
            if self.screen.engine is self.engine:
                self._push_past(TriageScreen(self.asked, here=self.here, session=self.session))
            else:
                self.pop_screen()

    def show_triage(self) -> None:
        """The start screen."""
        self.ground()

    def show_history(self, ref: str = "") -> None:
        """The history screen, made at the first visit and kept; with this memory in front where one is named."""
        self.ground()
        history = self._history
        if history is None:
            from .screens.history import HistoryScreen

            history = HistoryScreen(self.engine)
            self.history_made(history)
            self.install_screen(history, "history")
        if ref:
            history.visit(ref)
        self.push_screen(history)

    def show_admin(self) -> None:
        """The admin screen, made at the first visit and kept; nothing that can sign is loaded before."""
        from .screens.admin import AdminScreen

        self.ground()
        if self.past is not None:
            from tur_engine.governor import Governor

            self._push_past(AdminScreen(self.past, Governor(self.past), idle=self._lock_after, clock=self._lock_clock))
            return
        if not self.is_screen_installed("admin"):
            admin = AdminScreen(self.engine, self.governor(), idle=self._lock_after, clock=self._lock_clock)
            self.install_screen(admin, "admin")
        self.push_screen("admin")

    def show_graph(self, refs: Sequence[str] = ()) -> None:
        """The graph screen, made at the first visit and kept; around these memories where any are named."""
        from .screens.graph import GraphScreen

        self.ground()
        if self.past is not None:
            graph = GraphScreen(self.past)
            graph.visit(refs)
            self._push_past(graph)
            return
        if not self.is_screen_installed("graph"):
            made = GraphScreen(self.engine)
            self.graph_made(made)
            self.install_screen(made, "graph")
        kept = self.get_screen("graph", GraphScreen)
        kept.visit(refs)
        self.push_screen(kept)

    def able(self, screen: Screen[object], action: Action) -> bool:
        if action.id == "time.now" and self.past is None:
            return False
        return super().able(screen, action)

    def visit(self, screen: Screen[object], ref: str) -> None:
        from .screens.graph import GraphScreen

        if isinstance(screen, GraphScreen):
            screen.visit([ref])
        else:
            self.show_history(ref)

    def show_health(self) -> None:
        """The health screen, made at the first visit and kept: a check goes on while others are in front."""
        from .screens.health import HealthScreen

        self.ground()
        if self.past is not None:
            self._push_past(HealthScreen(self.past))
            return
        if not self.is_screen_installed("health"):
            self.install_screen(HealthScreen(self.engine), "health")
        self.push_screen("health")

    def history_made(self, history: HistoryScreen) -> None:
        """The history screen is about to be shown for the first time."""

    def graph_made(self, graph: GraphScreen) -> None:
        """The graph screen is."""

    def _push_past(self, screen: Screen[None]) -> None:
        from .widgets.timeline import PastBanner

        self.push_screen(screen)
        screen.mount(PastBanner(self.moment_words))

    @property
    def _history(self) -> HistoryScreen | None:
        return self.get_screen("history") if self.is_screen_installed("history") else None  # type: ignore[return-value]


if TYPE_CHECKING:
    from .screens.graph import GraphScreen
    from .screens.history import HistoryScreen
