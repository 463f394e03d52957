"""The theme files, shipped and a person's own, which are read anew as they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from textual.theme import Theme

from .themes import ThemeFileError, load_theme, load_themes

_Stamps = Mapping[Path, tuple[int, int]]


@dataclass(frozen=True)
class News:
    """What became of the files since they were read last."""

    changed: frozenset[str]
    """Names of themes that are new or look otherwise now."""
    problems: tuple[str, ...]
    """A sentence for each file that cannot be used; its last good theme stays."""


class ThemeFiles:
    """A theme of one's own takes the place of a shipped one of the same name."""

    def __init__(self, shipped: Path, own: Path) -> None:
        themes, problems = load_themes([shipped])
        self._shipped = {each.name: each for each in themes}
        self._folder = own
        self._own: dict[Path, Theme] = {}
        self._stamps: _Stamps = {}
        self._unlisted = ""
        self._seen = self._look()
        self.problems = [*problems, *self._read()]
        """What was wrong at the start."""

    @property
    def themes(self) -> dict[str, Theme]:
        """Every theme by name, the shipped ones first."""
        return {**self._shipped, **{each.name: each for _, each in sorted(self._own.items())}}

    def look(self) -> News | None:
        """What changed, once the folder is at rest (an editor may be in the middle of writing); None for nothing."""
        before, self._seen = self._seen, self._look()
        if self._seen != before or self._seen == self._stamps:
            return None
        known = self.themes
        problems = self._read()
        now = self.themes
        return News(frozenset(name for name in now if known.get(name) != now[name]), tuple(problems))

    def _read(self) -> list[str]:
        """Read the files that changed; a sentence for each that cannot be used."""
        problems = [self._unlisted] if self._unlisted else []
        for path in [*self._own]:
            if path not in self._seen:
                del self._own[path]
        for path, stamp in self._seen.items():
            if self._stamps.get(path) == stamp:
                continue
            try:
                self._own[path] = load_theme(path)
            except ThemeFileError as error:
                problems.append(str(error))
        self._stamps = self._seen
        return problems

    def _look(self) -> _Stamps:
        stamps: dict[Path, tuple[int, int]] = {}
        self._unlisted = ""
        try:
            paths = sorted(each for each in self._folder.iterdir() if each.suffix == ".toml")
        except FileNotFoundError:
            return stamps
        except OSError as error:
            self._unlisted = f"{self._folder}: cannot be listed ({error.strerror})."
            return stamps
        for path in paths:
            try:
                found = path.stat()
            except OSError:
                continue
            stamps[path] = (found.st_mtime_ns, found.st_size)
        return stamps
