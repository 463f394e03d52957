"""JSON lines become drafts; a line that cannot be one becomes a refusal with its number."""

from __future__ import annotations

import codecs
import difflib
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from ..errors import BadInput, TurError
from ..place import Place
from ..records import Author, BatchReport, Confidence, Draft, LearnResult, Refusal, Relation, Replacing, Scope
from . import words

KEYS = ("content", "type", "scope", "topic", "fields", "tags", "author", "occurred_at", "relations", "node_type")
MORE = ("supersedes", "confidence", "session", "provenance")
"""Keys that a line may have besides."""
CLAIMS = ("id", "status", "recorded_at")
"""Keys of an export that only an import reads."""
_OBJECTS = 'one object a line, such as {"content": "..."}'
_LONGEST = 1 << 20
_PATIENCE = 10
"""So many lines that are no objects, and none before them that is one, are no JSON lines."""


class NoObject(BadInput):
    """A line that holds no JSON object."""


class LineReader:
    """Reads JSON lines into drafts; a line that cannot be one becomes a Refusal.

    A refusal counts what was yielded, as the engine does; `numbered` turns that into the file's line number.
    """

    def __init__(self, author: Author, file: str | None = None) -> None:
        self.author = author
        self.file = file
        """Set for an import: who wrote a line is kept as a claim, and where the line stands."""
        self.known: dict[str, str] = {}
        """Ids in the file, and what they became here."""
        self.holds: Callable[[str], bool] = lambda ref: True
        """Whether the store holds what an edge leads to; where not, an import leaves the edge out."""
        self.loose = 0
        """Edges left out."""
        self._ids: dict[int, str] = {}
        self.ignored: dict[str, list[int]] = {}
        """Keys that a memory does not have, each with the lines it was left out of."""
        self.numbers: list[int] = []
        self.provenance = Place.of(None).provenance

    def read(self, lines: Iterable[bytes], start: int = 1) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal a line; blank lines are passed over. `start`: the first one's number.

        What is no JSON lines at all is one refusal.
        """
        odd: list[tuple[int, NoObject]] = []
        objects = False
        for number, raw in enumerate(lines, start=start):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if not raw.strip():
                continue
            try:
                record = _parse(raw)
            except NoObject as error:
                if objects:
                    yield self._refused(number, error)
                    continue
                odd.append((number, error))
                if other := _other(raw, odd):
                    yield self._refused(odd[0][0], other)
                    return
                continue
            objects = True
            yield from (self._refused(*each) for each in odd)
            odd.clear()
            self.numbers.append(number)
            try:
                yield self._draft(record)
            except TurError as error:
                yield Refusal(line=len(self.numbers), reason=str(error))
        if len(odd) > 1:
            yield self._refused(odd[0][0], _none_of(odd))
        else:
            yield from (self._refused(*each) for each in odd)

    def _refused(self, number: int, error: TurError) -> Refusal:
        self.numbers.append(number)
        return Refusal(line=len(self.numbers), reason=str(error))

    def numbered(self, report: BatchReport) -> BatchReport:
        """Return the report with the refusals at the file's own line numbers."""
        refused = tuple(Refusal(line=self.numbers[item.line - 1], reason=item.reason) for item in report.refused)
        lines = tuple(self.numbers[line - 1] for line in report.lines)
        return report.model_copy(update={"refused": refused, "lines": lines})

    def became(self, line: int, result: LearnResult) -> None:
        """Hear what a line's memory is called here: later lines may name it by the id it had in the file."""
        if (old := self._ids.pop(line, None)) is not None and result.digest is not None:
            self.known[_bare(old)] = result.digest

    def _draft(self, record: dict[str, Any]) -> Draft:
        allowed = (*KEYS, *MORE, *(CLAIMS if self.file is not None else ()))
        for key in record.keys() - set(allowed):
            self.ignored.setdefault(key, []).append(self.numbers[-1])
        if "content" not in record:
            near = difflib.get_close_matches("content", record, n=1)
            raise BadInput(f"no content; did you mean {near[0]!r}?" if near else "no content; only content is needed")
        content = _text(record, "content")
        occurred_at = record.get("occurred_at")
        draft = Draft(
            content=content,
            type=words.memory_type(_text(record, "type", "fact")),
            scope=Scope.parse(_text(record, "scope", "incarnation")),
            topic=_text(record, "topic") if record.get("topic") is not None else None,
            fields=_object(record, "fields"),
            tags=tuple(_texts(record, "tags")),
            relations=tuple(self._led(_relations(record))),
            author=self.author if self.file is not None else self._author(record.get("author")),
            occurred_at=None if occurred_at is None else _moment(occurred_at),
            confidence=_confidence(record.get("confidence")),
            session=_text(record, "session") if record.get("session") is not None else None,
            provenance=self.provenance | _provenance(record),
            node_type=_text(record, "node_type") if record.get("node_type") is not None else None,
        )
        if self.file is not None:
            draft = self._claimed(draft, record)
        if named := tuple(self.known.get(_bare(ref), ref) for ref in _ids(record, "supersedes")):
            return Replacing.model_validate(draft.model_dump() | {"supersedes": named})
        return draft

    def _claimed(self, draft: Draft, record: dict[str, Any]) -> Draft:
        """Return an imported memory: what its line says of author and id is kept as what it is, a claim."""
        if record.get("status") not in (None, "active", "suspect"):
            raise BadInput(f"its status is {_text(record, 'status')!r}; only what holds is imported")
        claims = {"imported_from": f"{self.file}:{self.numbers[-1]}"}
        if record.get("author") is not None:
            claims["author"] = str(self._author(record["author"]))
        if record.get("id") is not None:
            self._ids[len(self.numbers)] = claims["id"] = _text(record, "id")
        return Draft.model_validate(draft.model_dump() | {"provenance": draft.provenance | claims})

    def _led(self, relations: Iterable[Relation]) -> Iterator[Relation]:
        """Yield the edges, led to what the file's own memories are called here."""
        for relation in relations:
            if (target := self.known.get(_bare(relation.target))) is not None:
                yield Relation(type=relation.type, target=target)
            elif self.holds(relation.target):
                yield relation
            else:
                self.loose += 1

    def _author(self, value: Any) -> Author:
        if value is None:
            return self.author
        if isinstance(value, dict) and set(value) == {"kind", "name"}:
            value = f"{value['kind']}:{value['name']}"
        if not isinstance(value, str):
            raise BadInput("author is a name, agent:NAME, human:NAME, or an object of kind and name")
        return Author.parse(value, self.author.kind)


