"""What a key does on the graph screen: its bindings, its footer and its help page."""

from __future__ import annotations

from typing import Final

from ..actions import OUTLINE, Action, Group
from .common_keys import EVERYWHERE, NOW, TO_ADMIN, TO_HEALTH, TO_HISTORY, TO_TRIAGE

GRAPH: Final = (
    Action(
        "graph.find", ("slash",), "Find", "Find a memory by words or id; Enter draws around it.", Group.LOOK, "find"
    ),
    Action("graph.centre", ("enter",), "Centre", "Draw around the memory under the cursor.", Group.MOVE, "centre"),
    Action("graph.back", ("backspace",), "Back", "To the centre before this one.", Group.MOVE, "back"),
    Action("graph.wider", ("plus", "equals_sign"), "Wider", "One step further.", Group.LOOK, "radius(1)"),
    Action("graph.closer", ("minus",), "Closer", "One step closer.", Group.LOOK, "radius(-1)"),
    Action(
        "graph.path",
        ("p",),
        "Path",
        "Begin a path at the memory under the cursor; pressed on another one, show how the two are joined.",
        Group.LOOK,
        "path",
    ),
    Action(
        "graph.lists",
        ("c",),
        "Lists",
        "List contradictions, then cycles, then islands; Enter on a row draws it.",
        Group.LOOK,
        "lists",
    ),
    Action(
        "graph.types",
        ("f",),
        "Types",
        "The legend: which node and edge types are drawn, and how; space hides or shows one or a whole family.",
        Group.LOOK,
        "page('types')",
    ),
    Action("page.next", ("right",), "Next list", "The list to the right.", Group.MOVE, "turn(1)"),
    Action("page.previous", ("left",), "Previous list", "The list to the left.", Group.MOVE, "turn(-1)"),
    Action("row.next", ("down",), "Next row", "The next row of the list, also while you type.", Group.MOVE, "row(1)"),
    Action("row.previous", ("up",), "Previous row", "The row before.", Group.MOVE, "row(-1)"),
    Action(
        "pane.next",
        ("tab",),
        "Next pane",
        "From the drawing to the list, then to the memory in full.",
        Group.MOVE,
        "pane(1)",
    ),
    Action("pane.previous", ("shift+tab",), "Previous pane", "To the pane before.", Group.MOVE, "pane(-1)"),
    OUTLINE,
    Action("graph.copy", ("y",), "Copy", "Copy what is drawn as text, with full ids.", Group.LOOK, "copy('text')"),
    Action("graph.mermaid", ("Y",), "Copy diagram", "Copy it as a Mermaid flowchart.", Group.LOOK, "copy('mermaid')"),
    Action("graph.leave", ("escape",), "Leave", "Close the search, forget the path, or go back.", Group.MOVE, "leave"),
    TO_TRIAGE,
    TO_ADMIN,
    TO_HISTORY,
    TO_HEALTH,
    NOW,
    *EVERYWHERE,
    Action("quit", ("q",), "Quit", "Leave; every decision is already written.", Group.PROGRAM, "quit_when_done"),
)
"""Every action of the graph screen."""

_BY_ID: Final = {each.id: each for each in GRAPH}

FOOTER: Final = tuple(
    _BY_ID[name]
    for name in (
        "graph.find",
        "graph.centre",
        "graph.back",
        "graph.path",
        "graph.lists",
        "screen.triage",
        "graph.types",
        "help",
        "quit",
        "graph.wider",
        "graph.closer",
        "graph.outline",
        "graph.copy",
    )
)
"""What the footer shows, the first ones the longest."""

FEW: Final = tuple(_BY_ID[name] for name in ("screen.triage", "help", "quit"))
"""What it shows where the window is too small to draw anything."""

ALWAYS: Final = frozenset(
    {"triage", "admin", "history", "health", "now", "next_theme", "help", "quit_when_done", "help_quit", "copy_text"}
)
"""What works where the window is too small; nothing else does."""

INTRODUCTION: Final = (
    "The belief graph around one or more memories: on the left what leads to them, on the right what they lead to. "
    "Arrows go from node to node. A double frame is the centre, ! a contradiction, ? a suspect, x-marks and struck-out "
    "text what fell, » the begin of a path, +3 three more neighbours outside. Nothing on this screen writes to the "
    "ledger. Smaller than 60 by 15 nothing is drawn."
)
