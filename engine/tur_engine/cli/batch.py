"""`tur learn --from`: JSON lines through the gate, one report out."""

from __future__ import annotations

import difflib
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, BinaryIO

from .. import payloads
from ..errors import BadInput, TurError
from ..records import Author, BatchReport, ConflictState, Draft, OnConflict, Outcome, Refusal, Relation, Scope
from ..text import excerpt, visible
from . import words
from .output import is_terminal, terminal
from .place import Place
from .prompt import EndOfAnswers, Prompt

if TYPE_CHECKING:
    from ..engine import Engine
    from .call import Call
    from .output import Output

KEYS = ("content", "type", "scope", "topic", "fields", "tags", "author", "occurred_at", "relations")
_LONGEST = 1 << 20


def learn_file(call: Call, source: str, choose: Callable[[Engine], OnConflict]) -> int:
    """Learn every line of `source`. Returns the gravest exit code of its lines.

    `choose` names the policy once the store is open; nothing is founded for a file that is not there.
    """
    with _open(source) as stream, call.open(create=True) as engine:
        return _learn(call, engine, stream, choose(engine), piped=source == "-")


def _learn(call: Call, engine: Engine, stream: BinaryIO, policy: OnConflict, *, piped: bool) -> int:
    asking = policy is OnConflict.ASK and terminal() and not piped and not call.json
    at_gate = OnConflict.HOLD if policy is OnConflict.ASK else policy
    reader = LineReader(call.actor)
    progress = Progress(call.out)
    try:
        found = engine.learn_many(reader.read(stream), on_conflict=at_gate, progress=progress)
    except KeyboardInterrupt:
        progress.clear()
        call.out.say(_stopped(reader, progress.lines))
        raise
    progress.clear()
    report = reader.numbered(found)
    if reader.ignored:
        names = ", ".join(
            f"{visible(name, newlines=False)} ({count})" for name, count in sorted(reader.ignored.items())
        )
        call.out.warn(f"keys that a memory does not have were left out: {names}")
    if call.json:
        call.out.json(payloads.batch(report))
    else:
        _tell(call, engine, report)
    unsettled = sum(result.outcome is Outcome.CONFLICT for result in report.results)
    if asking and report.conflicts:
        unsettled = _ask(call, engine, report)
    return _gravest(report, unsettled)


def _stopped(reader: LineReader, lines: int) -> str:
    if not lines:
        return "stopped before the first line was through; nothing was learned"
    return (
        f"stopped after line {reader.numbers[lines - 1]:,}; the {lines:,} lines up to there are through and kept. "
        "Learn the same lines again to go on: what is known is not learned twice"
    )


