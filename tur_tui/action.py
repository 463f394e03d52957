"""What one thing is that a person can do with a key, and how keys are told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from textual.binding import Binding
from textual.keys import key_to_character

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
    """One sentence, for the help screen and the README; `{quit}` in it is the key of that action."""
    group: Group
    run: str
    """What Textual is to run: the name of an `action_` method, with its arguments."""
    danger: bool = False
    """True where it writes to the ledger."""
    verb: Verb | None = None
    """The verb of CONTRACTS 3 that it gives."""

    def __post_init__(self) -> None:
        _MADE.setdefault(self.id, self)

    @property
    def bound(self) -> tuple[str, ...]:
        """The keys that it has in this process: those of the table, or a person's own."""
        return _REMAPPED.get(self.id, self.keys)

    @property
    def shown(self) -> str:
        """Those keys as people write them: `tab`, `?`, `+`."""
        return shown(self.bound)


_MADE: Final[dict[str, Action]] = {}
"""Every action that a table has, by its id; where several have one, that of the first table, the start screen's."""

_REMAPPED: dict[str, tuple[str, ...]] = {}
"""Keys that a person gave to actions in config.toml. One process is one workbench, so there is one such table."""

_NAMED: Final = re.compile(r"\{([a-z_.]+)\}")

_SHOWN: Final = {
    "slash": "/",
    "asterisk": "*",
    "question_mark": "?",
    "plus": "+",
    "equals_sign": "=",
    "minus": "-",
    "escape": "Esc",
    "enter": "Enter",
    "backspace": "Backspace",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "vertical_line": "|",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "at": "@",
    "colon": ":",
}


def shown(keys: Iterable[str]) -> str:
    """Textual's names of keys as people write them."""
    return " ".join(_SHOWN.get(key) or _sign(key) or key for key in keys)


def _sign(key: str) -> str:
    """The sign that a key writes, where Textual spells its name out: `exclamation_mark`."""
    sign = key_to_character(key) or ""
    return sign if sign.isprintable() and not sign.isspace() else ""


def remap(keys: Mapping[str, tuple[str, ...]]) -> None:
    """Let these actions have these keys, and every other one those of the tables; `keymap.read_keymap` checks them."""
    _REMAPPED.clear()
    _REMAPPED.update(keys)


def action(name: str) -> Action:
    """The action of this id; that of the start screen where several screens have one."""
    return _MADE[name]


def verb_key(verb: Verb) -> str:
    """The key that gives a verb."""
    return key(f"conflict.{verb}")


def key(name: str) -> str:
    """The key of an action as sentences name it: `u`."""
    return action(name).shown.split()[0]


def with_keys(sentence: str, *, defaults: bool = False) -> str:
    """The sentence with the key in place of each `{action.id}`; for the docs those of the tables."""
    return _NAMED.sub(lambda found: shown(action(found[1]).keys[:1]) if defaults else key(found[1]), sentence)


def bindings(actions: Iterable[Action]) -> list[Binding]:
    """Textual's bindings of the actions, one a key, each with the action's id."""
    return [
        Binding(",".join(each.keys), each.run, each.label, id=each.id, tooltip=with_keys(each.help), show=False)
        for each in actions
    ]


def key_table(actions: Iterable[Action]) -> str:
    """The README's table of keys, in Markdown."""
    rows = ["| key | | what it does |", "|---|---|---|"]
    for each in actions:
        keys = " ".join(f"`{key}`" for key in shown(each.keys).split())
        rows.append(f"| {keys} | {each.label} | {with_keys(each.help, defaults=True)} |")
    return "\n".join(rows) + "\n"
