"""Markdown with one memory a list item: written by an export, read by an import.

A heading that is a type (`## fact`) holds for the items below it, one that is a scope (`### user:src`) too. Other
headings, prose and fenced code are passed over. Lines indented under an item belong to it. Characters that nobody sees
are references (`&#x202E;`), which an import reads back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from ..errors import BadInput, TurError
from ..place import Place
from ..records import Author, Belief, Draft, LearnResult, MemoryType, Refusal, Scope
from .references import referred, resolved

_ITEM = re.compile(r"(?P<mark>\s*(?:[-*+]|\d{1,9}[.)])\s+)(?:\[[ xX]\]\s+)?(?P<text>.*)")
_HEADING = re.compile(r"#{1,6}\s+(?P<text>.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(```|~~~)")
_LOOKS_LIKE_MARK = re.compile(r"(\s*)(?=(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}\s|```|~~~|\\|\[[ xX]\]\s)")


def written(beliefs: Iterable[Belief], *, joined: bool = True) -> Iterator[str]:
    """Yield the lines of a page: sections a type, below it a scope, one item a memory. `joined` as of `referred`."""
    ordered = sorted(beliefs, key=lambda b: (list(MemoryType).index(b.memory.type), str(b.memory.scope), b.memory.seq))
    yield "# Memories"
    for kind, of_kind in groupby(ordered, key=lambda b: b.memory.type):
        yield ""
        yield f"## {kind}"
        for scope, group in groupby(of_kind, key=lambda b: str(b.memory.scope)):
            yield ""
            yield f"### {referred(scope, joined=joined)}"
            yield ""
            for belief in group:
                yield from item(belief.memory.content, joined=joined)


def item(content: str, *, joined: bool = True) -> Iterator[str]:
    """Yield the lines of one item."""
    first, *rest = referred(content, joined=joined).split("\n")
    yield f"- {_guarded(first)}"
    yield from (f"  {_guarded(line)}" if line.strip() else "" for line in rest)


def _guarded(line: str) -> str:
    """Return a line that no reader of Markdown takes for a mark."""
    return _LOOKS_LIKE_MARK.sub(r"\1\\", line, count=1) if _LOOKS_LIKE_MARK.match(line) else line


def _unguarded(line: str) -> str:
    return re.sub(r"^(\s*)\\(?=[-*+#`~\[\\\d])", r"\1", line)


class ListReader:
    """Reads list items into drafts; an item that cannot be a memory becomes a refusal."""

    def __init__(self, author: Author, file: str) -> None:
        self.author = author
        self.numbers: list[int] = []
        self._file = file
        self._provenance = Place.of(None).provenance

    def read(self, lines: Iterable[bytes]) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal an item."""
        for number, kind, scope, text in _items(lines):
            self.numbers.append(number)
            try:
                yield Draft(
                    content=text,
                    type=kind,
                    scope=scope,
                    author=self.author,
                    provenance=self._provenance
                    | {"file": self._file, "line": str(number), "imported_from": f"{self._file}:{number}"},
                )
            except TurError as error:
                yield Refusal(line=len(self.numbers), reason=str(error))

    def became(self, line: int, result: LearnResult) -> None:
        """Nothing in a list names another item."""


def _items(lines: Iterable[bytes]) -> Iterator[tuple[int, MemoryType, Scope, str]]:
    kind, scope = MemoryType.FACT, Scope()
    begun: tuple[int, MemoryType, Scope] | None = None
    said: list[str] = []
    indent = 0
    fence = ""
    for number, raw in enumerate(lines, 1):
        line = _decoded(raw, number)
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
            continue
        if fence:
            continue
        found, heading = _ITEM.fullmatch(line), _HEADING.fullmatch(line)
        if begun is not None and not found and (not line.strip() or line[:1] in " \t"):
            lead = min(indent, len(line) - len(line.lstrip()))
            said.append(_unguarded(line[lead:]) if line.strip() else "")
            continue
        if begun is not None:
            yield (*begun, resolved("\n".join(said).strip()))
            begun = None
        if found:
            begun, said = (number, kind, scope), [_unguarded(found["text"].rstrip())]
            indent = len(found["mark"])
        elif heading:
            kind, scope = _under(heading["text"], kind, scope)
    if begun is not None:
        yield (*begun, resolved("\n".join(said).strip()))


def _under(heading: str, kind: MemoryType, scope: Scope) -> tuple[MemoryType, Scope]:
    """Return type and scope of the items below a heading; one that names neither ends what was named."""
    word = heading.strip().lower()
    if word in {each.value for each in MemoryType if each is not MemoryType.CONCEPT}:
        return MemoryType(word), Scope()
    try:
        return kind, Scope.parse(resolved(heading.strip()))
    except (BadInput, ValueError):
        return MemoryType.FACT, Scope()


def _decoded(raw: bytes, number: int) -> str:
    try:
        if b"\0" in raw:
            raise BadInput(f"line {number} holds NUL characters; save the file as UTF-8")
        return raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise BadInput(f"line {number} is not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from None