class Progress:
    """How many lines are through and how fast, on one line of a terminal's stderr; nowhere else."""

    EVERY = 0.2

    def __init__(self, out: Output) -> None:
        self.out = out
        self.lines = 0
        self._started = self._shown = monotonic()
        self._width = 0

    def __call__(self, lines: int) -> None:
        self.lines = lines
        now = monotonic()
        if now - self._shown < self.EVERY or not is_terminal(sys.stderr):
            return
        self._shown = now
        text = f"{self.out.program}: {lines:,} lines, {lines / (now - self._started):,.0f} a second"
        self.out.message("\r" + text.ljust(self._width), end="")
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away, for what comes after it."""
        if self._width:
            self.out.message("\r" + " " * self._width + "\r", end="")
            self._width = 0


def _gravest(report: BatchReport, held: int) -> int:
    if report.invariant_violations:
        return 4
    if held:
        return 3
    return 1 if report.refused else 0


def _open(source: str) -> BinaryIO:
    if source == "-":
        if sys.stdin is None:
            raise BadInput("--from -: standard input is closed; send the lines, or name a file")
        return sys.stdin.buffer
    file = Path(source)
    if file.is_dir():
        raise BadInput(f"--from {source}: this is a folder; name a file of JSON lines, or - for standard input")
    try:
        return file.open("rb")
    except OSError as error:
        raise BadInput(f"--from {source} cannot be read: {error.strerror or error}") from None


class LineReader:
    """Reads JSON lines into drafts; a line that cannot be one becomes a Refusal.

    A refusal counts what was yielded, as the engine does; `numbered` turns that into the file's line number.
    """

    def __init__(self, author: Author) -> None:
        self.author = author
        self.ignored: Counter[str] = Counter()
        self.numbers: list[int] = []
        self.provenance = Place.of(None).provenance

    def read(self, lines: Iterable[bytes]) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal a line; blank lines are passed over."""
        for number, raw in enumerate(lines, start=1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if not raw.strip():
                continue
            self.numbers.append(number)
            try:
                yield self._draft(raw)
            except TurError as error:
                yield Refusal(line=len(self.numbers), reason=str(error))

    def numbered(self, report: BatchReport) -> BatchReport:
        """Return the report with the refusals at the file's own line numbers."""
        refused = tuple(Refusal(line=self.numbers[item.line - 1], reason=item.reason) for item in report.refused)
        return report.model_copy(update={"refused": refused})

    def _draft(self, raw: bytes) -> Draft:
        record = _parse(raw)
        for key in record.keys() - set(KEYS):
            self.ignored[key] += 1
        if "content" not in record:
            near = difflib.get_close_matches("content", record, n=1)
            raise BadInput(f"no content; did you mean {near[0]!r}?" if near else "no content; only content is needed")
        content = _text(record, "content")
        occurred_at = record.get("occurred_at")
        return Draft(
            content=content,
            type=words.memory_type(_text(record, "type", "fact")),
            scope=Scope.parse(_text(record, "scope", "incarnation")),
            topic=_text(record, "topic") if record.get("topic") is not None else None,
            fields=_object(record, "fields"),
            tags=tuple(_texts(record, "tags")),
            relations=tuple(_relations(record)),
            author=self._author(record.get("author")),
            occurred_at=None if occurred_at is None else _moment(occurred_at),
            provenance=self.provenance,
        )

    def _author(self, value: Any) -> Author:
        if value is None:
            return self.author
        if isinstance(value, dict) and set(value) == {"kind", "name"}:
            value = f"{value['kind']}:{value['name']}"
        if not isinstance(value, str):
            raise BadInput("author is a name, agent:NAME, human:NAME, or an object of kind and name")
        return Author.parse(value, self.author.kind)


def _parse(raw: bytes) -> dict[str, Any]:
    if len(raw) > _LONGEST:
        raise BadInput(f"the line has {len(raw):,} bytes; at most {_LONGEST:,} fit")
    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise BadInput(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except (ValueError, RecursionError):
        raise BadInput("not JSON that can be read: a number is too long or it is nested too deeply") from None
    if not isinstance(record, dict):
        raise BadInput('not a JSON object; write one object a line, such as {"content": "..."}')
    return record


def _text(record: dict[str, Any], key: str, default: str | None = None) -> str:
    value = record.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise BadInput(f"{key} is text, not {type(value).__name__}")
    return value


def _texts(record: dict[str, Any], key: str) -> list[str]:
    value = record.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadInput(f"{key} is a list of texts")
    return value


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


def _tell(call: Call, engine: Engine, report: BatchReport) -> None:
    counts = {
        "learned": report.committed,
        "already known": report.duplicates,
        "held": report.held,
        "proposed": report.proposed,
        "clash with an invariant": report.invariant_violations,
        "refused": len(report.refused),
    }
    call.out.data(", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing to learn")
    for refusal in report.refused:
        call.out.say(f"line {refusal.line} refused: {visible(refusal.reason, newlines=False)}")
    for item in report.conflicts:
        conflict = item.conflict
        call.out.warn(
            f"{engine.short(conflict.challenger.id)} contradicts {engine.short(conflict.incumbent.id)} "
            f'("{excerpt(conflict.incumbent.memory.content, 120)}"): {engine.short(conflict.id)}'
        )


def _ask(call: Call, engine: Engine, report: BatchReport) -> int:
    prompt = Prompt(call.out, engine, Place.of(engine.root))
    ids = [item.conflict.id for item in report.conflicts]
    try:
        prompt.settle(ids)
    except EndOfAnswers:
        call.out.say("what is left stays held; see tur conflicts")
    return sum(engine.conflict(ref).state is not ConflictState.RESOLVED for ref in ids)
