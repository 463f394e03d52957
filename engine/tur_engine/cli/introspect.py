"""`tur introspect`: a pass over the whole store, and graphs that an agent extracted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from ..text import counted, excerpt, visible
from .call import Call, answers
from .progress import bar
from .stopping import AsInterrupt

if TYPE_CHECKING:
    from ..records import FoundPair, Introspection

_WORDS = {
    "contradiction": "contradicts",
    "violation": "may contradict the invariant",
    "elsewhere": "contradicts the invariant",
    "duplicate": "says the same as",
    "refinement": "refines",
}
_SHOWN = 40
"""Findings told in words; --json tells them all."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("introspect")(answers(introspect))


def introspect(
    call: Call,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", min=1, max=64, help="Processes; one a core by default.")
    ] = None,
    shard: Annotated[
        str,
        typer.Option("--shard", metavar="I/N", help="Only part I of N, by the first 8 hex of each memory's digest."),
    ] = "1/1",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be found; write nothing.")] = False,
    commit: Annotated[
        str | None,
        typer.Option("--commit", metavar="FILE|-", help="Take in a graph that was extracted from memories instead."),
    ] = None,
    delegate: Annotated[
        bool, typer.Option("--delegate", help="Print the prompt by which a language model extracts one instead.")
    ] = False,
    scope: Annotated[
        str, typer.Option("--scope", metavar="SCOPE", help="Where its nodes hold: LEVEL[:PATH][@BRANCH].")
    ] = "incarnation",
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="hold|allow|fail", help="What to do where a node contradicts a memory."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Read again what an earlier pass has read, and what one was stopped in.")
    ] = False,
) -> int:
    """Weigh every live memory against those before it.

    Contradictions are opened for people to settle, repetitions are noted, refinements linked; nothing is removed.
    What contradicts an invariant of a store above, or of your own, is told by every pass.
    A pass that was stopped goes on where it was, and what an earlier one read is not read again.

    --delegate and --commit leave the reading to a language model: the one prints a prompt, the other takes in the
    graph that came of it, each node through the gate. --scope and --on-conflict go with --commit.
    """
    if delegate or commit is not None:
        from . import committing
        from .on_conflict import flagged

        if (delegate and commit is not None) or workers or shard != "1/1" or anew or (delegate and dry_run):
            raise BadInput("--delegate and --commit stand alone; --commit goes with --dry-run, --scope, --on-conflict")
        if delegate:
            return committing.delegate(call)
        assert commit is not None
        return committing.commit(call, commit, scope=scope, named=flagged(on_conflict, False), dry_run=dry_run)
    if scope != "incarnation" or on_conflict is not None:
        raise BadInput("--scope and --on-conflict go with --commit")
    with (
        call.open(read_only=dry_run) as engine,
        AsInterrupt() as ending,
        bar("introspect", "memories a second") as progress,
    ):
        report = engine.introspect(workers=workers, shard=shard, dry_run=dry_run, anew=anew, progress=progress)
    if call.json:
        from .. import payloads

        call.out.json(payloads.introspection(report))
    else:
        _tell(call, report)
    if report.stopped:
        call.out.say("stopped; what was found is kept, and the next pass goes on from here")
        return ending.exit_code
    return 0


def _tell(call: Call, report: Introspection) -> None:
    for pair in report.found[:_SHOWN]:
        call.out.data(_line(pair))
    if len(report.found) > _SHOWN:
        call.out.data(f"and {len(report.found) - _SHOWN} more (--json tells them all)")
    found, again, linked = (
        len(report.of(*kinds)) for kinds in (("contradiction", "violation"), ("duplicate",), ("refinement",))
    )
    rest = report.live - report.scanned
    known = f", {rest:,} as they were read before" if rest and report.shard == "1/1" and not report.stopped else ""
    opened, noted, joined = ("to open", "to note", "to link") if report.dry_run else ("opened", "noted", "linked")
    call.out.data(
        f"{counted(report.scanned, 'memory', 'memories')} read in {report.seconds:.1f} s{known}; "
        f"{counted(report.pairs_judged, 'pair')} weighed"
    )
    call.out.data(f"conflicts {opened}: {found}, repetitions {noted}: {again}, refinements {joined}: {linked}")
    if elsewhere := len(report.of("elsewhere")):
        call.out.data(f"against invariants of other stores: {elsewhere}; settle it there, or retract the memory here")
    for circle in report.cycles:
        call.out.data(f"a circle of reasons: {' -> '.join(_short(id) for id in (*circle, circle[0]))}")
    call.out.data(
        f"{report.suspects} suspect; {counted(report.islands, 'group')} of linked memories, "
        f"{report.unlinked} without a link"
    )
    if report.dry_run:
        call.out.data("Nothing was written.")


def _short(id: str) -> str:
    kind, _, digest = id.rpartition("-")
    return f"{kind}-{digest[:8]}"


def _line(pair: FoundPair) -> str:
    conflict = f" ({pair.conflict_id[:17]}, {pair.probability:.0%})" if pair.conflict_id else ""
    sides = [f'{belief.memory.short_id} "{excerpt(belief.memory.content, 60)}"' for belief in (pair.newer, pair.older)]
    word = _WORDS[pair.kind if pair.certain else "violation"]
    where = f" of the store at {visible(pair.store, newlines=False)}" if pair.store else ""
    return f"{sides[0]} {word} {sides[1]}{where}{conflict}"
