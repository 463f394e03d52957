"""Keys that the screens beside the start screen have in common: the ways to one another, the moment, theme and help."""

from __future__ import annotations

from typing import Final

from ..actions import NOTICES, OPEN_ANEW, PALETTE, Action, Group
from ..actions import TO_TRIAGE as TO_TRIAGE

TO_ADMIN: Final = Action("screen.admin", ("2",), "Admin", "The admin screen.", Group.PROGRAM, "admin")
TO_HISTORY: Final = Action(
    "screen.history", ("3",), "History", "What is believed, and how it came about.", Group.PROGRAM, "history"
)
TO_GRAPH: Final = Action("screen.graph", ("4",), "Graph", "The graph screen, as it was left.", Group.PROGRAM, "graph")
TO_HEALTH: Final = Action(
    "screen.health", ("5",), "Health", "How the store fares; a check of the ledger.", Group.PROGRAM, "health"
)
NOW: Final = Action("time.now", ("0",), "Now", "Back to the present, where the past is shown.", Group.PROGRAM, "now")
EVERYWHERE: Final = (
    Action("theme.next", ("t",), "Theme", "The next theme.", Group.PROGRAM, "next_theme"),
    PALETTE,
    NOTICES,
    OPEN_ANEW,
    Action("help", ("question_mark", "f1"), "Help", "This page.", Group.PROGRAM, "help"),
)
"""What every one of them can do."""
