"""Where a sitting ended, and back to it at the next start on the same store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from textual.screen import ModalScreen

from .desk.exploring import Kind
from .moments import Moments
from .session import GraphView, HistoryView, Session, read_session, session_path, write_session

if TYPE_CHECKING:
    from .screens.graph import GraphScreen
    from .screens.history import HistoryScreen

_NAMES: Final = {"AdminScreen": "admin", "HistoryScreen": "history", "GraphScreen": "graph", "HealthScreen": "health"}
"""Screens by the class that shows them; none is loaded to know where the last sitting ended."""


class Returning(Moments):
    """Screens are told how they were left before they are shown; a moment of the past is never gone back to."""

    _session_file: Path

    def recall_session(self, store: Path) -> None:
        """Read how the last sitting on this store ended."""
        self._session_file = session_path(store)
        self.session = read_session(self._session_file) if self.settings.restore else Session()
        if self.session.radius is None:
            self.session = self.session.model_copy(update={"radius": self.settings.radius})

    def position_in(self, store_id: str) -> Session:
        """The session, without ids where the file is about another store that stood at this place."""
        if self.session.store != store_id:
            gone = {"store": store_id, "conflict": "", "history": HistoryView(), "graph": GraphView()}
            self.session = self.session.model_copy(update=gone)
        return self.session

    def return_to(self, screen: str) -> None:
        """Show the screen that the last sitting ended on."""
        if self.past is None and screen in _NAMES.values() and hasattr(self, f"show_{screen}"):
            getattr(self, f"show_{screen}")()

    def keep_session(self, session: Session) -> None:
        """Remember the view for the next start on this store."""
        left = {"store": self.session.store, "screen": self._front(), **self._views()}
        self.session = session.model_copy(update=left)
        if self.settings.restore:
            write_session(self._session_file, self.session)

    def _front(self) -> str:
        shown = [each for each in self.screen_stack if not isinstance(each, ModalScreen)]
        return _NAMES.get(type(shown[-1]).__name__, "triage") if shown else "triage"

    def _views(self) -> dict[str, Any]:
        """How the other screens are left; those that were not visited are as they were."""
        views: dict[str, Any] = {"history": self.session.history, "graph": self.session.graph}
        if self.is_screen_installed("history"):
            views["history"] = _history_view(self.get_screen("history"))  # type: ignore[arg-type]
        if self.is_screen_installed("graph"):
            views["graph"] = _graph_view(self.get_screen("graph"))  # type: ignore[arg-type]
        return views

    def history_made(self, history: HistoryScreen) -> None:
        from .desk.remembering import Page

        view = self.session.history
        history.desk.typed = view.typed
        history.desk.page = Page.EVER if view.ever else Page.BELIEVED
        if view.memory:
            history.visit(view.memory)

    def graph_made(self, graph: GraphScreen) -> None:
        view = self.session.graph
        graph.desk.radius = view.radius
        graph.desk.hidden = frozenset(Kind(*each) for each in view.hidden)
        graph.visit(view.centre)


def _history_view(history: HistoryScreen) -> HistoryView:
    from .desk.remembering import Page

    desk = history.desk
    memory = desk.known.belief.memory.digest if desk.known else ""
    return HistoryView(typed=desk.typed, ever=desk.page is Page.EVER, memory=memory)


def _graph_view(graph: GraphScreen) -> GraphView:
    desk = graph.desk
    return GraphView(
        centre=desk.centre[:8], radius=desk.radius, hidden=tuple((each[0], each[1]) for each in desk.hidden)
    )
