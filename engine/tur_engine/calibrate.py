"""Measures the verdict on labelled data: pairs by the detector, streams by the whole gate (CONTRACTS 4)."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .detect import calibration
from .detect.detector import Detector
from .engine import Engine
from .errors import BadInput
from .probe.embedder import Embedder
from .records import Author, AuthorKind, Draft, LearnResult, MemoryType, OnConflict, Outcome, Scope, Verb
from .text import accept, fold

_AUTHOR = Author(kind=AuthorKind.SYSTEM, name="calibrate")


class Line(NamedTuple):
    """One memory of a stream."""

    seq: int
    draft: Draft
    contradicts: frozenset[int]
    """Earlier seqs that it cannot stand beside."""
    repeats: frozenset[int]
    """Earlier seqs that it only says again: a duplicate of these loses nothing."""


def score_pairs(file: Path) -> dict[str, Any]:
    """Judge every pair of the file. Raises BadInput naming the line that cannot be read."""
    pairs = calibration.read_pairs(file)
    return calibration.score_pairs(pairs, calibration.weigh_pairs(pairs, Detector(), Embedder.load()))


def score_feedback(engine: Engine) -> dict[str, Any]:
    """Return what people's decisions in a store say about its threshold; nothing is changed."""
    return engine.advice()._asdict()


def score_stream(file: Path, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Learn the file in order into a fresh temporary store; settle each reported clash with supersede."""
    run = play_stream(lines := read_stream(file), progress)
    return calibration.score_stream(
        memories=len(lines),
        planted={line.seq: line.contradicts for line in lines},
        flagged=run.flagged,
        wrong_duplicates=run.wrong_duplicates,
        latencies_ms=run.latencies_ms,
        doubts=run.doubts,
    )


def play_stream(lines: Sequence[Line], progress: Callable[[int, int], None] | None = None) -> Played:
    """Learn the lines into a fresh temporary store; return what was reported and how sure the verdicts were."""
    with (
        tempfile.TemporaryDirectory(prefix="tur-calibrate-") as folder,
        Engine.init(Path(folder), actor=_AUTHOR, nested=True) as engine,
    ):
        run = Played(engine)
        for done, line in enumerate(lines, start=1):
            run.learn(line)
            if progress is not None:
                progress(done, len(lines))
    return run


class Played:
    """One pass of a stream through the gate."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.seq_of: dict[str, int] = {}
        self.text_of: dict[int, str] = {}
        self.flagged: dict[int, set[int]] = {}
        self.wrong_duplicates: list[int] = []
        self.latencies_ms: list[float] = []
        self.doubts: dict[int, float] = {}

    def learn(self, line: Line) -> None:
        started = time.perf_counter()
        result = self.engine.learn(line.draft, on_conflict=OnConflict.HOLD)
        self.latencies_ms.append(1000 * (time.perf_counter() - started))
        self.text_of[line.seq] = line.draft.content
        self.doubts[line.seq] = result.doubt
        if result.outcome is Outcome.DUPLICATE:
            self._check_duplicate(line, result)
        elif result.id is not None:
            self.seq_of[result.id] = line.seq
        if result.outcome is Outcome.CONFLICT:
            self.flagged[line.seq] = {
                self.seq_of[report.conflict.incumbent.id]
                for report in result.conflicts
                if report.conflict.incumbent.id in self.seq_of
            }
            self.engine.resolve(result.conflicts[0].conflict.id, Verb.SUPERSEDE, reason="calibrate", whole_case=True)

    def _check_duplicate(self, line: Line, result: LearnResult) -> None:
        earlier = self.seq_of.get(result.duplicate_of or "")
        same_words = earlier is not None and fold(self.text_of[earlier]) == fold(line.draft.content)
        if not same_words and earlier not in line.repeats:
            self.wrong_duplicates.append(line.seq)


def read_stream(file: Path) -> list[Line]:
    """Read JSON lines of `seq`, `content`; maybe `type`, `scope`, `conflicts_with`, `repeats`."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f"there is no file {file}; give a file of JSON lines") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as UTF-8 text ({error}); give a file of JSON lines") from None
    lines: list[Line] = []
    seen: set[int] = set()
    for number, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        where = f"{file.name}, line {number}"
        try:
            line = _line(row, default_seq=len(lines) + 1)
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
        if line.seq in seen:
            raise BadInput(f"{where}: seq {line.seq} stands twice; give every memory its own")
        if unknown := (line.contradicts | line.repeats) - seen:
            raise BadInput(f"{where}: it names seq {min(unknown)}, which no earlier line has")
        seen.add(line.seq)
        lines.append(line)
    if not lines:
        raise BadInput(f"{file} holds no memories; each line is a JSON object with seq and content")
    return lines


def _line(row: str, default_seq: int) -> Line:
    try:
        record = json.loads(row)
    except (ValueError, RecursionError):
        raise BadInput("not valid JSON; each line is one object with seq and content") from None
    if not isinstance(record, dict) or not isinstance(record.get("content"), str):
        raise BadInput("not an object with content; each line is one object with seq and content")
    seq = record.get("seq", default_seq)
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise BadInput(f"seq {seq!r} is not a whole number")
    draft = Draft(
        content=accept(record["content"]),
        type=_type(record.get("type", "fact")),
        scope=Scope.parse(str(record.get("scope") or "incarnation")),
        author=_AUTHOR,
    )
    return Line(seq, draft, _seqs(record, "conflicts_with"), _seqs(record, "repeats"))


def _type(word: object) -> MemoryType:
    """Axiom and core are learned as facts: nobody could approve them here."""
    known = {kind.value: kind for kind in MemoryType if kind is not MemoryType.CONCEPT}
    if not isinstance(word, str) or word not in known:
        raise BadInput(f"unknown type {word!r}; use one of {', '.join(known)}")
    return MemoryType.FACT if known[word].invariant_tier else known[word]


def _seqs(record: dict[str, Any], key: str) -> frozenset[int]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(isinstance(seq, int) and not isinstance(seq, bool) for seq in value):
        raise BadInput(f"{key} is a list of earlier seq numbers")
    return frozenset(value)
