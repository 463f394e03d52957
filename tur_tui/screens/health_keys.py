"""What a key does on the health screen: its bindings, its footer, its help page and its table in the docs."""

from __future__ import annotations

from typing import Final

from ..actions import Action, Group
from .common_keys import EVERYWHERE, NOW, TO_ADMIN, TO_GRAPH, TO_HISTORY, TO_TRIAGE

HEALTH: Final = (
    Action(
        "health.check",
        ("v",),
        "Check",
        "Check the whole ledger: chain, texts, tables, every signature, and what this machine saw of it before.",
        Group.LOOK,
        "check",
    ),
    Action("health.copy", ("y",), "Copy", "Copy the page as text; no memory is in it.", Group.LOOK, "copy"),
    Action(
        "health.leave", ("escape",), "Stop", "Stop the check, which harms nothing; or go back.", Group.MOVE, "leave"
    ),
    TO_TRIAGE,
    TO_ADMIN,
    TO_HISTORY,
    TO_GRAPH,
    NOW,
    *EVERYWHERE,
    Action("quit", ("q",), "Quit", "Leave; a check that goes on is stopped.", Group.PROGRAM, "quit_when_done"),
)
"""Every action of the health screen."""

_BY_ID: Final = {each.id: each for each in HEALTH}

FOOTER: Final = tuple(
    _BY_ID[name]
    for name in (
        *("health.check", "health.leave", "health.copy", "screen.triage", "help", "quit"),
        *("screen.history", "screen.graph", "theme.next"),
    )
)
"""What the footer shows, the first ones the longest."""

FEW: Final = tuple(_BY_ID[name] for name in ("screen.triage", "help", "quit"))
"""What it shows where the window is too small to show anything."""

ALWAYS: Final = frozenset(
    {"triage", "admin", "history", "graph", "now", "next_theme", "help", "quit_when_done", "help_quit"}
    | {"copy_text", "leave"}
)
"""What works in a window of any size."""

INTRODUCTION: Final = (
    "How the store fares: what is in it, what waits and for how long, whose memories are contradicted, how quick and "
    "how sure the gate is, and where the ledger ends. {health.check} checks the whole ledger; it reads only, and Esc "
    "stops it."
)
