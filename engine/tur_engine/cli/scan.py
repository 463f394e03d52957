"""`tur scan`: a lint for the rule files that agents read."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from ..text import counted, excerpt, named, visible
from ..working_folder import here, tidied
from .call import Call, answers
from .progress import bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine import Engine
    from ..sources.report import Report
    from ..sources.scan import Request

FORMATS = ("text", "json", "github", "sarif")
_SHOWN = 60
"""Duplicates and disproved rules told in words; --json tells them all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("scan")(answers(scan))


def scan(
    call: Call,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="A repository, or rule files and folders of one; here by default."),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", metavar="NAME", help="Only what claude, codex, cursor, copilot, gemini, windsurf reads."
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--for", metavar="FILE", help="Only what holds for this file; tells the stack.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="text|json|github|sarif", help="How findings are told.")
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", metavar="FILE", help="Leave out what FILE knows; it is written where it is missing."
        ),
    ] = None,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="quiet|balanced|strict", help="How readily a pair is told.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--anew", help="Do not heed, or keep, what an earlier scan read.")] = False,
) -> int:
    """Find what the rule files of a repository say against each other, the ledger and the repository itself.

    Reads CLAUDE.md, AGENTS.md, GEMINI.md, Cursor's, Copilot's and Windsurf's rules with what they import; changes
    nothing. Exit 3 where two statements clash, 4 where one contradicts an invariant, else 0. Duplicates, and rules
    that the repository disproves, are told and do not change the exit code.
    """
    if call.json and format not in (None, "json"):
        raise BadInput(f"--json and --format {format} contradict each other; give one of the two")
    form = format or ("json" if call.json else "text")
    if form not in FORMATS:
        raise BadInput(f"unknown format {form!r}; use one of {', '.join(FORMATS)}")
    from ..sources.scan import scan as run

    known = _known(baseline)
    request = _request(paths or [], agent, target, profile, fresh)
    with _ledger(call, request.root) as engine, bar("scan", "statements a second") as progress:
        report = run(request, engine, progress)
    if baseline is not None:
        _leave_out(call, report, Path(baseline), known)
    for problem in report.problems:
        call.out.say(visible(problem, newlines=False))
    _answer(call, report, form)
    if any(clash.invariant for clash in report.clashes):
        return 4
    return 3 if report.clashes else 0


def _known(baseline: str | None) -> frozenset[str] | None:
    """Return what a baseline knows; None where there is none yet. What cannot be used is refused before the work."""
    if baseline is None:
        return None
    from ..sources.baseline import read, refuse_place

    if os.path.lexists(baseline):
        return read(Path(baseline))
    refuse_place(baseline)
    return None


def _leave_out(call: Call, report: Report, file: Path, known: frozenset[str] | None) -> None:
    from ..sources.baseline import fingerprints, leave_out, write

    if known is None:
        count = write(file, report)
        call.out.say(f"{named(str(file))} was written with {counted(count, 'finding')}; later scans leave them out")
        known = frozenset(fingerprints(report))
    leave_out(report, known)


def _request(paths: list[str], agent: str | None, target: str | None, profile: str | None, fresh: bool) -> Request:
    from ..sources.agents import agent_named
    from ..sources.discovery import repository_of
    from ..sources.scan import Request

    named = [Path(path) for path in paths]
    for path in named:
        if not os.path.lexists(path):
            raise BadInput(f"there is no {path}; give a repository, or rule files and folders of one")
    only: tuple[Path, ...] = ()
    if not named:
        root = repository_of(here())
    elif len(named) == 1 and named[0].is_dir():
        root = tidied(named[0])
    else:
        root, only = repository_of(named[0]), tuple(named)
    holding = None
    if target is not None:
        beside = Path(target)
        place = beside if beside.is_absolute() else root / beside
        if not place.exists() and beside.exists():
            place = beside
        holding = os.path.relpath(os.path.abspath(place), root).replace(os.sep, "/")
        if holding.startswith("../"):
            raise BadInput(f"--for {target} lies outside {root}; give a file of that repository")
    return Request(
        root,
        only,
        agent_named(agent) if agent else None,
        holding,
        profile or os.environ.get("TUR_PROFILE") or "balanced",
        not fresh,
    )


@contextlib.contextmanager
def _ledger(call: Call, root: Path) -> Iterator[Engine | None]:
    """Open the store that holds here, for reading; None where there is none."""
    from .. import whereabouts

    if (path := whereabouts.standing(call.store, root)) is None:
        yield None
        return
    from ..engine import Engine

    with Engine.open(path, actor=call.actor, read_only=True) as engine:
        yield engine


def _answer(call: Call, report: Report, form: str) -> None:
    if form == "json":
        from ..sources.formats.plain import payload

        call.out.json(payload(report))
    elif form == "sarif":
        from ..sources.formats.sarif import sarif

        call.out.json(sarif(report))
    elif form == "github":
        from ..sources.formats.github import commands

        for line in commands(report):
            call.out.data(visible(line, newlines=False))
        _tell_sum(call, report)
    else:
        _tell(call, report)
        _tell_sum(call, report)


def _tell(call: Call, report: Report) -> None:
    out = call.out
    for agent, files in report.stacks.items():
        out.data(f"{agent} reads, the last going before: {', '.join(named(file) for file in files) or 'nothing'}")
    for clash in report.clashes:
        word = "contradicts an invariant" if clash.invariant else "clash"
        out.data(f"{clash.b.shown}: {out.paint(word, 'red')} ({clash.probability:.2f})")
        for side in (clash.a, clash.b):
            out.data(f"    {side.shown}  {excerpt(side.text, 160)}")
        out.data(f"    {visible(clash.reason, newlines=False)}")
        who = ", ".join(clash.agents) if clash.agents else "no agent reads both"
        out.data(f"    read by: {who}" + (f"; said too at {', '.join(map(named, clash.also))}" if clash.also else ""))
        out.data(f"    {visible(clash.suggestion, newlines=False)}")
    for disproof in report.disproved[:_SHOWN]:
        place = disproof.side.shown
        out.data(f"{place}: {out.paint('disproved', 'yellow')}: {visible(disproof.reason, newlines=False)}")
        out.data(f"    {excerpt(disproof.side.text, 160)}")
    for duplicate in report.duplicates[:_SHOWN]:
        first, *rest = duplicate.places
        places = ", ".join(side.shown for side in rest)
        out.data(f"{first.shown}: {out.paint('duplicate', 'dim')} of {places}: {excerpt(first.text, 100)}")
    left = sum(max(0, len(part) - _SHOWN) for part in (report.disproved, report.duplicates))
    if left:
        unshown = counted(left, "more duplicate or disproved rule", "more duplicates and disproved rules")
        out.data(f"{unshown}; --json tells them all")


def _tell_sum(call: Call, report: Report) -> None:
    told = (
        f"{counted(report.statements, 'statement')} in {counted(len(report.files), 'file')}: "
        f"{counted(len(report.clashes), 'clash', 'clashes')}, {counted(len(report.duplicates), 'duplicate')}, "
        f"{len(report.disproved):,} disproved by the repository"
    )
    if report.baselined:
        told += f"; {report.baselined} known to the baseline"
    if not report.judged:
        told += "; the judge is not installed, words and symbols alone decided"
    call.out.say(told)
