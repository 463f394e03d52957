"""The part of the triage screen that leads elsewhere: to the other screens, help, palette, and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ..actions import ACTIONS
from ..widgets.feed import Feed
from ..widgets.neighbourhood import NeighbourhoodPane
from .arranging import ArrangingScreen

if TYPE_CHECKING:
    from ..hosting import StoreHost


class LeavingScreen(ArrangingScreen):
    """The graph is drawn around what is at hand; the program ends once what was typed ahead is written."""

    @property
    def workbench(self) -> StoreHost:
        """The program this screen runs in."""
        return cast("StoreHost", self.app)

    def action_palette(self) -> None:
        self.workbench.show_palette(ACTIONS)

    def action_help(self) -> None:
        from .help import HelpScreen  # not needed for the first paint

        self.app.push_screen(HelpScreen())

    def action_admin(self) -> None:
        self.workbench.show_admin()

    def action_history(self) -> None:
        self.workbench.show_history()

    def action_now(self) -> None:
        self.workbench.action_now()

    def action_graph(self) -> None:
        self.workbench.show_graph(() if self.workbench.is_screen_installed("graph") else self._at_hand)

    def action_health(self) -> None:
        self.workbench.show_health()

    def action_graph_here(self) -> None:
        self.workbench.show_graph(self._at_hand)

    @property
    def _at_hand(self) -> tuple[str, ...]:
        """The memory under the cursor of the pane in focus, else both sides of the conflict in front."""
        selected, feed = self.query_one(NeighbourhoodPane).selected, self.query_one(Feed)
        entry = feed.entry_at(feed.cursor)
        if self.focused and self.focused.id == "graph" and selected:
            return (selected.memory.digest,)
        if self.focused and self.focused.id == "feed" and entry and entry.memory_ids:
            return tuple(each.rpartition("-")[2] for each in entry.memory_ids[:2])
        conflict = self.desk.current
        return (conflict.challenger.memory.digest, conflict.incumbent.memory.digest) if conflict else ()

    def action_next_theme(self) -> None:
        self.workbench.next_theme()

    def action_quit_when_done(self) -> None:
        """Leave once what was typed ahead is written."""
        self.turns.take(self.app.exit)
