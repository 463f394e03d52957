"""`tur render`: keeps one block of a rule file current with what is in force."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput, NotAllowed
from ..text import counted, named
from ..working_folder import here
from .call import Call, answers
from .output import terminal

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import BatchReport
    from ..sources.deeper import Left
    from ..sources.rendition import Edit, Rendition

STALE = 1


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("render")(answers(render))


def render(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="CLAUDE.md, AGENTS.md or another rule file.")],
    check: Annotated[
        bool, typer.Option("--check", help="Exit 1 where the block is not current; write nothing.")
    ] = False,
    learn: Annotated[
        bool, typer.Option("--learn", help="Pass what a hand wrote into the block through the gate first.")
    ] = False,
    drop_edits: Annotated[
        bool, typer.Option("--drop-edits", help="Write over what a hand wrote into the block.")
    ] = False,
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="hold|allow|fail", help="With --learn: what to do on a contradiction."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
) -> int:
    """Keep a block of a rule file current with what is in force for its folder and branch.

    Invariants first, then by topic; contested memories with both sides; nothing that was superseded, nothing that the
    file says itself, nor what holds in a deeper folder only where a file of the same name lies. The change is shown
    first. Nothing outside of the block is touched. A block that was edited by hand is left alone until the edit was
    learned (--learn) or dropped (--drop-edits).
    """
    from ..sources.drafting import top_of
    from ..sources.pages import page_at
    from ..sources.rendition import Rendition

    _refuse_what_does_not_fit(check=check, learn=learn, drop=drop_edits, yes=yes, policy=on_conflict)
    with call.open(read_only=not learn) as engine:
        if not learn:
            call.out.done = "nothing was changed"
        top = top_of(here(), engine.root)
        made = Rendition(engine, page_at(Path(file), top), top)
        if made.edited and not (learn or drop_edits):
            raise NotAllowed(
                f"{made.file.name}: its block was edited by hand; --learn passes the edit through the gate, "
                "--drop-edits writes over it"
            )
        report = None
        if learn and (edits := made.edits()):
            report, kept = _learn(call, engine, made, edits, on_conflict, yes=yes)
            if not kept:
                return _stopped(call, made, report)
        return _bring_up_to_date(call, made, report, check=check, yes=yes)


def _refuse_what_does_not_fit(*, check: bool, learn: bool, drop: bool, yes: bool, policy: str | None) -> None:
    if learn and drop:
        raise BadInput("--learn and --drop-edits contradict each other; give one of the two")
    if check and (learn or yes):
        raise BadInput(f"--check writes nothing, {'--learn' if learn else '--yes'} does; give one of the two")
    if policy is not None and not learn:
        raise BadInput("--on-conflict is for what --learn passes through the gate; give --learn with it")


def _learn(
    call: Call, engine: Engine, made: Rendition, edits: list[Edit], asked: str | None, *, yes: bool
) -> tuple[BatchReport, bool]:
    """Pass the edits through the gate, once they were shown; the second value is False where the block must wait."""
    from ..sources.gated import weigh_rules
    from .batch import tell
    from .on_conflict import at_gate, choose_policy, flagged

    weigh_rules(engine)
    policy, _ = choose_policy(engine, flagged(asked, False))
    how = at_gate(policy)

    def place(number: int) -> str:
        return f"{named(made.file.name)}:{edits[number - 1].said.line}"

    drafts = [edit.draft for edit in edits]
    report = engine.rehearse_many(drafts, on_conflict=how)
    if not call.json and (_stops(report) or not yes):
        tell(call, engine, report, place)
    if _stops(report) or not (yes or _agreed(call, "Learn this?")):
        return report, False
    report = engine.learn_many(drafts, on_conflict=how)
    if not call.json:
        tell(call, engine, report, place)
    return report, not _stops(report)


def _stops(report: BatchReport) -> bool:
    return bool(report.refused or report.invariant_violations)


def _stopped(call: Call, made: Rendition, report: BatchReport) -> int:
    from .batch import gravest

    if call.json:
        call.out.json(_payload(made, "stale", 0, "", report))
    if _stops(report):
        if report.dry_run and not call.json:
            call.out.say("nothing was learned or written: mend these lines, or drop them with --drop-edits")
        return gravest(report, 0)
    call.out.say("nothing was learned or written; --yes does both")
    return gravest(report, report.held)


def _bring_up_to_date(call: Call, made: Rendition, report: BatchReport | None, *, check: bool, yes: bool) -> int:
    from ..sources.pages import replace
    from .batch import gravest
    from .unified import show

    page = made.page()
    left = made.left(page)
    text = made.text(page.lines)
    current = made.file.raw is not None and text == made.file.text
    diff = [] if current else _diff(made, text)
    if not call.json:
        show(call.out, diff)
    written = not current and not check and (yes or _agreed(call, "Write this?"))
    if written:
        replace(made.file, text)
        call.out.done = f"{made.file.name} is written"
    name = named(made.file.name)
    if made.more:
        call.out.warn("more holds here than is looked at; the newest memories are in the block")
    if call.json:
        status = "current" if current else "written" if written else "stale"
        call.out.json(_payload(made, status, page.memories, "\n".join(diff), report, left))
    else:
        also = f", {page.said} more it says itself" if page.said else ""
        if deeper := sum(each.memories for each in left):
            also += f", {deeper:,} more left to deeper folders"
        known = counted(page.memories, "memory", "memories")
        state = "is current" if current else "was written" if written else "is not current"
        call.out.say(f"{name} {state}: {known} in its block{also}")
        _tell_missing(call, made, left)
    if not current and not written and not check:
        call.out.say("nothing was written; --yes writes it")
    if check and not current:
        return STALE
    return gravest(report, report.held) if report is not None else 0


def _tell_missing(call: Call, made: Rendition, left: Sequence[Left]) -> None:
    """Name the deeper files that do not say yet what is left to them."""
    for each in left:
        if each.missing:
            file = named(os.path.relpath(made.top / each.file))
            lacks = counted(each.missing, "memory that holds", "memories that hold")
            call.out.say(f"{file} lacks {lacks} only there; tur render {file} writes what it lacks")


def _diff(made: Rendition, text: str) -> list[str]:
    from .unified import unified

    before = None if made.file.raw is None else made.file.text
    return unified(named(made.file.name), before, text)


def _agreed(call: Call, question: str) -> bool:
    return not call.json and terminal() and call.out.agreed(question)


def _payload(
    made: Rendition, status: str, memories: int, diff: str, report: BatchReport | None, left: Sequence[Left] = ()
) -> dict[str, Any]:
    from .. import payloads

    return {
        "file": made.file.name,
        "status": status,
        "edited": made.edited,
        "memories": memories,
        "left": [{"file": each.file, "memories": each.memories, "missing": each.missing} for each in left],
        "diff": diff,
        "learned": None if report is None else payloads.batch(report),
    }
