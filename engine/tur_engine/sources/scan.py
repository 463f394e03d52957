"""One scan: find the rule files, cut them, weigh what can meet, and say who reads both sides of a clash."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..introspect.answers import signature
from ..minds import Minds
from ..records import Relationship
from .agents import Agent, Reader, in_order, readers
from .cache import Notes, place_for
from .discovery import Found, discover
from .incumbents import incumbents
from .judging import Pairing, Scales, as_memory, repeated, spoken_for
from .limits import CODEX, cut_off, remarks, unread
from .once import told_once
from .report import Clash, Duplicate, Report, RuleFile, Side
from .repository import disproofs
from .scoping import Meeting, holds_for
from .shelf import Entry
from .statements import Statement
from .telling import POLICY

if TYPE_CHECKING:
    from ..engine import Engine

Progress = Callable[[int, int], None]


class Request(NamedTuple):
    """What is to be scanned."""

    root: Path
    named: tuple[Path, ...] = ()
    """Only these files and folders; none: the whole root."""
    agent: Agent | None = None
    """Only what this agent reads."""
    target: str | None = None
    """Only what holds for this file, relative to the root."""
    profile: str = "balanced"
    cached: bool = True


def scan(request: Request, engine: Engine | None = None, progress: Progress | None = None) -> Report:
    """Return what the rule files of a repository say against each other, the ledger and the repository.

    Nothing is written but notes in the user's cache folder. Raises BadInput for an unknown profile.
    """
    began = time.perf_counter()
    found = discover(request.root, request.named)
    reading = by_file(readers(found.rules, found.imports, found.aliases))
    cut = cut_off(found.root, reading)
    kept = _kept(found, reading, request)
    statements = [s for name in kept for s in found.rules[name].statements if _holds(s, request, cut)]
    minds = Minds(request.profile)
    report = Report(found.root, problems=found.problems, judged=minds.has_judge)
    report.statements = len(statements)
    lost = {name: sum(unread(cut, s) for s in found.rules[name].statements) for name in cut}
    report.problems += remarks(found.root, {name: cut[name] for name in kept if name in cut}, lost)
    for name in kept:
        rules = found.rules[name]
        where = rules.statements[0] if rules.statements else None
        report.files.append(
            RuleFile(
                name,
                len(rules.statements),
                _agents(reading, name),
                (where.scope.path or "") if where else "",
                where.globs if where else (),
                {CODEX.name: cut[name]} if name in cut else {},
            )
        )
    if request.target is not None or request.agent is not None:
        report.stacks = _stacks(kept, reading, request.agent, cut)
    _weigh(report, statements, minds, Readers(reading, cut), Meeting(found.files), engine, request, progress)
    report.disproved = disproofs(found.root, found.files, statements, report.problems)
    report.seconds = round(time.perf_counter() - began, 3)
    return report


def by_file(found: Sequence[Reader]) -> dict[str, list[Reader]]:
    by_file: dict[str, list[Reader]] = defaultdict(list)
    for reader in found:
        by_file[reader.file].append(reader)
    return by_file


def _agents(reading: dict[str, list[Reader]], file: str) -> tuple[str, ...]:
    return tuple(reader.agent.name for reader in reading.get(file, ()))


def _kept(found: Found, reading: dict[str, list[Reader]], request: Request) -> list[str]:
    names = sorted(found.rules, key=lambda name: (name.count("/"), name))
    if request.agent is not None:
        names = [n for n in names if any(reader.agent is request.agent for reader in reading.get(n, ()))]
    return names


def _holds(statement: Statement, request: Request, cut: dict[str, int]) -> bool:
    if request.agent is CODEX and unread(cut, statement):
        return False
    return request.target is None or holds_for(statement.scope.path, statement.globs, request.target)


def _stacks(
    kept: Sequence[str], reading: dict[str, list[Reader]], only: Agent | None, cut: dict[str, int]
) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    agents = {reader.agent.key: reader.agent for name in kept for reader in reading.get(name, ())}
    for agent in agents.values():
        if only is None or agent is only:
            mine = [n for n in kept if any(reader.agent is agent for reader in reading.get(n, ()))]
            if agent is CODEX:  # of which it has stopped before the first line it reads nothing
                mine = [n for n in mine if cut.get(n) != 1]
            found[agent.name] = in_order(agent, mine)
    return found


def _weigh(
    report: Report,
    statements: Sequence[Statement],
    minds: Minds,
    reading: Readers,
    meeting: Meeting,
    engine: Engine | None,
    request: Request,
    progress: Progress | None,
) -> None:
    if not statements:
        return
    report.ledger = str(engine.path) if engine is not None else ""
    entries = incumbents(report.root, engine, report.problems)
    if request.target is not None:
        entries = [each for each in entries if holds_for(each.memory.scope.path, (), request.target)]
    statements = spoken_for(statements, entries)
    single, groups = repeated(statements, meeting)
    copies = {id(group[0]): group[1:] for group in groups}
    entries += [Entry(as_memory(s, seq), s) for seq, s in enumerate(single, start=1)]
    notes = Notes(place_for(report.root) if request.cached else None, f"{POLICY}-{signature(minds.detector).hex()}")

    def embed(text: str) -> bytes:
        body = minds.embed(text)
        assert body is not None
        return body[-384:]

    repeats = [[*group] for group in groups]
    try:
        for pairing in Scales(minds.detector, embed, notes).weigh(entries, meeting, progress):
            if pairing.verdict.relationship is Relationship.DUPLICATE:
                if pairing.a.statement is not None and pairing.b.statement is not None:
                    repeats.append([pairing.a.statement, pairing.b.statement])
            else:
                report.clashes.append(clash_of(pairing, reading, copies))
    finally:
        notes.save()
    report.clashes = told_once(report.clashes)
    report.clashes.sort(key=lambda c: (not c.invariant, -c.probability, c.b.file, c.b.line))
    by_hand = [[s for s in group if not s.rendered] for group in repeats]
    report.duplicates = [Duplicate(tuple(Side.of(s) for s in group)) for group in by_hand if len(group) > 1]


class Readers(NamedTuple):
    """Who reads which statement: the agents of its file, but for one that stops above it."""

    by_file: dict[str, list[Reader]]
    cut: dict[str, int]

    def of(self, statement: Statement) -> set[str]:
        agents = set(_agents(self.by_file, statement.file))
        return agents - {CODEX.name} if unread(self.cut, statement) else agents


def clash_of(pairing: Pairing, readers: Readers, copies: dict[int, list[Statement]]) -> Clash:
    """Return a pair as a scan tells it."""
    verdict = pairing.verdict
    a, b = (_side(entry) for entry in (pairing.a, pairing.b))
    assert pairing.b.statement is not None  # memories come first
    agents = readers.of(pairing.b.statement)
    if pairing.a.statement is not None:
        agents &= readers.of(pairing.a.statement)
    also = [
        f"{copy.file}:{copy.line}" for entry in (pairing.a, pairing.b) for copy in copies.get(id(entry.statement), ())
    ]
    return Clash(
        a=a,
        b=b,
        probability=verdict.probability,
        conflict_type=str(verdict.conflict_type),
        detected_by=str(verdict.detected_by),
        reason=verdict.reason if a.memory else verdict.reason.replace("the older memory", "the other"),
        suggestion=_suggestion(pairing, a, b, bool(agents)),
        evidence=verdict.evidence,
        agents=tuple(sorted(agents)),
        also=tuple(also),
    )


def _side(entry: Entry) -> Side:
    if entry.statement is not None:
        return Side.of(entry.statement)
    return Side("", 0, entry.text, entry.memory.id, entry.approved, entry.store)


def _suggestion(pairing: Pairing, a: Side, b: Side, together: bool) -> str:
    """Say what to do in one sentence."""
    if a.store:
        return f"change {b.shown}: people approved the memory, in the store at {a.store}; a proposal belongs there"
    if a.approved:
        return f"change {b.shown}: people approved the memory; to change that, file a proposal"
    if a.memory:
        return f"change {b.shown}, or learn its text with --supersedes {a.short_id} if the file is right"
    one, other = pairing.a.statement, pairing.b.statement
    if one is not None and other is not None and (one.scope != other.scope or one.globs != other.globs):
        narrow = b if (other.globs or (other.scope.path or "") > (one.scope.path or "")) else a
        return f"if {narrow.shown} is meant as an exception, say so in the other rule; else keep one of the two"
    if not together:
        return "no agent reads both, so each works by another rule; keep one text and import it from the other file"
    return "keep the one that holds and remove the other, or say in each when it holds"
