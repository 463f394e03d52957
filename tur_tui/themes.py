"""Theme files: read, checked before Textual sees them, and one sentence for each that cannot be used.

Textual takes a bad colour without a word and fails much later elsewhere, so every value is parsed here.
"""

from __future__ import annotations

import re
import reprlib
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

OWN_VARIABLES: Final = (
    "conflict",
    "settled",
    "suspect",
    "invariant",
    "feed-dim",
    "graph-edge",
    "diff-added",
    "diff-added-background",
    "diff-removed",
    "diff-removed-background",
    "diff-word",
)
"""What the workbench adds to Textual's variables; docs/themes.md says what each one paints."""

_SWITCHES: Final = frozenset({"dark", "ansi"})
_FRACTIONS: Final = frozenset({"luminosity_spread", "text_alpha"})
_FIELDS: Final = frozenset(field.name for field in fields(Theme))
_COLOURS: Final = _FIELDS - _SWITCHES - _FRACTIONS - {"name", "variables"}
_STYLE_WORDS: Final = frozenset(("bold", "dim", "italic", "none", "not", "overline", "reverse", "strike", "underline"))
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_WITH_PERCENT: Final = re.compile(r"(?P<colour>\S.*?)\s+(?:100|\d?\d)(?:\.\d+)?%")
_LARGEST: Final = 64 * 1024
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = 60


class ThemeFileError(ValueError):
    """A theme file cannot be used; the message names the file, the key and what to do."""


def load_theme(path: Path) -> Theme:
    """The theme in one TOML file; raises `ThemeFileError` with one sentence."""
    try:
        return _theme(_read(path), default_name=path.stem)
    except ThemeFileError as error:
        raise ThemeFileError(f"{path}: {error}") from None


def load_themes(directories: Iterable[Path]) -> tuple[list[Theme], list[str]]:
    """Every theme in the directories, and a sentence for each file that is none.

    A directory that does not exist is empty. A theme replaces one of the same name from an earlier directory.
    """
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for directory in directories:
        try:
            paths = sorted(path for path in directory.iterdir() if path.suffix == ".toml")
        except FileNotFoundError:
            continue
        except OSError as error:
            problems.append(f"{directory}: cannot be listed ({error.strerror}).")
            continue
        for path in paths:
            try:
                theme = load_theme(path)
            except ThemeFileError as error:
                problems.append(str(error))
            else:
                themes[theme.name] = theme
    return list(themes.values()), problems


