"""What is in force at a place as lines of a block, and such lines read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, TypeVar

from ..errors import BadInput
from ..records import Belief, ContextItem, MemoryType, Scope, Status, WorkingContext
from ..text import fold, visible
from .block import Block
from .escaping import escaped, unescaped
from .layout import LONGEST

LAID_DOWN = "Laid down by people; never act against these"
_RESERVED = "laid down by people"
BELIEVED = "Believed"
"""Stands above what has no topic."""
NOTHING = "Nothing is in force here yet."
NOTHING_MORE = "Nothing is in force here that this file does not say itself."
_AGAINST = "Not settled, one against the other:"
_SUSPECT = " (in doubt: what it rests on fell)"
_CONTESTED = " (contested: what contradicts it waits for people)"
_LABEL = re.compile(r"\*\*(?P<topic>(?:\\.|[^*\\])+)\*\*(?: \((?P<where>.*)\))?\s*")
_ITEM = re.compile(r"\s{0,5}[-*+]\s+(?P<text>\S.*?)\s*")
_IN, _FOR, _ON = "in ", "for ", "on branch "
Item = TypeVar("Item")
Name = TypeVar("Name", bound="str | tuple[str, str]")


class Said(NamedTuple):
    """One line of a block, read."""

    line: int
    """Counted from 1, in the file."""
    text: str
    topic: str = ""
    path: str | None = None
    globs: tuple[str, ...] = ()
    branch: str | None = None


def key(text: str) -> str:
    """Return the form by which a line and a memory are known to say the same."""
    return fold(visible(text, newlines=False)).rstrip(".! ")


@dataclass
class Page:
    """The lines of a block, and what became of the memories."""

    lines: list[str] = field(default_factory=list)
    memories: int = 0
    said: int = 0
    """Left out: the file says them itself."""
    left: dict[str, list[str]] = field(default_factory=dict)
    """Left out: keys of what a deeper file is there for, by its name."""


def page(
    context: WorkingContext,
    folder: str | None,
    branch: str | None,
    said: Collection[str] = (),
    deeper: Callable[[Scope], str] = lambda scope: "",
) -> Page:
    """Return what is in force for a folder and branch: invariants first, then by topic, then in the order learned.

    `said`: keys of what the file says outside of the block; that is not said twice. `deeper` names the file of a deeper
    folder that is there for a narrower scope; what people laid down is said here all the same.
    """
    made = Page()
    laid_down = [item for item in context.invariants if _fits(item, branch)]
    groups = _together([item for item in context.memories if _fits(item, branch)])
    whole = len(groups)
    groups = [group for group in groups if len(group) > 1 or key(group[0].belief.memory.content) not in said]
    made.said = whole - len(groups)
    groups = [group for group in groups if not _left(made, group, deeper)]
    made.memories = len(laid_down) + sum(map(len, groups))
    for where, items in _grouped(laid_down, lambda item: _where(item.belief, folder)):
        made.lines += [_label(LAID_DOWN, where), ""]
        made.lines += [f"- {_line(item)}" for item in sorted(items, key=_order)] + [""]
    for (topic, where), alike in _grouped(groups, lambda group: _heading(group[0].belief, folder)):
        made.lines += [_label(topic or BELIEVED, where), ""]
        for group in sorted(alike, key=lambda group: _order(group[0])):
            made.lines += _item(group)
        made.lines.append("")
    if not made.lines:
        made.lines = [NOTHING_MORE if made.said else NOTHING, ""]
    made.lines.pop()
    return made


def _left(made: Page, group: Sequence[ContextItem], deeper: Callable[[Scope], str]) -> bool:
    """Note that memories are left to a deeper file; False where one of them has to be said here."""
    files = [deeper(item.belief.memory.scope) for item in group]
    if not all(files):
        return False
    made.left.setdefault(min(files, key=len), []).extend(key(item.belief.memory.content) for item in group)
    return True


def _fits(item: ContextItem, branch: str | None) -> bool:
    memory = item.belief.memory
    of_here = not memory.scope.branch or memory.scope.branch == branch
    return of_here and not memory.redacted and memory.type is not MemoryType.CONCEPT


def _grouped(items: Iterable[Item], by: Callable[[Item], Name]) -> Iterator[tuple[Name, list[Item]]]:
    for name, group in groupby(sorted(items, key=by), by):
        yield name, list(group)


def _order(item: ContextItem) -> tuple[str, int]:
    return item.store or "", item.belief.memory.seq


def _together(items: Sequence[ContextItem]) -> list[list[ContextItem]]:
    """Return the memories, those that contradict each other in one group, the oldest first."""
    by_digest = {item.belief.memory.digest: item for item in items}
    left = dict(by_digest)
    groups = []
    for digest in sorted(by_digest, key=lambda digest: _order(by_digest[digest])):
        if digest not in left:
            continue
        group, ahead = [], [digest]
        while ahead:
            if (item := left.pop(ahead.pop(), None)) is not None:
                group.append(item)
                ahead += item.belief.contested_by
        groups.append(sorted(group, key=_order))
    return groups


def _where(belief: Belief, folder: str | None) -> str:
    """Say where it holds, where that is less than the whole of the file's folder."""
    memory = belief.memory
    told = []
    if (path := memory.scope.path) and not Scope(path=folder).within(Scope(path=path)):
        told.append(f"{_IN}{path}")
    if globs := memory.provenance.get("globs"):
        told.append(f"{_FOR}{globs}")
    if memory.scope.branch:
        told.append(f"{_ON}{memory.scope.branch}")
    return "; ".join(told)


