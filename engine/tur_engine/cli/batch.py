"""`tur learn --from`: JSON lines through the gate, one report out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from .. import payloads
from ..errors import BadInput
from ..place import Place
from ..records import BatchReport, ConflictState, OnConflict, Outcome
from ..text import counted, excerpt, visible
from .lines import LineReader
from .on_conflict import at_gate
from .output import is_terminal, terminal
from .prompt import EndOfAnswers, Prompt
from .resuming import Bookmark
from .stopping import BetweenLines, Terminated

if TYPE_CHECKING:
    from ..engine import Engine
    from .call import Call
    from .output import Output


_NAMED = 5
"""So many lines are named; the others are counted."""


class Batch(NamedTuple):
    """How a file of lines is to be learned."""

    source: str
    whole: bool = False
    """All lines or none."""
    resume: bool = False


def learn_file(call: Call, batch: Batch, choose: Callable[[Engine], OnConflict]) -> int:
    """Learn every line of the source. Returns the gravest exit code of its lines.

    `choose` names the policy once the store is open; nothing is founded for a file that is not there.
    """
    piped = batch.source == "-"
    if batch.resume and piped:
        raise BadInput("--resume needs a FILE: standard input cannot be recognised when it comes again")
    if batch.resume and batch.whole:
        raise BadInput("--resume goes on with a batch that is kept line by line; with --all-or-nothing none is begun")
    with opened(batch.source) as stream, call.open(create=True) as engine:
        mark = None if piped or batch.whole else _bookmark(engine, batch.source)
        return _learn(call, engine, stream, batch, choose(engine), mark)


def _bookmark(engine: Engine, source: str) -> Bookmark | None:
    file = Path(source)
    return Bookmark(engine.path, file) if file.is_file() else None  # not of a pipe: it is read once


def _learn(
    call: Call, engine: Engine, stream: BinaryIO, batch: Batch, policy: OnConflict, mark: Bookmark | None
) -> int:
    piped = batch.source == "-"
    asking = policy is OnConflict.ASK and terminal() and not (piped or call.json or batch.whole)
    reader = LineReader(call.actor)
    begun = mark.line() if mark is not None else 0
    skipped = begun if batch.resume else 0
    if skipped:
        call.out.say(f"going on after line {skipped:,}")
    elif batch.resume:
        call.out.say("this file was not begun, or has changed since: starting at line 1")
    elif begun:
        call.out.say(f"this file was begun before, up to line {begun:,}; --resume goes on from there")
    progress = Progress(call.out, lambda line: mark.keep(reader.numbers[line - 1]) if mark is not None else None)
    take = engine.learn_together if batch.whole else engine.learn_many
    try:
        drafts = reader.read(islice(stream, skipped, None), start=skipped + 1)
        with BetweenLines() as between:
            how = at_gate(policy, whole=batch.whole)
            found = take(between.read(drafts), on_conflict=how, progress=between.telling(progress))
    except (KeyboardInterrupt, Terminated):
        progress.clear()
        call.out.say(_stopped(reader, progress.lines, batch, mark is not None))
        raise
    progress.clear()
    if mark is not None:
        mark.drop()
    report = reader.numbered(found)
    note_unkept(call, report)
    tell_ignored(call, reader)
    if call.json:
        call.out.json(payloads.batch(report))
    else:
        tell(call, engine, report)
    unsettled = sum(result.outcome is Outcome.CONFLICT for result in report.results)
    if asking and report.conflicts:
        unsettled = _ask(call, engine, report)
    return gravest(report, unsettled)


def _stopped(reader: LineReader, lines: int, batch: Batch, marked: bool) -> str:
    if batch.whole:
        return "stopped; all or nothing was asked for, so nothing was learned"
    if not lines:
        return "stopped before the first line was through; nothing was learned"
    how = f"`tur learn --from {visible(batch.source, newlines=False)} --resume` goes on" if marked else ""
    again = "learn the same lines again to go on: what is known is not learned twice"
    return (
        f"stopped after line {reader.numbers[lines - 1]:,}; through and kept up to there: {counted(lines, 'line')}. "
        f"{how or again[0].upper() + again[1:]}"
    )


class Progress:
    """How many lines are through and how fast, on one line of a terminal's stderr; nowhere else."""

    EVERY = 0.2

    def __init__(self, out: Output, keep: Callable[[int], None] | None = None) -> None:
        self.out = out
        self.lines = 0
        self._keep = keep
        self._started = self._shown = monotonic()
        self._width = 0

    def __call__(self, lines: int) -> None:
        self.lines = lines
        if self._keep is not None:
            self._keep(lines)
        now = monotonic()
        if now - self._shown < self.EVERY or not is_terminal(sys.stderr):
            return
        self._shown = now
        text = f"{self.out.program}: {counted(lines, 'line')}, {lines / (now - self._started):,.0f} a second"
        self.out.message("\r" + text.ljust(self._width), end="")
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away, for what comes after it."""
        if self._width:
            self.out.message("\r" + " " * self._width + "\r", end="")
            self._width = 0


def gravest(report: BatchReport, held: int) -> int:
    """Return the exit code of a batch (CONTRACTS 4)."""
    if report.invariant_violations:
        return 4
    if held:
        return 3
    return 1 if report.refused else 0


def opened(source: str, flag: str = "--from ") -> BinaryIO:
    """Open a file, or standard input for `-`. Raises BadInput."""
    if source == "-":
        if sys.stdin is None:
            raise BadInput(f"{flag}-: standard input is closed; send the lines, or name a file")
        return sys.stdin.buffer
    file = Path(source)
    if file.is_dir():
        raise BadInput(f"{flag}{source}: this is a folder; name a file of JSON lines, or - for standard input")
    try:
        return file.open("rb")
    except OSError as error:
        raise BadInput(f"{flag}{source} cannot be read: {error.strerror or error}") from None


def note_unkept(call: Call, report: BatchReport) -> None:
    """Where nothing of it was kept, an answer that cannot be written says so."""
    if report.nothing_kept or report.dry_run:
        call.out.done = "nothing was changed"


def tell_ignored(call: Call, reader: LineReader) -> None:
    """Name each key that no memory has, once, with the lines that have it."""
    if reader.ignored:
        names = ", ".join(
            f"{visible(name, newlines=False)} ({_lines(numbers)})" for name, numbers in sorted(reader.ignored.items())
        )
        where = f"{visible(reader.file, newlines=False)}: " if reader.file else ""
        call.out.warn(f"{where}keys that a memory does not have were left out: {names}")


def _lines(numbers: list[int]) -> str:
    shown = ", ".join(f"{number}" for number in numbers[:_NAMED])
    more = f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"


def _line(number: int) -> str:
    return f"line {number}"


def tell(call: Call, engine: Engine, report: BatchReport, place: Callable[[int], str] = _line) -> None:
    """Say what came of the lines; `place` names one."""
    counts = {
        "learned": report.committed,
        "already known": report.duplicates,
        "held": report.held,
        "proposed": report.proposed,
        "clash with an invariant": report.invariant_violations,
        "refused": len(report.refused),
    }
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing to learn"
    if report.nothing_kept:
        told = f"nothing was learned, for it is all or nothing: {told}"
    elif report.dry_run:
        told = f"would be: {told}"
    call.out.data(told)
    for refusal in report.refused:
        call.out.say(f"{place(refusal.line)} refused: {visible(refusal.reason, newlines=False)}")
    fresh = {result.id for result in report.results if not result.recorded}
    for line, result in zip(report.lines, report.results, strict=True):
        if result.outcome is Outcome.INVARIANT and result.invariant is not None:
            shown = f'{engine.short(result.invariant.id)} ("{excerpt(result.invariant.memory.content, 120)}")'
            call.out.warn(f"{place(line)} contradicts the invariant {shown}")
        for item in result.conflicts:
            conflict = item.conflict
            incumbent, challenger = conflict.incumbent.memory.content, conflict.challenger.memory.content
            if not item.recorded:  # its ids are none that will be
                known = conflict.incumbent.id not in fresh
                shown = f'{engine.short(conflict.incumbent.id)} ("{excerpt(incumbent, 80)}")' if known else ""
                against = shown or f'"{excerpt(incumbent, 80)}"'
                why = f": {excerpt(conflict.reason, 200)}" if conflict.reason else ""
                call.out.warn(f'{place(line)} ("{excerpt(challenger, 80)}") contradicts {against}{why}')
            else:
                call.out.warn(
                    f"{place(line)}: {engine.short(conflict.challenger.id)} contradicts "
                    f'{engine.short(conflict.incumbent.id)} ("{excerpt(incumbent, 120)}"): {engine.short(conflict.id)}'
                )


def _ask(call: Call, engine: Engine, report: BatchReport) -> int:
    prompt = Prompt(call.out, engine, Place.of(engine.root))
    ids = [item.conflict.id for item in report.conflicts]
    try:
        prompt.settle(ids)
    except EndOfAnswers:
        call.out.say("what is left stays held; see tur conflicts")
    return sum(engine.conflict(ref).state is not ConflictState.RESOLVED for ref in ids)