def starting_theme(
    asked: str | None, available: Collection[str], *, no_color: bool = False, wishes: str = ""
) -> tuple[str, str | None]:
    """The theme to start with, and a sentence when the one asked for does not exist.

    `asked` is the person's own setting. Without one the first name of `wishes` (the list in TEXTUAL_THEME)
    that exists is taken, else tur-mono where NO_COLOR is set, else tur-dark.
    """
    fallback = "tur-mono" if no_color else "tur-dark"
    if asked and asked not in available:
        return (
            fallback,
            f"There is no theme {_SHORT.repr(asked)}{_nearest(asked, available)}; {fallback} is used.",
        )
    named = (name.strip() for name in wishes.split(","))
    return asked or next((name for name in named if name in available), fallback), None


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Values of `OWN_VARIABLES` for a theme that does not set them, made of the colours it has."""
    made = theme.to_color_system().generate()
    if theme.ansi:
        # An alpha is dropped in ANSI mode and would turn a tint into a solid bar.
        dim, edge = "ansi_default", "ansi_default"
        added_background = removed_background = "ansi_default"
    else:
        background, foreground = Color.parse(made["background"]), Color.parse(made["foreground"])
        dim = background.blend(foreground, 0.7, alpha=1.0).hex
        edge = background.blend(foreground, 0.55, alpha=1.0).hex
        added_background = background.blend(Color.parse(made["success"]), 0.2, alpha=1.0).hex
        removed_background = background.blend(Color.parse(made["error"]), 0.2, alpha=1.0).hex
    return {
        "conflict": made["text-error"],
        "settled": made["text-success"],
        "suspect": made["text-warning"],
        "invariant": made["text-accent"],
        "feed-dim": dim,
        "graph-edge": edge,
        "diff-added": made["text-success"],
        "diff-added-background": added_background,
        "diff-removed": made["text-error"],
        "diff-removed-background": removed_background,
        "diff-word": made["text-warning"],
    }


def _read(path: Path) -> dict[str, object]:
    try:
        if not path.is_file():
            raise ThemeFileError("is not a file.")
        if path.stat().st_size > _LARGEST:
            raise ThemeFileError(f"is larger than {_LARGEST // 1024} kB, so it is hardly a theme.")
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ThemeFileError(f"cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise ThemeFileError("is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise ThemeFileError(f"is not valid TOML: {error}.") from None
    except RecursionError:
        raise ThemeFileError("is nested too deeply for a theme.") from None


def _theme(data: Mapping[str, object], default_name: str) -> Theme:
    for key in data:
        if key not in _FIELDS:
            raise ThemeFileError(f"unknown key {_SHORT.repr(key)}{_nearest(key, _FIELDS)}.")
    name = data.get("name", default_name)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ThemeFileError(
            f"name is {_SHORT.repr(name)}; use up to 40 of a-z, 0-9, - and _, a letter or digit first."
        )
    if "primary" not in data:
        raise ThemeFileError("the key 'primary' is missing; it is the one colour that every theme must set.")
    dark, ansi = _switch(data, "dark", True), _switch(data, "ansi", False)
    colours = {key: _base_colour(key, data[key], ansi) for key in sorted(_COLOURS & data.keys())}
    return Theme(
        name=name,
        primary=colours.pop("primary"),
        dark=dark,
        ansi=ansi,
        luminosity_spread=_fraction(data, "luminosity_spread", 0.15),
        text_alpha=_fraction(data, "text_alpha", 0.95),
        variables=_variables(data.get("variables", {})),
        **colours,
    )


def _switch(data: Mapping[str, object], key: str, default: bool) -> bool:
    value = data.get(key, default)
    if not isinstance(value, bool):
        raise ThemeFileError(f"{key} is {_SHORT.repr(value)}; it must be true or false.")
    return value


def _fraction(data: Mapping[str, object], key: str, default: float) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ThemeFileError(f"{key} is {_SHORT.repr(value)}; it must be a number from 0 to 1.")
    return float(value)


def _base_colour(key: str, value: object, ansi: bool) -> str:
    if not isinstance(value, str):
        raise ThemeFileError(f'{key} is {_SHORT.repr(value)}; it must be a colour in quotes, such as "#4ebf71".')
    if _colour(key, value).ansi is not None and not ansi:
        raise ThemeFileError(f"{key} is {_SHORT.repr(value)}; the terminal's own colours need ansi = true.")
    return value


def _variables(table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        raise ThemeFileError(f"variables is {_SHORT.repr(table)}; it must be a table, [variables].")
    known = _known_variables()
    for name, value in table.items():
        if name not in known:
            raise ThemeFileError(f"unknown variable {_SHORT.repr(name)}{_nearest(name, known)}.")
        if not isinstance(value, str):
            raise ThemeFileError(f"variables.{name} is {_SHORT.repr(value)}; it must be text in quotes.")
        _check_variable(name, value)
    return table


def _check_variable(name: str, value: str) -> None:
    if "style" in name.split("-"):
        words = value.split()
        for word in words:
            if word not in _STYLE_WORDS:
                hint = _nearest(word, _STYLE_WORDS)
                raise ThemeFileError(f"variables.{name}: {_SHORT.repr(word)} is not a text style{hint}.")
        if not words:
            raise ThemeFileError(f'variables.{name} is empty; write "none" for no style.')
        return
    percent = _WITH_PERCENT.fullmatch(value)
    colour = percent["colour"] if percent else value
    paints_behind = "background" in name.split("-")
    if not paints_behind and (colour == "auto" or value == "initial"):
        return
    _colour(f"variables.{name}", colour)


def _colour(key: str, value: str) -> Color:
    try:
        return Color.parse(value)
    except ColorParseError as error:
        hint = f' (did you mean "{error.suggested_color}"?)' if error.suggested_color else ""
        raise ThemeFileError(f"{key} is {_SHORT.repr(value)}, which is not a colour{hint}.") from None


@cache
def _known_variables() -> frozenset[str]:
    names = set(OWN_VARIABLES)
    for builtin in (BUILTIN_THEMES["textual-dark"], BUILTIN_THEMES["ansi-dark"]):
        names |= builtin.to_color_system().generate().keys()
    return frozenset(names)


def _nearest(word: str, choices: Iterable[str]) -> str:
    close = get_close_matches(word, sorted(choices), n=1)
    return f' (did you mean "{close[0]}"?)' if close else ""
