"""Statements of rule files as drafts for the gate: what a scan cuts, with the place it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import BadInput
from ..gate.inherited import seen_from as scope_from
from ..place import Place, counts_as, seen_from
from ..records import Author, Draft, Scope
from ..whereabouts import FOLDER
from .agents import is_rule_file
from .discovery import Found, discover
from .statements import RuleText, Statement

_LONGEST_GLOBS = 1000


@dataclass
class Book:
    """The rule files that one path leads to: itself and what it imports, or those of a folder."""

    top: Path
    """What the names of the files are relative to."""
    rules: list[RuleText] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """One sentence on each thing that was left out."""


def top_of(path: Path, store: Path | None) -> Path:
    """Return what a rule file is named from: the top of its work tree, else the store's folder above, else its own."""
    folder = Path(os.path.abspath(path if path.is_dir() else path.parent))
    tree = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    if tree is not None:
        return tree
    return store if store is not None and folder.is_relative_to(store) else folder


def books(paths: Sequence[Path], store: Path | None) -> list[Book]:
    """Return a book for each path; a file that several lead to stands in the first one. `store`: a store's folder.

    Raises BadInput where a path is no rule file that can be read.
    """
    seen: set[Path] = set()
    made = []
    for path in paths:
        top = top_of(path, store)
        found = discover(top, [path])
        name = os.path.relpath(os.path.abspath(path), found.root).replace(os.sep, "/")
        if path.is_dir():
            if not found.rules:
                raise BadInput(f"{path} holds no rule file (CLAUDE.md, AGENTS.md, .cursor/rules and their like)")
        elif found.aliases.get(name, name) not in found.rules:
            why = found.problems[0] if found.problems else f"{path} cannot be read"
            raise BadInput(why.removesuffix("; it was left out"))
        book = Book(top, problems=list(found.problems))
        for each in sorted(found.rules, key=lambda file: (file != name, file.count("/"), file)):
            if (top / each) not in seen:
                seen.add(top / each)
                book.rules.append(_as_read(found, each, name))
        made.append(book)
    return made


def _as_read(found: Found, name: str, named: str) -> RuleText:
    """Return a file's statements; one that no agent finds by its name holds where the file that imports it does."""
    rules, outer, seen = found.rules[name], name, {name}
    while outer != named and not is_rule_file(outer):
        outer = next((file for file, imported in found.imports.items() if outer in imported), named)
        if outer in seen:
            break
        seen.add(outer)
    if outer == name or not found.rules[outer].statements:
        return rules
    first = found.rules[outer].statements[0]
    where = [each._replace(scope=first.scope, globs=first.globs) for each in rules.statements]
    return rules._replace(statements=tuple(where))


class Desk:
    """Makes drafts of what the files of one work tree say."""

    def __init__(self, author: Author, top: Path, store: Path) -> None:
        self._author = author
        self._top = top
        self._store = store
        self._shared = counts_as(top, store)
        self._known = Place.of(None, top).provenance

    def scope(self, scope: Scope) -> Scope | None:
        """Return a scope of the work tree as the store writes it; None where it lies outside of the store's folder."""
        return scope_from(scope, self._shared, self._store)

    def in_tree(self, scope: Scope, store: Path | None = None) -> Scope:
        """Return a scope of the store (or of another one, by its file) as the work tree writes it."""
        root = self._store if store is None else store.parent.parent if store.parent.name == FOLDER else store.parent
        return scope_from(scope, root, self._shared) or scope

    def draft(self, statement: Statement) -> Draft:
        """Return a statement as a draft. Raises BadInput where it holds outside of the store's folder only."""
        scope = self.scope(statement.scope)
        if scope is None:
            raise BadInput(f"it holds for {statement.scope.path}, outside of the store's folder {self._store}")
        place = {"imported_from": f"{statement.file}:{statement.line}", "line": str(statement.line)}
        if globs := _listed(statement.globs):
            place["globs"] = globs
        return Draft(
            content=statement.text,
            topic=statement.subject or None,
            scope=scope,
            author=self._author,
            provenance=self._known | {"file": self._file(statement.file)} | place,
        )

    def _file(self, name: str) -> str:
        """Return a file's name as seen from the store's folder, where it lies in there."""
        return seen_from(self._store, self._top / name) or name


def _listed(globs: Iterable[str]) -> str:
    told = ""
    for glob in globs:
        longer = f"{told}, {glob}" if told else glob
        if len(longer) > _LONGEST_GLOBS:
            break
        told = longer
    return told
