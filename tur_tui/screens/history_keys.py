"""What a key does on the history screen: its bindings, its footer, its help page and its table in the README."""

from __future__ import annotations

from typing import Final

from ..actions import Action, Group
from .common_keys import EVERYWHERE, TO_ADMIN, TO_GRAPH, TO_HEALTH, TO_TRIAGE

HISTORY: Final = (
    Action(
        "memory.correct",
        ("c",),
        "Correct",
        "Write the memory in front anew; the new text passes the gate and supersedes it. An invariant is proposed.",
        Group.DECIDE,
        "correct",
        danger=True,
    ),
    Action(
        "memory.retire",
        ("r",),
        "Retire",
        "Take the memory in front back, with a reason. For an invariant its retirement is proposed.",
        Group.DECIDE,
        "retire",
        danger=True,
    ),
    Action(
        "history.find",
        ("slash",),
        "Find",
        "Narrow the list as you type: words, an id, type:fact, scope:api, by:claude, is:contested, is:suspect.",
        Group.LOOK,
        "find",
    ),
    Action(
        "history.ever",
        ("a",),
        "All / now",
        "List everything that ever was, whatever became of it; again: what is believed.",
        Group.LOOK,
        "ever",
    ),
    Action(
        "history.mark",
        ("space",),
        "Mark",
        "Mark a point to compare: an event of the life, or a memory of the lineage.",
        Group.LOOK,
        "mark",
    ),
    Action(
        "history.diff",
        ("d",),
        "Compare",
        "Compare two marked points, or the mark with the cursor: two memories by words, two events by what changed.",
        Group.LOOK,
        "diff",
    ),
    Action(
        "history.open",
        ("enter",),
        "Open",
        "On an event: see everything as of then. On a memory: put it in front.",
        Group.MOVE,
        "open",
    ),
    Action("history.back", ("backspace",), "Back", "To the memory that was in front before.", Group.MOVE, "back"),
    Action(
        "time.earlier",
        ("left_square_bracket",),
        "Earlier",
        "One event back: all screens show it.",
        Group.MOVE,
        "time(-1)",
    ),
    Action("time.later", ("right_square_bracket",), "Later", "One event forward.", Group.MOVE, "time(1)"),
    Action(
        "time.much_earlier",
        ("left_curly_bracket", "less_than_sign"),
        "Far back",
        "A tenth of the history back.",
        Group.MOVE,
        "leap(-1)",
    ),
    Action(
        "time.much_later",
        ("right_curly_bracket", "greater_than_sign"),
        "Far on",
        "A tenth of the history forward.",
        Group.MOVE,
        "leap(1)",
    ),
    Action(
        "time.go",
        ("at", "colon"),
        "As of",
        "Type a moment: an event number, a date, yesterday, 2d. The whole workbench then shows it, read-only.",
        Group.MOVE,
        "moment",
    ),
    Action("time.now", ("0",), "Now", "Back to the present.", Group.MOVE, "now"),
    Action("pane.next", ("tab",), "Next pane", "List, memory, life, lineage.", Group.MOVE, "pane(1)"),
    Action("pane.previous", ("shift+tab",), "Previous pane", "To the pane before.", Group.MOVE, "pane(-1)"),
    Action("history.export", ("E",), "Export", "Write the memory's history to a file.", Group.LOOK, "export"),
    Action("history.copy", ("y",), "Copy id", "Copy the id of the memory in front.", Group.LOOK, "copy_id"),
    Action("graph.open", ("g",), "Graph here", "The graph around the memory in front.", Group.LOOK, "graph_here"),
    Action(
        "history.leave", ("escape",), "Leave", "Close the search, forget the marks, or go back.", Group.MOVE, "leave"
    ),
    TO_TRIAGE,
    TO_ADMIN,
    TO_GRAPH,
    TO_HEALTH,
    *EVERYWHERE,
    Action("quit", ("q",), "Quit", "Leave; every decision is already written.", Group.PROGRAM, "quit_when_done"),
)
"""Every action of the history screen."""

_BY_ID: Final = {each.id: each for each in HISTORY}

FOOTER: Final = tuple(
    _BY_ID[name]
    for name in (
        "history.find",
        "history.ever",
        "time.earlier",
        "time.go",
        "memory.correct",
        "memory.retire",
        "history.diff",
        "history.export",
        "help",
        "screen.triage",
        "quit",
        "history.mark",
        "time.later",
        "graph.open",
    )
)
"""What the footer shows, the first ones the longest."""

FEW: Final = tuple(_BY_ID[name] for name in ("screen.triage", "help", "quit"))
"""What it shows where the window is too small to show anything."""

ALWAYS: Final = frozenset(
    {
        "triage",
        "admin",
        "graph",
        "health",
        "now",
        "next_theme",
        "help",
        "quit_when_done",
        "help_quit",
        "copy_text",
        "leave",
    }
)
"""What works in a window of any size."""

INTRODUCTION: Final = (
    "What is believed now, the constitution on top, and how each memory came to stand where it does. The slider below "
    "sets a moment: the whole workbench then shows the past, read-only, until {time.now} brings back now. In front of "
    "a memory: ✶ an invariant in force, ✧ a proposal that waits for signatures, ! contested or held, ? suspect, "
    "✗ fallen."
)