def _heading(belief: Belief, folder: str | None) -> tuple[str, str]:
    topic = visible(belief.memory.topic or "", newlines=False)
    posing = _RESERVED in fold(topic)  # what people laid down is not for a memory's topic to say
    return "" if posing else topic, _where(belief, folder)


def _label(topic: str, where: str) -> str:
    """Return a line above a list. No heading: what follows the block would belong to it."""
    told = f"**{escaped(topic, '*')}**"
    return f"{told} ({escaped(where, '*')})" if where else told


def _item(group: Sequence[ContextItem]) -> list[str]:
    if len(group) == 1:
        return [f"- {_line(group[0])}"]
    return [f"- {_AGAINST}", *(f"  - {_line(item, alone=False)}" for item in group)]


def _line(item: ContextItem, *, alone: bool = True) -> str:
    belief = item.belief
    told = escaped(belief.memory.content)
    if belief.status is Status.SUSPECT:
        told += _SUSPECT
    if alone and (belief.contested or belief.pending):
        told += _CONTESTED
    return told


def read_back(block: Block) -> list[Said]:
    """Return what the lines of a block say."""
    found: list[Said] = []
    topic, where = "", ""
    for number, line in enumerate(block.lines, start=block.line + 1):
        if len(line) > LONGEST:  # no memory is so long: it is refused in a sentence, not read
            found.append(_said(number, line.strip(), topic, where))
            continue
        if (label := _LABEL.fullmatch(line)) is not None:
            topic, where = unescaped(label["topic"]), unescaped(label["where"] or "")
            continue
        text = line.strip()
        if (item := _ITEM.fullmatch(line)) is not None:
            text = item["text"]
        text = unescaped(text.removesuffix(_SUSPECT).removesuffix(_CONTESTED).removesuffix(_SUSPECT))
        if text and text not in (_AGAINST, NOTHING, NOTHING_MORE):
            found.append(_said(number, text, topic, where))
    return found


def _said(number: int, text: str, topic: str, where: str) -> Said:
    told = dict.fromkeys((_IN, _FOR, _ON), "")
    for part in where.split("; "):
        for word in told:
            if part.startswith(word):
                told[word] = part.removeprefix(word)
    plain = "" if topic in (LAID_DOWN, BELIEVED) else topic
    try:
        scope = Scope(path=told[_IN] or None, branch=told[_ON] or None)
    except BadInput:  # a hand wrote it
        scope = Scope()
    globs = tuple(glob for glob in told[_FOR].split(", ") if glob)
    return Said(number, text, plain, scope.path, globs, scope.branch)
