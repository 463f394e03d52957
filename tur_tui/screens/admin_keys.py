"""What a key does on the admin screen: its bindings, its footer, its help page and its table in the README."""

from __future__ import annotations

from typing import Final

from ..actions import Action, Group
from .common_keys import EVERYWHERE, NOW, TO_GRAPH, TO_HEALTH, TO_HISTORY

ADMIN: Final = (
    Action(
        "proposal.approve",
        ("A",),
        "Approve",
        "Sign the proposal in front; asks for the passphrase while locked, then shows the whole text once more.",
        Group.DECIDE,
        "approve",
        danger=True,
    ),
    Action(
        "proposal.reject",
        ("R",),
        "Reject",
        "Reject the proposal in front, signed, with a reason that stays on record.",
        Group.DECIDE,
        "reject",
        danger=True,
    ),
    Action("key.unlock", ("U",), "Unlock", "Unlock your key with its passphrase.", Group.DECIDE, "unlock"),
    Action("key.lock", ("L",), "Lock", "Lock your key now; it locks itself when left alone.", Group.DECIDE, "lock"),
    Action("proposal.next", ("n",), "Next", "The next proposal of the list.", Group.MOVE, "step(1)"),
    Action("proposal.previous", ("p",), "Previous", "The proposal before.", Group.MOVE, "step(-1)"),
    Action("page.waiting", ("w",), "Waiting", "The proposals that wait for signatures.", Group.MOVE, "view('waiting')"),
    Action("page.decided", ("d",), "Decided", "What was approved and rejected.", Group.MOVE, "view('decided')"),
    Action(
        "page.reviewers",
        ("v",),
        "Reviewers",
        "Who may sign, whose key was revoked, which one is here, and the quorum.",
        Group.MOVE,
        "view('reviewers')",
    ),
    Action("page.log", ("g",), "Signed log", "Who signed what, and whether it holds.", Group.MOVE, "view('log')"),
    Action("page.next", ("right",), "Next page", "The page to the right.", Group.MOVE, "turn(1)"),
    Action("page.previous", ("left",), "Previous page", "The page to the left.", Group.MOVE, "turn(-1)"),
    Action("pane.other", ("tab", "shift+tab"), "Other pane", "From the list to the text and back.", Group.MOVE, "pane"),
    Action(
        "text.more", ("space",), "Read on", "The next page of the text, wherever the cursor is.", Group.LOOK, "more"
    ),
    Action("proposal.copy", ("y",), "Copy id", "Copy the proposal's id.", Group.LOOK, "copy_id"),
    Action("screen.triage", ("1", "escape"), "Triage", "Back to the conflicts.", Group.PROGRAM, "triage"),
    TO_HISTORY,
    TO_GRAPH,
    TO_HEALTH,
    NOW,
    *EVERYWHERE,
    Action("quit", ("q",), "Quit", "Leave; the key is locked and forgotten.", Group.PROGRAM, "quit_when_done"),
)
"""Every action of the admin screen, in the order of footer and help."""

_BY_ID: Final = {each.id: each for each in ADMIN}

FOOTER: Final = tuple(
    _BY_ID[name]
    for name in (
        "proposal.approve",
        "proposal.reject",
        "key.unlock",
        "key.lock",
        "proposal.next",
        "screen.triage",
        "help",
        "quit",
        "text.more",
        "proposal.previous",
        "proposal.copy",
        "theme.next",
    )
)
"""What the footer shows, the first ones the longest."""

FEW: Final = tuple(_BY_ID[name] for name in ("screen.triage", "help", "quit"))
"""What it shows where the window is too small to sign anything."""

SIGNS: Final = frozenset({"approve", "reject", "unlock"})
"""Dead where the window is too small to show what would be signed."""

INTRODUCTION: Final = (
    "Axioms and core memories are changed by people only: an agent proposes, reviewers sign. A proposal takes force "
    "once enough different reviewers have signed it. Nothing can be signed while the key is locked, or where the "
    "window is smaller than 60 by 15. A signature is never taken back: to undo one, propose the opposite."
)
