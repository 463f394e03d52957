"""Waits for changes of rule files, as the system tells of them; what it does not tell of is not looked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from .agents import is_rule_file
from .discovery import Found

if TYPE_CHECKING:
    from watchfiles import Change

MOST_FOLDERS = 2000
"""Folders that are watched, those with rule files and the upper ones first: the system's list is not endless."""
REST = 200
"""Milliseconds without a further change after which a look is taken ..."""
AT_LEAST = 1500
"""... and those after which it is taken all the same."""
BEAT = 1000
"""Milliseconds after which a silent wait comes round."""


def folders_of(found: Found) -> tuple[Path, ...]:
    """Return the folders whose changes can matter: those of the repository's files, and git's own for the branch."""
    of_rules = {PurePosixPath(name).parent for name in (*found.rules, *found.aliases)}
    every = {folder for name in found.files for folder in PurePosixPath(name).parents} | of_rules
    ranked = sorted(every, key=lambda each: (each not in of_rules, len(each.parts), str(each)))[:MOST_FOLDERS]
    places = [found.root, found.root / ".git", *(found.root / folder for folder in ranked)]
    return tuple(dict.fromkeys(place for place in places if place.is_dir()))


def matters(found: Found, path: str) -> bool:
    """Tell whether a change of this path can be one of rules, of the branch, or of a folder with rules in it."""
    name = os.path.relpath(path, found.root).replace(os.sep, "/")
    if name.startswith(".git/"):
        return name == ".git/HEAD"
    if name in found.rules or name in found.aliases or is_rule_file(name):
        return True
    return os.path.isdir(path) or any(rule.startswith(f"{name}/") for rule in found.rules)


def beats(found: Found, stop: threading.Event) -> Iterator[bool]:
    """Yield True when something that matters changed, False now and then; ends where `stop` is set.

    The folders are those of `found`: whoever looks again and finds others begins anew. Raises OSError where the system
    has no room for so many folders, and none for the few with rules either.
    """
    for places, polled in ((folders_of(found), None), (_few(found), True)):
        try:
            yield from _wait(found, places, stop, polled=polled)
            return
        except (OSError, RuntimeError) as error:  # watchfiles has an error of its own for a full list
            if polled:
                raise OSError(f"changes of files cannot be watched here ({error})") from None


def _few(found: Found) -> tuple[Path, ...]:
    names: Iterable[str] = (*found.rules, "x")
    return tuple(dict.fromkeys(place for name in names if (place := (found.root / name).parent).is_dir()))


def _wait(found: Found, places: tuple[Path, ...], stop: threading.Event, *, polled: bool | None) -> Iterator[bool]:
    from watchfiles import watch

    def wanted(change: Change, path: str) -> bool:
        return matters(found, path)

    for changes in watch(
        *places,
        watch_filter=wanted,
        stop_event=stop,
        step=REST,
        debounce=AT_LEAST,
        rust_timeout=BEAT,
        yield_on_timeout=True,
        recursive=False,
        force_polling=polled,
        ignore_permission_denied=True,
    ):
        yield bool(changes)
