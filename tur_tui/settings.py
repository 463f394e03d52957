"""The person's own settings: `config.toml` in the platform's config folder."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path

from platformdirs import user_config_path

LONGEST_UNLOCKED = 60
"""Minutes that a reviewer's key may stay unlocked while nobody is there."""


@dataclass(frozen=True)
class Settings:
    """What `config.toml` may say."""

    theme: str | None = None
    """Name of the theme to start with; without it the terminal decides (see `themes.starting_theme`)."""
    auto_lock_minutes: float = 5.0
    """Minutes without a key press after which a reviewer's unlocked key is locked again."""


class SettingsError(ValueError):
    """The file cannot be used; the message names it, the key and what to do."""


def settings_path() -> Path:
    """The file; it need not exist."""
    return user_config_path("tur-tui", appauthor=False) / "config.toml"


def read_settings(path: Path) -> Settings:
    """The settings in the file, defaults where there is none. Raises SettingsError with one sentence."""
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.") from None
    known = [field.name for field in fields(Settings)]
    for key, value in data.items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f' (did you mean "{near[0]}"?)' if near else f"; known: {', '.join(known)}"
            raise SettingsError(f"{path}: unknown setting {key!r}{hint}.")
        if problem := _wrong(key, value):
            raise SettingsError(f"{path}: {key} {problem}.")
    return replace(Settings(), **data)


def _wrong(key: str, value: object) -> str:
    """What is wrong with a value; "" where nothing is."""
    if key != "auto_lock_minutes":
        return "" if isinstance(value, str) else "must be text in quotes"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if number and 0 < value <= LONGEST_UNLOCKED else f"must be a number above 0, {LONGEST_UNLOCKED} at most"  # type: ignore[operator]


def keep_theme(path: Path, name: str) -> None:
    """Set the theme in the file, leaving every other line as it is. Raises OSError; the old file then stands."""
    line = f'theme = "{name}"'
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        text = ""
    # Only above the first table: below it the key would belong to that table.
    top, bracket, tables = re.match(r"(?s)(.*?)(^\[|\Z)(.*)\Z", text, re.M).groups()  # type: ignore[union-attr]
    top, found = re.subn(r"(?m)^[ \t]*theme[ \t]*=.*$", line, top, count=1)
    if not found:
        top = f"{top.rstrip()}\n{line}\n".lstrip() + ("\n" if bracket else "")
    _write(path, top + bracket + tables)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=".config-", suffix=".toml")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(made, path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise
