"""The one table of what a key does. Bindings, the verb bar, the help screen and README's key table are made of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from textual.binding import Binding

from tur_engine.records import Verb


class Group(StrEnum):
    """The heading an action stands under on the help screen, in this order."""

    DECIDE = "Decide"
    MOVE = "Move"
    LOOK = "Look"
    PROGRAM = "Program"


@dataclass(frozen=True)
class Action:
    """One thing a person can do from a screen."""

    id: str
    keys: tuple[str, ...]
    """Textual's names of the keys; the first is the one shown."""
    label: str
    """One or two words, for the footer."""
    help: str
    """One sentence, for the help screen and the README."""
    group: Group
    run: str
    """What Textual is to run: the name of an `action_` method, with its arguments."""
    danger: bool = False
    """True where it writes to the ledger."""
    verb: Verb | None = None
    """The verb of CONTRACTS 3 that it gives."""

    @property
    def shown(self) -> str:
        """The keys as people write them: `tab`, `?`, `+`."""
        return shown(self.keys)


_SHOWN: Final = {
    "slash": "/",
    "question_mark": "?",
    "plus": "+",
    "equals_sign": "=",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "vertical_line": "|",
}

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
        "feed.filter",
        ("slash",),
        "Filter",
        "Filter the feed as you type: words, kind:held, type:fact, by:claude, is:open. Esc clears.",
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
        "screen.admin",
        ("2",),
        "Admin",
        "The admin screen: proposals that wait for signatures, reviewers, the signed log. 1 comes back.",
        Group.PROGRAM,
        "admin",
    ),
    Action(
        "theme.next", ("t",), "Theme", "The next theme; it is kept for the next start.", Group.PROGRAM, "next_theme"
    ),
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
)
"""What the footer shows beside the verbs, which have a bar of their own; help is the last to give way."""


def shown(keys: Iterable[str]) -> str:
    """Textual's names of keys as people write them."""
    return " ".join(_SHOWN.get(key, key) for key in keys)


def action(name: str) -> Action:
    """The action of this id."""
    return _BY_ID[name]


def bindings(actions: Iterable[Action] = ACTIONS) -> list[Binding]:
    """Textual's bindings of the actions, one a key, each with the action's id."""
    return [
        Binding(",".join(each.keys), each.run, each.label, id=each.id, tooltip=each.help, show=False)
        for each in actions
    ]


def key_table(actions: Iterable[Action] = ACTIONS) -> str:
    """The README's table of keys, in Markdown."""
    rows = ["| key | | what it does |", "|---|---|---|"]
    rows += [
        f"| {' '.join(f'`{key}`' for key in each.shown.split())} | {each.label} | {each.help} |" for each in actions
    ]
    return "\n".join(rows) + "\n"


_BY_ID: Final = {each.id: each for each in ACTIONS}
