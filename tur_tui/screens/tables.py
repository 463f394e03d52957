"""The action tables of all screens, by the name a person reads; loads no screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..actions import ACTIONS, Action
from .admin_keys import ADMIN
from .graph_keys import GRAPH
from .health_keys import HEALTH
from .history_keys import HISTORY
from .scan_keys import SCAN

TABLES: Final[Mapping[str, tuple[Action, ...]]] = {
    "triage": ACTIONS,
    "admin": ADMIN,
    "history": HISTORY,
    "graph": GRAPH,
    "health": HEALTH,
    "scan": SCAN,
}
"""In the order of their keys, 1 to 5; the last is that of `tur-tui scan`."""

_LISTS: Final = frozenset({"up", "down", "j", "k", "pageup", "pagedown", "home", "end", "enter"})
_DRAWING: Final = frozenset(
    {"up", "down", "left", "right", "h", "j", "k", "l", "enter", "plus", "equals_sign", "minus", "o"}
)
_TEXTS: Final = frozenset({"left_square_bracket", "right_square_bracket", "vertical_line"})

PANES_TAKE: Final[Mapping[str, frozenset[str]]] = {
    "triage": _LISTS | _DRAWING | _TEXTS,
    "admin": _LISTS | _TEXTS,
    "history": _LISTS,
    "graph": _LISTS | _DRAWING | {"space"},
    "health": _LISTS,
    "scan": _LISTS | _TEXTS,
}
"""Keys that a pane takes for itself while it has the focus: given to another action they would be dead there."""
