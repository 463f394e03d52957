"""One statement of a rule file, and how a file becomes statements."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..errors import BadInput
from ..records import Scope
from ..text import accept, excerpt
from .block import parted
from .encoded import fault_in
from .front import Front, front_of
from .layout import Left
from .markdown import Piece, cut
from .rendering import read_back

LARGEST = 1024 * 1024
"""Bytes above which a file is no rule file: no agent takes in so much."""


class Statement(NamedTuple):
    """What one rule says, and where it stands."""

    file: str
    """Relative to the scanned root, POSIX; the path as it was given where there is none."""
    line: int
    """Counted from 1."""
    text: str
    subject: str = ""
    """The headings above it, outermost first, joined by ` > `."""
    scope: Scope = Scope()
    """Where it holds: the folder of its file, or the folder that all its globs lie in."""
    globs: tuple[str, ...] = ()
    """Patterns that its file says it holds for, as seen from the root; none: everything in the scope."""
    kind: str = "rule"
    """`rule`, `command` (a label and its command) or `cell` (of a table)."""
    key: str = ""
    """A command's label, a row's first cell: what the statement is about."""
    rendered: bool = False
    """True for a line of the block that `tur render` keeps: the ledger says it, no hand wrote it there."""


class RuleText(NamedTuple):
    """A rule file that was read."""

    file: str
    front: Front
    statements: tuple[Statement, ...]
    refused: tuple[str, ...] = ()
    """A sentence on each statement that could not be taken in."""
    text: str = ""


def statements_of(path: Path, root: Path | None = None) -> list[Statement]:
    """Return the statements of one rule file, in order. Raises BadInput: unreadable, binary, too large, no text.

    `root` is what paths and scopes are seen from; without it the file's own folder.
    """
    return list(read_rules(path, root or path.parent).statements)


def read_rules(path: Path, root: Path, name: str | None = None) -> RuleText:
    """Read a rule file below `root`; `name` is its path from there. Raises BadInput with one sentence."""
    name = name or _name(path, root)
    text = text_of(path, name)
    by_hand, block, fault = parted(text, name)
    front, body_line, body = front_of(by_hand)
    scope = scope_of(name, front)
    folder = folder_of(name)
    globs = tuple(glob if folder is None else f"{folder}/{glob}" for glob in front.globs)
    statements: list[Statement] = []
    refused: list[str] = [f"{fault}; it was read as written by hand"] if fault else []
    left: Left = []
    pieces = cut(body, left)
    refused += [f"{name}:{line + body_line}: {why}; it was left out" for line, why in left]
    for piece in pieces:
        statement, fault = _statement(name, piece, body_line, scope, globs)
        if statement is not None:
            statements.append(statement)
        else:
            refused.append(fault)
    for said in read_back(block) if block is not None else ():
        where = Scope(path=said.path or scope.path, branch=said.branch)
        piece = Piece(said.line - body_line, said.text, said.topic)
        statement, fault = _statement(name, piece, body_line, where, said.globs or globs, rendered=True)
        if statement is not None:
            statements.append(statement)
        else:
            refused.append(fault)
    statements.sort(key=lambda statement: statement.line)
    return RuleText(name, front, tuple(statements), tuple(refused), text)


def _statement(
    name: str, piece: Piece, body_line: int, scope: Scope, globs: tuple[str, ...], *, rendered: bool = False
) -> tuple[Statement | None, str]:
    line = piece.line + body_line
    try:
        text = accept(piece.text, "the statement")
    except BadInput as fault:
        return None, f"{name}:{line}: {fault}; it was left out"
    subject = excerpt(piece.subject, 200)
    return Statement(name, line, text, subject, scope, globs, piece.kind, piece.key, rendered), ""


def text_of(path: Path, name: str) -> str:
    """Return what a file holds, LF line ends, no BOM. Raises BadInput with one sentence."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BadInput(f"{name} is no file that can be read as rules; it was left out")
        if about.st_size > LARGEST:
            size = about.st_size / LARGEST
            raise BadInput(f"{name} is too large for a rule file ({size:,.1f} MB, at most 1 is read); it was left out")
        raw = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{name} cannot be read ({error.strerror or error}); it was left out") from None
    if fault := fault_in(raw):
        raise BadInput(f"{name} {fault}; it was left out")
    return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _name(path: Path, root: Path) -> str:
    try:
        return Path(os.path.abspath(path)).relative_to(os.path.abspath(root)).as_posix()
    except ValueError:
        return path.as_posix()


_HOUSES = (".cursor", ".github", ".claude", ".windsurf", ".clinerules", ".gemini")


def folder_of(name: str) -> str | None:
    """Return the folder that a file speaks for: its own, or the one that its dot folder lies in; None at the root."""
    parts = PurePosixPath(name).parent.parts
    for at, part in enumerate(parts):
        if part in _HOUSES:
            parts = parts[:at]
            break
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
        return None
    return "/".join(parts)


def scope_of(name: str, front: Front) -> Scope:
    """Return where the rules of a file hold: its folder, and below it the one that all its globs lie in."""
    whole = "/".join(part for part in (folder_of(name), front.folder) if part)
    try:
        return Scope(path=whole or None)
    except BadInput:  # a folder's name that no scope can carry
        return Scope()
