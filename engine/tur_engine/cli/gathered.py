"""Several sources of `tur import` as one list of drafts; each memory keeps its file's name and its own line."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..records import Refusal
from ..text import excerpt
from .lines import LineReader
from .listed import ListReader
from .ruled import RuleReader, rule_files
from .upstream_store import StoreReader, memory_files

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import BatchReport, Draft, LearnResult
    from ..sources.drafting import Book
    from .call import Call

Reader = LineReader | ListReader | RuleReader | StoreReader


class Files:
    """Several sources as one list of drafts; each line keeps its file's name and its own number."""

    def __init__(
        self, call: Call, engine: Engine, given: list[tuple[str, str, bytes]], books: Mapping[str, Book]
    ) -> None:
        self._given = given
        self._books = books
        self._call = call
        self._engine = engine
        self._known: dict[str, str] = {}
        self._places: list[tuple[str, int | None]] = []
        self._owners: list[tuple[Reader, int]] = []
        self.readers: list[Reader] = []

    def read(self) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal a memory."""
        for source, kind, data in self._given:
            reader = self._reader(source, kind)
            self.readers.append(reader)
            for item in reader.read(io.BytesIO(data)):
                self._places.append(self._place(reader, source))
                self._owners.append((reader, len(reader.numbers)))
                refused = isinstance(item, Refusal)
                yield item.model_copy(update={"line": len(self._places)}) if refused else item

    def _reader(self, source: str, kind: str) -> Reader:
        name = "standard input" if source == "-" else source
        if kind == "upstream":
            files = memory_files(Path(source))
            if not files:
                raise BadInput(f"{source} holds no memories of upstream's Tur (memories/active/*.md){_instead(source)}")
            return StoreReader(self._call.actor, files, Path(source))
        if kind == "rules":
            return RuleReader(self._call.actor, self._books[source], self._engine)
        if kind == "md":
            return ListReader(self._call.actor, name)
        reader = LineReader(self._call.actor, name)
        reader.known, reader.holds = self._known, self._holds
        return reader

    def _holds(self, ref: str) -> bool:
        try:
            self._engine.memory(ref)
        except BadInput:
            return False
        return True

    def _place(self, reader: Reader, source: str) -> tuple[str, int | None]:
        if isinstance(reader, RuleReader):
            return reader.place
        number = reader.numbers[-1]
        if isinstance(reader, StoreReader):
            return f"{source}/{reader.name(number)}", None
        return ("standard input" if source == "-" else source), number

    def became(self, line: int, result: LearnResult) -> None:
        """Hear what became of a line."""
        reader, own = self._owners[line - 1]
        reader.became(own, result)

    def place(self, line: int) -> str:
        """Return where a line stands, as people read it."""
        name, number = self._places[line - 1]
        return name if number is None else f"{name}:{number}"

    def payload(self, report: BatchReport) -> dict[str, Any]:
        """Return the report with the file and the line of each."""
        from .. import payloads

        payload = payloads.batch(report)
        for item in (*payload["refused"], *payload["conflicts"], *payload["violations"]):
            item["file"], item["line"] = self._places[item["line"] - 1]
        return payload


def _instead(folder: str) -> str:
    """Say what else a folder may be meant as."""
    if found := rule_files(folder):
        which = excerpt(found[0], 80) + (f" and {len(found) - 1:,} more" if found[1:] else "")
        return f"; its rule files ({which}) come in with --format rules"
    return "; name the files to take in"
