"""`tur-tui keys` and `tur-tui settings`: what holds for this person, printed. No store and no terminal is needed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Final

from tur_engine.text import visible

from .actions import remap, shown, with_keys
from .drawing.wrapping import pad, wrapped
from .keymap import Keymap, read_keymap
from .printing import print_json, print_lines, width_of_output
from .resources import themes_dir, user_themes_dir
from .screens.tables import TABLES
from .settings import Settings, SettingsError, read_settings, settings_path

WRONG: Final = 2
"""The exit code where config.toml says something that cannot be used."""
_NARROWEST: Final = 24
"""Columns for the sentences."""


def print_keys(*, as_json: bool = False) -> int:
    """Print every action of every screen with its keys; the exit code."""
    _, keymap, problems = _read()
    remap(keymap)
    rows = [(screen, each) for screen, actions in TABLES.items() for each in actions]
    if as_json:
        told = [
            {
                "screen": screen,
                "action": each.id,
                "keys": [shown((key,)) for key in each.bound],
                "label": each.label,
                "help": with_keys(each.help),
                "yours": each.id in keymap,
            }
            for screen, each in rows
        ]
        print_json({"keys": told})
        return _complain(problems)
    wide = max(len(each.shown) for _, each in rows), max(len(each.id) for _, each in rows)
    lines: list[str] = []
    for screen, actions in TABLES.items():
        lines += ["", f"The {screen} screen"]
        for each in actions:
            star = "*" if each.id in keymap else " "
            lines += _hanging(f"  {pad(each.shown, wide[0])} {star} {pad(each.id, wide[1])}  ", with_keys(each.help))
    print_lines(lines[1:])
    if keymap:
        print_lines(["", f"* is yours, from {visible(str(settings_path()), newlines=False)}"])
    return _complain(problems)


def print_settings(*, as_json: bool = False) -> int:
    """Print every setting with its value and where that comes from; the exit code."""
    settings, keymap, problems = _read()
    path = settings_path()
    problems += _no_theme(settings)
    values = {name: getattr(settings, name) for name in Settings.told()}
    if as_json:
        told = {name: {"value": value, "yours": name in settings.given} for name, value in values.items()}
        print_json({"file": str(path), "settings": told})
        return _complain(problems)
    lines = [visible(f"{path}{'' if path.exists() else ' is not there: these are the defaults.'}", newlines=False)]
    for name, value in values.items():
        where = "" if name in settings.given else " (default)"
        lines += [
            "",
            visible(f"{name} = {_said(value, keymap)}{where}", newlines=False),
            *_hanging("  ", Settings.told()[name]),
        ]
    print_lines(lines)
    return _complain(problems)


def _said(value: object, keymap: Keymap) -> str:
    """A value as the file would have it; of the keys how many are in force."""
    if isinstance(value, dict):
        return f"{len(keymap)} of your own"
    return "not set" if value is None else json.dumps(value, ensure_ascii=False)


def _read() -> tuple[Settings, Keymap, list[str]]:
    try:
        settings = read_settings(settings_path())
    except SettingsError as error:
        return Settings(), {}, [str(error)]
    keymap, problems = read_keymap(settings.keys)
    return settings, keymap, [f"{settings_path()}: {each}" for each in problems]


def _no_theme(settings: Settings) -> list[str]:
    """What the workbench would say at its start of a theme that nobody has."""
    if not settings.theme:
        return []
    from textual.theme import BUILTIN_THEMES  # not needed where none is named

    from .theme_files import ThemeFiles
    from .themes import starting_theme

    names = {*BUILTIN_THEMES, *ThemeFiles(themes_dir(), user_themes_dir()).themes}
    _, problem = starting_theme(settings.theme, names, no_color="NO_COLOR" in os.environ)
    return [f"{settings_path()}: {problem}"] if problem else []


def _hanging(head: str, text: str) -> list[str]:
    """The text behind the head, in as many lines as it takes."""
    rows = wrapped(text, max(_NARROWEST, width_of_output() - len(head)))
    return [(" " * len(head) if number else head) + row for number, row in enumerate(rows)]


def _complain(problems: Iterable[str]) -> int:
    told = [f"tur-tui: {visible(each, newlines=False)}" for each in problems]
    print(*told, sep="\n", end="\n" if told else "", file=sys.stderr)
    return WRONG if told else 0
