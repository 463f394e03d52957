"""One rendering of what is in force into one file: what its block is to say, and what a hand has put there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..place import Place
from ..records import ContextItem, Draft, Scope, Status, WorkingContext
from .agents import AGENTS
from .block import Block, find, placed, refuse_open_end
from .deeper import Deeper, Left, lefts
from .discovery import discover
from .drafting import Desk
from .front import front_of
from .pages import PageFile
from .rendering import Page, Said, key, page, read_back
from .statements import Statement, scope_of

if TYPE_CHECKING:
    from ..engine import Engine

_WHOLE = 10**9
"""Tokens: no budget."""
_PAGE = 500
_KNOWN = (Status.ACTIVE, Status.SUSPECT, Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)


class Edit(NamedTuple):
    """A line of a block that no memory says."""

    said: Said
    draft: Draft


class Rendition:
    """A file, the folder and branch it speaks for, and what a store has to say there."""

    def __init__(self, engine: Engine, file: PageFile, top: Path) -> None:
        """Raises BadInput where the file's block is not whole, or the file lies outside of the store's folder."""
        self._engine = engine
        self.file = file
        self.top = top
        self._desk = Desk(engine.actor, top, engine.root)
        self.block: Block | None = find(file.text, file.name)
        if self.block is None:
            refuse_open_end(file.text, file.name)
        front, _, _ = front_of(file.text.replace("\r\n", "\n").removeprefix("\ufeff"))
        self._scope = scope_of(file.name, front)
        """As seen from the top of the work tree, as all that the block says."""
        self._branch = Place.of(None, file.path.parent).branch
        self.more = False
        """True where more holds than is looked at."""

    @property
    def edited(self) -> bool:
        """True where a hand has been in the block."""
        return self.block is not None and self.block.edited

    def page(self) -> Page:
        """Return what the block is to say now."""
        found = self._in_force()
        self.more = found.more
        deeper = Deeper(self.top, self.file.name, self._scope)
        return page(found, self._scope.path, self._branch, self._said_by_hand(), deeper.file_for)

    def left(self, page: Page) -> tuple[Left, ...]:
        """Return what the page leaves to files of the same name in deeper folders."""
        return lefts(self.top, page.left)

    def text(self, lines: list[str]) -> str:
        """Return the whole file with these lines in its block."""
        return placed(self.file.text, self.block, lines)

    def edits(self) -> list[Edit]:
        """Return the lines of the block that are no memory's, as drafts."""
        if self.block is None:
            return []
        found = self._in_force()
        known = {key(item.belief.memory.content) for item in (*found.invariants, *found.memories)}
        unknown = {key(said.text): said for said in read_back(self.block) if key(said.text) not in known}
        if unknown:
            for text in self._ever_known(unknown):
                unknown.pop(text, None)
        return [Edit(said, self._draft(said)) for said in unknown.values()]

    def _in_force(self) -> WorkingContext:
        here = self._desk.scope(self._scope) or Scope()
        found = self._engine.context(path=here.path, branch=self._branch, budget=_WHOLE)
        seen = {name: tuple(map(self._seen, getattr(found, name))) for name in ("invariants", "memories")}
        return found.model_copy(update=seen)

    def _seen(self, item: ContextItem) -> ContextItem:
        """Return what a store says as the work tree would write it."""
        memory = item.belief.memory
        scope = self._desk.in_tree(memory.scope, None if item.store is None else Path(item.store))
        belief = item.belief.model_copy(update={"memory": memory.model_copy(update={"scope": scope})})
        return item.model_copy(update={"belief": belief})

    def _said_by_hand(self) -> frozenset[str]:
        """Return the keys of what the file says above and below its block, and of what it has its readers import."""
        if self.file.raw is None:
            return frozenset()
        found = discover(self.top, [self.file.path])
        follows = any(agent.imports and agent.reads(self.file.name) for agent in AGENTS)
        files = found.rules if follows else {self.file.name} & found.rules.keys()
        return frozenset(key(each.text) for name in files for each in found.rules[name].statements if not each.rendered)

    def _ever_known(self, wanted: Collection[str]) -> Iterator[str]:
        """Yield the keys among these that a memory says, or said before it fell: such a line is an older rendering."""
        after = 0
        while beliefs := self._engine.memories(status=_KNOWN, limit=_PAGE, after=after):
            for belief in beliefs:
                if not belief.memory.redacted and (text := key(belief.memory.content)) in wanted:
                    yield text
            after = beliefs[-1].memory.seq

    def _draft(self, said: Said) -> Draft:
        scope = Scope(path=said.path or self._scope.path, branch=said.branch)
        return self._desk.draft(Statement(self.file.name, said.line, said.text, said.topic, scope, said.globs))
