"""A file that `tur render` may write a block into: read as it is, replaced whole or left as it was."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from .. import replacing
from ..errors import BadInput, NotAllowed, StoreError
from .agents import is_rule_file
from .encoded import fault_in
from .statements import LARGEST

_ENDINGS = (".md", ".mdc", ".markdown", ".txt")
_NEVER = frozenset({".git", ".hg", ".svn", ".tur"})


class PageFile(NamedTuple):
    """One file, or the place for a new one."""

    path: Path
    name: str
    """As seen from the top, POSIX."""
    raw: bytes | None
    """None where there is no such file yet."""
    mode: int

    @property
    def text(self) -> str:
        """What it holds, with its own line ends and its BOM."""
        return "" if self.raw is None else self.raw.decode("utf-8")


def page_at(path: Path, top: Path) -> PageFile:
    """Return the file that a path names, below `top`. Raises BadInput, NotAllowed with one sentence."""
    written, top, path = path, Path(os.path.abspath(top)), Path(os.path.abspath(path))
    if path.is_dir() and (path == top or path.is_relative_to(top)):
        raise BadInput(f"{written} is a folder; name a file in it, a rule file such as CLAUDE.md")
    if not path.is_relative_to(top) or path == top:
        raise BadInput(f"{path} lies outside of {top}; name a file in there")
    name = path.relative_to(top).as_posix()
    _refuse_links(path, top, name)
    if _NEVER & set(path.relative_to(top).parts):
        raise BadInput(f"{name} is no place for rules; name a rule file such as CLAUDE.md")
    if not is_rule_file(name) and path.suffix.lower() not in _ENDINGS:
        raise BadInput(f"{name} is neither a rule file nor Markdown; name one such as CLAUDE.md or AGENTS.md")
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BadInput(
                f"{name} is {'a folder' if path.is_dir() else 'no file'}; name a rule file such as CLAUDE.md"
            )
        if about.st_size > LARGEST:
            raise BadInput(f"{name} is larger than 1 MB, which no agent reads; name another file")
        raw = path.read_bytes()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise BadInput(f"there is no folder {path.parent}; make it first") from None
        return PageFile(path, name, None, replacing.usual_mode())
    except OSError as error:
        raise BadInput(f"{name} cannot be read ({error.strerror or error})") from None
    _refuse_what_is_no_text(raw, name)
    return PageFile(path, name, raw, stat.S_IMODE(about.st_mode))


def _refuse_links(path: Path, top: Path, name: str) -> None:
    try:
        real, inside = path.resolve(), top.resolve()
    except (OSError, RuntimeError):
        raise BadInput(f"{name} is a link that leads in a circle; name the file itself") from None
    if not real.is_relative_to(inside):
        raise BadInput(f"{name} leads out of the repository, to {real}; name a file in it")
    if real != inside / path.relative_to(top):
        raise BadInput(f"{name} is a link to {real.relative_to(inside).as_posix()}; name that file")


def _refuse_what_is_no_text(raw: bytes, name: str) -> None:
    if fault := fault_in(raw):
        raise BadInput(f"{name} {fault}; a block cannot be put there")


def replace(page: PageFile, text: str) -> None:
    """Write the whole file anew, mode kept. Raises NotAllowed, StoreError; the file is as it was then."""
    if page.raw is not None and not page.mode & 0o222:
        raise NotAllowed(f"{page.name} is read-only; make it writable (chmod u+w) to have its block kept")
    if _now(page.path) != page.raw:
        raise NotAllowed(f"{page.name} was changed by somebody else meanwhile; nothing was written, try again")
    try:
        replacing.replace(page.path, text.encode("utf-8"))
    except OSError as error:
        raise StoreError(f"{page.name} cannot be written ({error.strerror or error}); it is as it was") from None


def _now(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
