"""A person's own keys: the table `[keys]` of config.toml, action ids and the keys they are to have."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from textual.keys import _character_to_key as character_name  # the one that bindings go through

from tur_engine.text import visible

from .actions import Action, shown
from .screens.tables import PANES_TAKE, TABLES

Keymap = Mapping[str, tuple[str, ...]]
"""Textual's names of keys, by action id."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_NAMED: Final = frozenset(
    {"tab", "shift+tab", "enter", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"}
    | {"up", "down", "left", "right", "shift+up", "shift+down", "shift+left", "shift+right"}
    | {"ctrl+up", "ctrl+down", "ctrl+left", "ctrl+right", "ctrl+home", "ctrl+end", "escape"}
    | {f"f{number}" for number in range(1, 13)}
    | {f"{with_}+{letter}" for with_ in ("ctrl", "alt") for letter in _LETTERS}
)
_ALSO: Final = {"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup"} | {
    "pgdn": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
}
_RARE: Final = re.compile(r"((ctrl|alt|shift|super|meta|hyper)\+){2,}\S+|(super|meta|hyper)\+\S+")
_KEPT: Final = {
    "escape": "Esc closes and clears, everywhere",
    "ctrl+c": "Ctrl-C copies and leaves",
    "ctrl+q": "Ctrl-Q leaves at once",
    "ctrl+z": "Ctrl-Z is the shell's",
    "enter": "it is for text fields and lists",
    "backspace": "it is for text fields",
    "delete": "it is for text fields",
    "ctrl+i": "terminals send it as Tab",
    "ctrl+m": "terminals send it as Enter",
    "ctrl+j": "terminals send it as Enter",
    "ctrl+h": "terminals send it as Backspace",
}
"""Keys that mean something else already, and what."""


def read_keymap(
    table: Mapping[str, object], tables: Mapping[str, tuple[Action, ...]] = TABLES
) -> tuple[Keymap, list[str]]:
    """The keys that can be had of those that are asked for, and a sentence for each action that keeps its own."""
    known = {each.id: each for actions in tables.values() for each in actions}
    wishes: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for name, value in _flat(table):
        keys, problem = _keys(name, value, known)
        problem = problem or _dead(name, keys, tables)
        if problem:
            problems.append(f"{_quoted(name)}: {problem}")
        elif keys != known[name].keys:
            wishes[name] = keys
    while clash := _clash(wishes, tables):
        screen, key, ids = clash
        lost = [each for each in ids if each in wishes]
        for each in lost:
            del wishes[each]
        stays = f"{' and '.join(lost)} {'keeps its' if len(lost) == 1 else 'keep their'} own"
        problems.append(f"{_written(key)} would be for {ids[0]} and for {ids[1]} on the {screen} screen; {stays}.")
    return wishes, [f"[keys] {each}" for each in problems]


def _flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """`conflict.defer = "D"` is a table in a table for TOML, `"conflict.defer" = "D"` is not; both are meant."""
    for name, value in table.items():
        if isinstance(value, Mapping) and before.count(".") < 3:
            yield from _flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _keys(name: str, value: object, known: Mapping[str, Action]) -> tuple[tuple[str, ...], str]:
    """The keys named in one line of the table, or what is wrong with it."""
    if name not in known:
        near = get_close_matches(name, known, n=1)
        return (), f"there is no such action{_near(near)}; tur-tui keys lists them."
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not written or not all(isinstance(each, str) for each in written):
        return (), 'must be a key in quotes, such as "x", or a list of keys.'
    keys: list[str] = []
    for each in written:
        key = key_named(each)
        if not key and _RARE.fullmatch(each.lower()):
            return (), f"{_quoted(each)} cannot be had: only some terminals can send it."
        if not key:
            return (), f"{_quoted(each)} is no key{_near(get_close_matches(each.lower(), _NAMED, n=1))}."
        if key in _KEPT and key not in known[name].keys:
            return (), f"{_written(key)} cannot be had: {_KEPT[key]}."
        keys.append(key)
    return tuple(dict.fromkeys(keys)), ""


def key_named(written: str) -> str:
    """Textual's name of a key as people write it: `?`, `D`, `ctrl+x`, `PgDn`; "" where it is none."""
    if len(written) == 1:
        return ("space" if written == " " else character_name(written)) if written.isprintable() else ""
    name = _ALSO.get(written.lower(), written.lower())
    if name.startswith("shift+") and name[6:] in _LETTERS:
        return name[6:].upper()
    if name in _NAMED:
        return name
    return name if name in _SIGNS else ""


_SIGNS: Final = frozenset(character_name(char) for char in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def _dead(name: str, keys: Collection[str], tables: Mapping[str, tuple[Action, ...]]) -> str:
    """Why a key would do nothing on one of the action's screens."""
    for screen, actions in tables.items():
        for action in actions:
            for key in keys:
                if action.id == name and key not in action.keys and key in PANES_TAKE.get(screen, ()):
                    return f"{_written(key)} cannot be had: the panes of the {screen} screen take it."
    return ""


def _clash(wishes: Keymap, tables: Mapping[str, tuple[Action, ...]]) -> tuple[str, str, list[str]] | None:
    """The first key that two actions of one screen would have."""
    for screen, actions in tables.items():
        taken: dict[str, str] = {}
        for action in actions:
            for key in wishes.get(action.id, action.keys):
                if key in taken:
                    return screen, key, [taken[key], action.id]
                taken[key] = action.id
    return None


def _written(key: str) -> str:
    return f'"{shown((key,))}"'


def _quoted(text: str) -> str:
    return f'"{visible(text[:60], newlines=False)}"'


def _near(names: list[str]) -> str:
    return f" (did you mean {names[0]}?)" if names else ""
