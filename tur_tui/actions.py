"""The one table of what a key does. Bindings, the verb bar, the help screen and README's key table are made of it."""

from __future__ import annotations

from typing import Final

from tur_engine.records import Verb

from .action import Action as Action
from .action import Group as Group
from .action import action as action
from .action import bindings as bindings
from .action import key as key
from .action import key_table as key_table
from .action import remap as remap
from .action import shown as shown
from .action import verb_key as verb_key
from .action import with_keys as with_keys

_SENTENCES: Final = {
    Verb.SUPERSEDE: (
        "Supersede",
        "The new memory replaces the existing one; what rests on that one becomes suspect.",
    ),
    Verb.REFUTE: ("Refute", "The new memory is wrong: it is marked refuted, the existing one stays."),
    Verb.MERGE: ("Merge", "Write one text that replaces both; an editor opens with the two above."),
    Verb.FORCE: ("Force both", "Both stay, marked as competing; recall shows each with the other."),
    Verb.BRANCH: ("Branch", "Narrow one of the two to a path or a git branch, so that they no longer overlap."),
    Verb.DISMISS: ("Not a clash", "They do not contradict each other: both stay, and the pair never comes back."),
    Verb.ABORT: ("Abort", "Drop the new memory: a held one is discarded, an active one retracted."),
}


def _verb(verb: Verb) -> Action:
    label, sentence = _SENTENCES[verb]
    return Action(
        id=f"conflict.{verb}",
        keys=(verb.key,),
        label=label,
        help=sentence,
        group=Group.DECIDE,
        run=f"decide('{verb}')",
        danger=True,
        verb=verb,
    )


PALETTE: Final = Action(
    "palette",
    ("ctrl+p",),
    "Palette",
    "Find by name: whatever can be done here, the themes, and any memory by its words or id.",
    Group.PROGRAM,
    "palette",
)
"""On every screen."""

NOTICES: Final = Action(
    "notices",
    ("N",),
    "Notices",
    "Everything that was said since the start, with its time, to be read again and copied.",
    Group.PROGRAM,
    "app.notices",
)
"""On every screen."""

OPEN_ANEW: Final = Action(
    "store.open_anew",
    ("ctrl+r",),
    "Open anew",
    "Open what the store's path names now: after it was replaced, restored or migrated.",
    Group.PROGRAM,
    "app.open_anew",
)
"""On every screen that shows a store."""

OUTLINE: Final = Action(
    "graph.outline", ("o",), "Outline", "Tell the drawing as text, and back.", Group.LOOK, "outline"
)
"""On the graph screen, and in each pane that draws a part of the graph."""

TO_TRIAGE: Final = Action("screen.triage", ("1",), "Triage", "Back to the conflicts.", Group.PROGRAM, "triage")
"""On every screen but the one it leads to."""

