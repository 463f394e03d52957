"""What a key does on the scan screen: its bindings, its footer and its help page."""

from __future__ import annotations

from typing import Final

from tur_engine.records import Verb

from ..actions import NOTICES, Action, Group

_LABELS: Final = {
    Verb.SUPERSEDE: "Supersede",
    Verb.MERGE: "Merge",
    Verb.FORCE: "Force both",
    Verb.BRANCH: "Branch",
    Verb.DISMISS: "Not a clash",
    Verb.ABORT: "Abort",
}


def _verb(verb: Verb, label: str) -> Action:
    return Action(
        f"scan.{verb}",
        (verb.key,),
        label,
        "A scan changes nothing: says what to do in the files instead.",
        Group.DECIDE,
        f"told('{verb}')",
    )


SCAN: Final = (
    Action("scan.again", ("r", "R"), "Rescan", "Read the files anew.", Group.DECIDE, "again"),
    *(_verb(verb, label) for verb, label in _LABELS.items()),
    Action("scan.next", ("n",), "Next", "The next finding.", Group.MOVE, "step(1)"),
    Action("scan.previous", ("p",), "Previous", "The finding before.", Group.MOVE, "step(-1)"),
    Action("scan.left", ("left",), "Left side", "Point at the side on the left.", Group.MOVE, "side(0)"),
    Action("scan.right", ("right",), "Right side", "Point at the side on the right.", Group.MOVE, "side(1)"),
    Action(
        "source.open",
        ("o",),
        "Open line",
        "Open the line of the side that is pointed at in your editor.",
        Group.LOOK,
        "open_source",
    ),
    Action("scan.copy", ("y",), "Copy place", "Copy file and line of that side.", Group.LOOK, "copy_place"),
    Action("pane.next", ("tab",), "Next pane", "List, texts, reasons, verbs.", Group.MOVE, "pane(1)"),
    Action("pane.previous", ("shift+tab",), "Previous pane", "To the pane before.", Group.MOVE, "pane(-1)"),
    Action("theme.next", ("t",), "Theme", "The next theme.", Group.PROGRAM, "next_theme"),
    Action(
        "palette",
        ("ctrl+p",),
        "Palette",
        "Find by name: whatever can be done here, and the themes.",
        Group.PROGRAM,
        "palette",
    ),
    NOTICES,
    Action("help", ("question_mark", "f1"), "Help", "This page.", Group.PROGRAM, "help"),
    Action("quit", ("q",), "Quit", "Leave; a scan under way ends.", Group.PROGRAM, "leave"),
)
"""Every action of the scan screen."""

_BY_ID: Final = {each.id: each for each in SCAN}

FOOTER: Final = tuple(
    _BY_ID[name]
    for name in ("scan.next", "scan.previous", "source.open", "scan.again", "help", "quit", "scan.left", "scan.right")
)
"""What the footer shows, the first ones the longest."""

INTRODUCTION: Final = (
    "What the rule files of the repository say against each other, the ledger and the repository itself. A scan "
    "changes nothing: the verbs are struck out, and say what to do in the files. Edit, then scan again."
)
