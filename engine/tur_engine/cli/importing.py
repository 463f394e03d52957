"""`tur import`: memories and graphs from files, through the gate; a rehearsal comes first."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput
from ..text import counted, visible
from .call import Call, answers
from .output import terminal

if TYPE_CHECKING:
    from ..records import BatchReport, OnConflict

FORMATS = ("jsonl", "md", "rules", "graph", "upstream")
_LARGEST = 256 * 1024 * 1024
_BY_NAME = {".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "md", ".markdown": "md", ".yaml": "graph", ".yml": "graph"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(answers(import_))


def import_(
    call: Call,
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Files, - for standard input, a folder of upstream's Tur, or with --format rules one of rule files.",
        ),
    ],
    format: Annotated[
        str | None,
        typer.Option("--format", "-f", metavar="jsonl|md|rules|graph|upstream", help="Default: by name and content."),
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="SCOPE", help="Where a graph's nodes hold: LEVEL[:PATH][@BRANCH].")
    ] = None,
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="hold|allow|fail", help="What to do where one contradicts a memory."),
    ] = None,
    whole: Annotated[
        bool,
        typer.Option(
            "--all-or-nothing", help="Where one memory clashes or is refused, keep none of them, whatever the mode."
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be taken in; keep nothing.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take memories in without showing first what would be.")
    ] = False,
) -> int:
    """Take in memories: rule files, JSON lines, Markdown with one memory a list item, an upstream store, an old graph.

    Rule files (CLAUDE.md, AGENTS.md, .cursor/rules and their like) are cut into statements as `tur scan` cuts them,
    with what they import; folder and globs say where a statement holds, its headings are the topic. JSON lines are
    those of `tur export` or `tur learn --from`. What would become of each memory is shown first; --yes takes them in.

    Each line passes the gate, and is weighed against those before it. What a file says of author and id is kept as a
    claim; who imports is the author.

    An old node-link graph (JSON or YAML) comes in whole, at once: nodes as memories of type concept, typed edges as
    they are. Lists of edges may be named edges or links. A node type that nobody knows is kept as legacy; what had
    fallen there comes in as history.
    """
    from .on_conflict import flagged

    if yes and dry_run:
        raise BadInput("--yes and --dry-run contradict each other; give one of the two")
    if sources.count("-") > 1:
        raise BadInput("standard input is named twice; it can be read once")
    named = flagged(on_conflict, False, whole=whole)
    given = [(source, *_read(source, format)) for source in sources]
    if any(kind == "graph" for _, kind, _ in given):
        if len(given) > 1:
            raise BadInput("a graph is imported alone; name the other files in another call")
        if whole:
            raise BadInput("a graph comes in whole always; leave --all-or-nothing out")
        source, _, data = given[0]
        from . import committing

        text = committing.sent(data) if source == "-" else None
        return committing.import_graph(
            call, source, scope=scope or "incarnation", named=named, dry_run=dry_run, text=text
        )
    if scope is not None:
        raise BadInput("--scope is for a graph; each memory says itself where it holds")
    return _memories(call, given, named, whole=whole, dry_run=dry_run, yes=yes)


def _read(source: str, named: str | None) -> tuple[str, bytes]:
    """Return what a source holds, and its bytes. Raises BadInput."""
    if named is not None and named.lower() not in FORMATS:
        raise BadInput(f"unknown format {named!r}; use one of {', '.join(FORMATS)}")
    kind = named.lower() if named else None
    if source != "-" and Path(source).is_dir():
        if kind not in (None, "rules", "upstream"):
            raise BadInput(f"{source} is a folder; name a file")
        return kind or "upstream", b""
    if kind == "upstream":
        raise BadInput(f"{source} is no folder; name the folder of upstream's store")
    from .batch import opened
    from .ruled import named_as_rules

    with opened(source, "") as stream:
        if kind == "rules" or (kind is None and source != "-" and named_as_rules(source)):
            return "rules", b""
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise BadInput(f"{source} is larger than {_LARGEST >> 20} MB; import it in parts")
    return kind or _kind(source, data), data


def _kind(source: str, data: bytes) -> str:
    if (kind := _BY_NAME.get(Path(source).suffix.lower())) is not None:
        return kind
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head[:1] == b"{":
        try:
            first = json.loads(head.partition(b"\n")[0])
        except (ValueError, RecursionError):
            return "graph"
        return "jsonl" if isinstance(first, dict) and not first.keys() & {"nodes", "edges", "links"} else "graph"
    if re.match(rb"(?:[-*+]|\d+[.)]|#{1,6})\s", head):
        return "md"
    if re.match(rb"\[|[\w'\"]+\s*:", head):
        return "graph"
    raise BadInput(f"{source}: nothing tells what it holds; give --format {'|'.join(FORMATS[:4])}")


def _memories(
    call: Call,
    given: list[tuple[str, str, bytes]],
    named: OnConflict | None,
    *,
    whole: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    from ..records import Outcome
    from ..sources.gated import weigh_rules
    from . import ruled
    from .batch import Progress, gravest, note_unkept, tell, tell_ignored
    from .gathered import Files
    from .lines import LineReader
    from .on_conflict import at_gate, choose_policy
    from .stopping import BetweenLines, Terminated
    from .upstream_store import StoreReader

    rules = [source for source, kind, _ in given if kind == "rules"]
    books = ruled.books(rules, _store_folder(call)) if rules else {}
    for problem in (each for book in books.values() for each in book.problems):
        call.out.say(visible(problem, newlines=False))
    with call.open(create=yes) as engine:
        if rules:
            weigh_rules(engine)
        policy, _ = choose_policy(engine, named)
        how = at_gate(policy, whole=whole)

        def run(take: Any) -> BatchReport:
            files = Files(call, engine, given, books)
            progress = Progress(call.out)
            try:
                with BetweenLines() as between:
                    report: BatchReport = take(
                        between.read(files.read()),
                        on_conflict=how,
                        progress=between.telling(progress),
                        told=files.became,
                    )
            except (KeyboardInterrupt, Terminated):
                progress.clear()
                call.out.say(_stopped(progress.lines, kept=take == engine.learn_many))
                raise
            progress.clear()
            note_unkept(call, report)
            for reader in files.readers:
                if isinstance(reader, StoreReader) and reader.passed:
                    passed = counted(reader.passed, "file")
                    call.out.say(f"{passed} passed over: what is in there is not active")
                if isinstance(reader, ruled.RuleReader) and reader.rendered:
                    lines = counted(reader.rendered, "line")
                    call.out.say(f"passed over as known: {lines} of the block that tur render keeps")
                if isinstance(reader, LineReader):
                    tell_ignored(call, reader)
                    if reader.loose:
                        call.out.warn(f"{counted(reader.loose, 'edge')} to memories that are not here: left out")
            if call.json:
                call.out.json(files.payload(report))
            else:
                tell(call, engine, report, files.place)
            return report

        asking = not (yes or dry_run or call.json) and terminal()
        for_good = engine.learn_together if whole else engine.learn_many
        report = run(for_good if yes else engine.rehearse_many)
        if not yes and not dry_run:
            if asking and call.out.agreed("Take them in?"):
                report = run(for_good)
            else:
                call.out.say("nothing was kept; --yes takes them in")
    held = sum(result.outcome is Outcome.CONFLICT for result in report.results)
    return gravest(report, held)


def _store_folder(call: Call) -> Path:
    from .. import whereabouts

    store = whereabouts.find(call.store)
    return store.parent.parent if store.parent.name == whereabouts.FOLDER else store.parent


def _stopped(lines: int, *, kept: bool) -> str:
    if not kept or not lines:
        return "stopped; nothing was taken in"
    return (
        f"stopped; through and kept: {counted(lines, 'memory', 'memories')}. Import the same files again to go on: "
        "what is known is not learned twice"
    )