def _other(raw: bytes, odd: list[tuple[int, NoObject]]) -> NoObject | None:
    """Return what to say of what is no JSON lines at all; None while it may be. `odd`: the lines so far."""
    if b"\0" in raw or raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return NoObject(f"this is no text, or UTF-16; save it as UTF-8, {_OBJECTS}")
    return _none_of(odd) if len(odd) == _PATIENCE else None


def _none_of(odd: list[tuple[int, NoObject]]) -> NoObject:
    why = str(odd[0][1]).removesuffix(f"; write {_OBJECTS}")
    return NoObject(f"these are no JSON lines ({why}); write {_OBJECTS}")


def _parse(raw: bytes) -> dict[str, Any]:
    if len(raw) > _LONGEST:
        raise NoObject(f"the line has {len(raw):,} bytes; at most {_LONGEST:,} fit")
    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NoObject(f"not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise NoObject(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError):
        raise NoObject("not JSON that can be read: a number is too long or it is nested too deeply") from None
    if not isinstance(record, dict):
        raise NoObject(f"not a JSON object; write {_OBJECTS}")
    return record


def _text(record: dict[str, Any], key: str, default: str | None = None) -> str:
    value = record.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise BadInput(f"{key} is text, not {type(value).__name__}")
    return value


def _texts(record: dict[str, Any], key: str, form: str = "a list of texts") -> list[str]:
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput(f"{key} is {form}")
    return value


def _ids(record: dict[str, Any], key: str) -> list[str]:
    value = record.get(key)
    return [value] if isinstance(value, str) else _texts(record, key, "an id, or a list of ids")


def _object(record: dict[str, Any], key: str) -> dict[str, Any]:
    value = record.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadInput(f"{key} is an object of names and values, not {type(value).__name__}")
    return value


def _relations(record: dict[str, Any]) -> Iterator[Relation]:
    value = record.get("relations")
    if value is None:
        return
    if not isinstance(value, list):
        raise BadInput("relations is a list of objects with type and target")
    for item in value:
        if isinstance(item, str):
            yield from words.relations([item])
        elif isinstance(item, dict) and isinstance(item.get("type"), str) and isinstance(item.get("target"), str):
            yield Relation(type=item["type"], target=item["target"])
        else:
            raise BadInput("a relation is an object with type and target, or TYPE=ID")


def _moment(value: Any) -> datetime:
    if not isinstance(value, str):
        raise BadInput("occurred_at is text, an ISO 8601 time")
    return words.moment(value, "occurred_at")


def _confidence(value: Any) -> Confidence:
    if value is None:
        return Confidence()
    given = {"score": value} if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(given, dict) or given.keys() - set(Confidence.model_fields):
        raise BadInput("confidence is a number from 0 to 1, or an object of score, reasoning, evidence, assumptions")
    try:
        return Confidence.model_validate(given)
    except ValueError as error:
        if isinstance(error, TurError):
            raise
        raise BadInput("confidence is a number from 0 to 1, or an object with such a score") from None


def _provenance(record: dict[str, Any]) -> dict[str, str]:
    given = _object(record, "provenance")
    if not all(isinstance(value, str) for value in given.values()):
        raise BadInput("provenance is an object of names and texts")
    return given


def _bare(ref: str) -> str:
    return ref.strip().lower().rpartition("-")[2]
