"""The person's own settings: `config.toml` in the platform's config folder."""

from __future__ import annotations

import errno
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from tur_engine import at_home

from .plain_files import read_file, replace_file

LONGEST_UNLOCKED = 60
"""Minutes that a reviewer's key may stay unlocked while nobody is there."""
LONGEST_TOAST = 60
"""Seconds."""


def _told(default: object, sentence: str) -> Any:
    """A field with the sentence that `tur-tui settings` and docs/settings.md have for it."""
    made = {"default_factory": dict} if isinstance(default, dict) else {"default": default}
    return field(metadata={"sentence": sentence}, **made)


@dataclass(frozen=True)
class Settings:
    """What `config.toml` may say."""

    theme: str | None = _told(None, "The theme to start with; t keeps the one it takes here.")
    auto_lock_minutes: float = _told(
        5.0,
        f"Minutes without a key press after which a reviewer's unlocked key locks itself; {LONGEST_UNLOCKED} at most.",
    )
    bell: bool = _told(False, "Ring the terminal's bell when a conflict opens while the workbench runs.")
    toast_seconds: float = _told(
        5.0,
        f"Seconds that an ordinary notification stays; longer ones stay longer in proportion; {LONGEST_TOAST} at most.",
    )
    radius: int = _told(1, "Steps of the neighbourhood, 1 to 3, where no session says otherwise.")
    restore: bool = _told(True, "Begin where the last sitting on this store ended: screen, panes, filters, position.")
    editor: str = _told("", 'The command behind o, such as "code --wait"; without it $VISUAL, then $EDITOR.')
    keys: Mapping[str, object] = _told({}, "Keys of your own, a table: [keys], then action ids and keys.")
    given: frozenset[str] = frozenset()
    """The settings that the file names."""

    @classmethod
    def told(cls) -> dict[str, str]:
        """Each setting a file may name, with its sentence."""
        return {each.name: each.metadata["sentence"] for each in fields(cls) if each.metadata}


class SettingsError(ValueError):
    """The file cannot be used; the message names it, the key and what to do."""


def settings_path() -> Path:
    """The file; it need not exist. Raises NoHome."""
    return at_home(lambda: user_config_path("tur-tui", appauthor=False)) / "config.toml"


def read_settings(path: Path) -> Settings:
    """The settings in the file, defaults where there is none. Raises SettingsError with one sentence."""
    try:
        data = tomllib.loads(read_file(path).decode("utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8 text.") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.") from None
    except RecursionError:
        raise SettingsError(f"{path} is nested too deeply.") from None
    known = list(Settings.told())
    for key, value in data.items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f' (did you mean "{near[0]}"?)' if near else f"; known: {', '.join(known)}"
            raise SettingsError(f"{path}: unknown setting {key!r}{hint}.")
        if problem := _wrong(key, value):
            raise SettingsError(f"{path}: {key} {problem}.")
    return replace(Settings(), **data, given=frozenset(data))


def _wrong(key: str, value: object) -> str:
    """What is wrong with a value; "" where nothing is."""
    if key in _MOST:
        most = _MOST[key]
        return "" if _number(value) and 0 < value <= most else f"must be a number above 0, {most} at most"  # type: ignore[operator]
    if key == "radius":
        return "" if value in (1, 2, 3) and _number(value) else "must be 1, 2 or 3"
    if key in ("bell", "restore"):
        return "" if isinstance(value, bool) else "must be true or false"
    if key == "keys":
        return "" if isinstance(value, dict) else "must be a table, [keys]"
    return "" if isinstance(value, str) else "must be text in quotes"


_MOST = {"auto_lock_minutes": LONGEST_UNLOCKED, "toast_seconds": LONGEST_TOAST}


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def keep_theme(path: Path, name: str) -> None:
    """Set the theme in the file, leaving every other line as it is. Raises OSError; the old file then stands."""
    line = f'theme = "{name}"'
    try:
        text = read_file(path).decode("utf-8")
    except FileNotFoundError:
        text = ""
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text") from None
    # Only above the first table: below it the key would belong to that table.
    top, bracket, tables = re.match(r"(?s)(.*?)(^\[|\Z)(.*)\Z", text, re.M).groups()  # type: ignore[union-attr]
    top, found = re.subn(r"(?m)^[ \t]*theme[ \t]*=.*$", line, top, count=1)
    if not found:
        top = f"{top.rstrip()}\n{line}\n".lstrip() + ("\n" if bracket else "")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, top + bracket + tables)