ACTIONS: Final = (
    *(_verb(verb) for verb in Verb),
    Action(
        "conflict.undo",
        ("u",),
        "Undo",
        "Take back the last decision; the conflict comes back and is selected.",
        Group.DECIDE,
        "undo",
        danger=True,
    ),
    Action(
        "conflict.defer",
        ("d",),
        "Defer",
        "Leave this conflict for later: it goes to the end of the queue.",
        Group.MOVE,
        "defer",
    ),
    Action(
        "conflict.mark",
        ("space",),
        "Mark",
        "Mark this conflict, or take its mark away; a verb is then for all that are marked, and asks once.",
        Group.DECIDE,
        "mark",
    ),
    Action(
        "conflict.mark_group",
        ("asterisk",),
        "Mark alike",
        "Mark all conflicts about the same subject: one verb settles them. Esc takes the marks away.",
        Group.DECIDE,
        "mark_group",
    ),
    Action(
        "conflict.propose",
        ("P",),
        "Propose",
        "Where an invariant stands in the way: ask reviewers to put the new text in its place.",
        Group.DECIDE,
        "propose",
        danger=True,
    ),
    Action(
        "held.open",
        ("h",),
        "Held back",
        "What a quarantined agent wrote: let it in or drop it.",
        Group.LOOK,
        "held_back",
    ),
    Action("conflict.next", ("n",), "Next", "The next open conflict.", Group.MOVE, "next"),
    Action("conflict.previous", ("p",), "Previous", "The previous open conflict.", Group.MOVE, "previous"),
    Action(
        "verb.next",
        ("right",),
        "Next verb",
        "Show what the next verb would do; nothing is done before its key or Enter on it.",
        Group.LOOK,
        "next_verb(1)",
    ),
    Action(
        "verb.previous", ("left",), "Previous verb", "Show what the verb before would do.", Group.LOOK, "next_verb(-1)"
    ),
    Action(
        "pane.next",
        ("tab",),
        "Next pane",
        "To the next pane; a pane in focus takes the arrow keys.",
        Group.MOVE,
        "next_pane",
    ),
    Action("pane.previous", ("shift+tab",), "Previous pane", "To the pane before.", Group.MOVE, "previous_pane"),
    Action(
        "feed.smaller",
        ("less_than_sign",),
        "Less feed",
        "Give the feed less room; at last it is not shown.",
        Group.LOOK,
        "feed_size(-1)",
    ),
    Action(
        "feed.larger",
        ("greater_than_sign",),
        "More feed",
        "Give the feed more room, up to half of the window; it stays so for the next start.",
        Group.LOOK,
        "feed_size(1)",
    ),
    Action(
        "feed.filter",
        ("slash",),
        "Filter",
        "Filter the feed as you type: words, kind:held, type:fact, by:claude, in:src/api, is:open. Esc clears.",
        Group.LOOK,
        "filter",
    ),
    Action(
        "conflict.explain",
        ("e",),
        "Explain",
        "The whole conflict: both texts, every piece of evidence, what each verb would change.",
        Group.LOOK,
        "explain",
    ),
    Action(
        "graph.wider",
        ("plus", "equals_sign"),
        "Wider",
        "Draw the neighbourhood one step further.",
        Group.LOOK,
        "radius(1)",
    ),
    Action("graph.closer", ("minus",), "Closer", "Draw the neighbourhood one step closer.", Group.LOOK, "radius(-1)"),
    Action(
        "conflict.copy",
        ("y",),
        "Copy id",
        "Copy the conflict's id (OSC 52: it works over SSH where the terminal allows it).",
        Group.LOOK,
        "copy_id",
    ),
    Action(
        "conflict.copy_text",
        ("Y",),
        "Copy texts",
        "Copy the two texts, without hidden characters.",
        Group.LOOK,
        "copy_sides",
    ),
    Action(
        "source.open",
        ("o",),
        "Source",
        "Open the line that a side comes from, or the first that has its words, in $VISUAL or $EDITOR.",
        Group.LOOK,
        "open_source",
    ),
    Action(
        "conflict.export",
        ("E",),
        "Export",
        "Write this conflict to a file, as Markdown or as a picture.",
        Group.LOOK,
        "export",
    ),
    Action(
        "screen.admin",
        ("2",),
        "Admin",
        "The admin screen: proposals that wait for signatures, reviewers, the signed log. {screen.triage} comes back.",
        Group.PROGRAM,
        "admin",
    ),
    Action(
        "graph.open",
        ("g",),
        "Graph here",
        "The graph screen, drawn around the memory under the cursor, or around both sides of the conflict.",
        Group.LOOK,
        "graph_here",
    ),
    Action(
        "screen.history",
        ("3",),
        "History",
        "The history screen: what is believed, how it came about, and the past, read-only. {screen.triage} comes back.",
        Group.PROGRAM,
        "history",
    ),
    Action(
        "screen.graph",
        ("4",),
        "Graph",
        "The graph screen, as it was left. {screen.triage} comes back.",
        Group.PROGRAM,
        "graph",
    ),
    Action(
        "screen.health",
        ("5",),
        "Health",
        "The health screen: what is in the store, how quick and how sure the gate is, and a check of the ledger.",
        Group.PROGRAM,
        "health",
    ),
    Action("time.now", ("0",), "Now", "Back to the present, where the past is shown.", Group.PROGRAM, "now"),
    Action(
        "theme.next", ("t",), "Theme", "The next theme; it is kept for the next start.", Group.PROGRAM, "next_theme"
    ),
    PALETTE,
    NOTICES,
    OPEN_ANEW,
    Action("help", ("question_mark", "f1"), "Help", "This page.", Group.PROGRAM, "help"),
    Action("quit", ("q",), "Quit", "Leave; every decision is already written.", Group.PROGRAM, "quit_when_done"),
)
"""Every action of the triage screen, in the order of footer and help."""

FOOTER: Final = (
    "conflict.undo",
    "conflict.defer",
    "conflict.next",
    "conflict.previous",
    "conflict.explain",
    "feed.filter",
    "help",
    "quit",
    "conflict.mark",
)
"""What the footer shows beside the verbs, which have a bar of their own; help is the last to give way."""
