"""Rule files for `tur import`: CLAUDE.md, AGENTS.md and their like, statement by statement."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadInput, TurError
from ..records import Draft, Refusal

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Author, LearnResult
    from ..sources.drafting import Book


def named_as_rules(source: str) -> bool:
    """Tell whether a path is one by which some agent finds its rules."""
    from ..sources.agents import is_rule_file
    from ..sources.drafting import top_of

    path = Path(os.path.abspath(source))  # without "..", as top_of() sees it
    return path.is_file() and is_rule_file(path.relative_to(top_of(path, None)).as_posix())


def rule_files(folder: str) -> list[str]:
    """Return the rule files below a folder, by their names from there."""
    from ..sources.agents import is_rule_file
    from ..sources.discovery import listing
    from ..sources.drafting import top_of

    path = Path(os.path.abspath(folder))
    top = top_of(path, None)
    below = "" if path == top else f"{path.relative_to(top).as_posix()}/"
    return [name.removeprefix(below) for name in listing(top) if name.startswith(below) and is_rule_file(name)]


def books(sources: list[str], store: Path) -> dict[str, Book]:
    """Return what the sources say, before anything is learned. Raises BadInput."""
    from ..sources import drafting

    if "-" in sources:
        raise BadInput("rules from standard input have no file that says where they hold; name a file")
    named = list(dict.fromkeys(sources))
    return dict(zip(named, drafting.books([Path(source) for source in named], store), strict=True))


class RuleReader:
    """Reads statements into drafts; one that cannot be a memory becomes a refusal."""

    def __init__(self, author: Author, book: Book, engine: Engine) -> None:
        from ..sources.drafting import Desk

        self.numbers: list[int] = []
        self.rendered = 0
        """Lines of a block that `tur render` keeps, and that this ledger says already."""
        self._book = book
        self._engine = engine
        self._desk = Desk(author, book.top, engine.root)
        self._file = ""

    @property
    def place(self) -> tuple[str, int]:
        """File and line of the statement that was read last."""
        return self._file, self.numbers[-1]

    def read(self, lines: object = None) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal a statement, in the order of the files."""
        from ..sources.rendering import key

        for rules in self._book.rules:
            self._file = rules.file
            for statement in rules.statements:
                if statement.rendered and key(statement.text) in self._known:
                    self.rendered += 1
                    continue
                self.numbers.append(statement.line)
                try:
                    yield self._desk.draft(statement)
                except TurError as error:
                    yield Refusal(line=len(self.numbers), reason=str(error))

    @functools.cached_property
    def _known(self) -> frozenset[str]:
        """Keys of all that holds before the import."""
        from ..sources.rendering import key

        return frozenset(key(b.memory.content) for b in self._engine.live() if not b.memory.redacted)

    def became(self, line: int, result: LearnResult) -> None:
        """Nothing in a rule file names another statement."""
