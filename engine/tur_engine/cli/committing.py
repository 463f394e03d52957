"""`tur introspect --commit` and `--delegate`, `tur import`: whole graphs, in and out of a language model's hands."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import BadInput, ConflictHeld
from ..text import counted, excerpt, visible
from .call import Call

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import GraphReport, OnConflict, Scope

HELD = 3
_SHOWN = 20
"""Conflicts and warnings told in words; --json tells them all."""


def commit(
    call: Call, source: str, *, scope: str = "incarnation", named: OnConflict | None = None, dry_run: bool = False
) -> int:
    """Take in a graph from a file, or `-` for standard input, whole or not at all."""
    text = _standard_input() if source == "-" else None

    def take(engine: Engine, where: Scope, policy: OnConflict) -> GraphReport:
        from pathlib import Path

        graph = Path(source) if text is None else text
        return engine.commit_graph(graph, scope=where, on_conflict=policy, dry_run=dry_run, where=_from(source))

    return _take(call, take, scope, named, dry_run)


def import_graph(
    call: Call,
    source: str,
    *,
    scope: str = "incarnation",
    named: OnConflict | None = None,
    dry_run: bool = False,
    text: str | None = None,
) -> int:
    """Take in an old node-link graph, whole. `text`: what standard input held, where it was read already."""
    text = _standard_input() if source == "-" and text is None else text

    def take(engine: Engine, where: Scope, policy: OnConflict) -> GraphReport:
        from pathlib import Path

        graph = Path(source) if text is None else text
        return engine.import_graph(graph, scope=where, on_conflict=policy, dry_run=dry_run, where=_from(source))

    return _take(call, take, scope, named, dry_run)


def delegate(call: Call, *, limit: int | None = None) -> int:
    """Print the prompt by which a language model extracts a graph from the store's memories."""
    with call.open(read_only=True) as engine:
        prompt = engine.extraction_prompt(limit=limit)
    if call.json:
        call.out.json({"prompt": prompt})
    else:
        call.out.data(visible(prompt))
    return 0


def _take(
    call: Call,
    take: Callable[[Engine, Scope, OnConflict], GraphReport],
    scope: str,
    named: OnConflict | None,
    dry_run: bool,
) -> int:
    from .. import payloads
    from ..records import OnConflict, Outcome, Scope
    from .on_conflict import choose_policy

    where = Scope.parse(scope)
    with call.open(create=not dry_run) as engine:
        policy, _ = choose_policy(engine, named)
        policy = OnConflict.HOLD if policy is OnConflict.ASK else policy  # a graph is not asked about node by node
        try:
            report = take(engine, where, policy)
        except ConflictHeld:
            raise ConflictHeld(
                "a node clashes with what is known; nothing of the graph was recorded (on-conflict is fail)"
            ) from None
        if call.json:
            call.out.json(payloads.graph_report(report))
        else:
            _tell(call, engine, report)
    return HELD if report.count(Outcome.CONFLICT) else 0


def _tell(call: Call, engine: Engine, report: GraphReport) -> None:
    from ..records import Outcome

    would = "would be " if report.dry_run else ""
    words = {Outcome.COMMITTED: "committed", Outcome.DUPLICATE: "known already", Outcome.CONFLICT: "held"}
    counts = [(report.count(outcome), word) for outcome, word in words.items()]
    told = ", ".join(f"{count:,} {word}" for count, word in counts if count) or "no nodes"
    nodes, edges = counted(len(report.nodes), "node"), counted(report.edges_drawn, "edge")
    call.out.data(f"{nodes} {would}taken: {told}; {edges} {would}drawn")
    if report.edges_known:
        call.out.data(f"{counted(report.edges_known, 'edge')} known already")
    conflicts = [each.conflict for each in report.conflicts]
    for conflict in conflicts[:_SHOWN]:
        sides = (f'"{excerpt(side.memory.content, 60)}"' for side in (conflict.challenger, conflict.incumbent))
        name = conflict.id[:17] if report.dry_run else engine.short(conflict.id)
        call.out.data(f"{name}: {' against '.join(sides)}")
    for ref in report.conflicts_opened[:_SHOWN]:
        call.out.data(f"{ref[:17]} {would}opened by an edge")
    more = max(0, len(conflicts) - _SHOWN) + max(0, len(report.conflicts_opened) - _SHOWN)
    if more:
        how = "--json tells them all" if report.dry_run else "tur conflicts lists them"
        call.out.data(f"and {counted(more, 'more conflict')} ({how})")
    for name, near in report.emergent.items():
        hint = f" (spelt most like {near})" if near else ""
        call.out.say(f"edge type {name} is emergent: it describes and has no force{hint}")
    sentences = [*report.warnings, *(f"node {each.node}: {text}" for each in report.nodes for text in each.warnings)]
    for sentence in sentences[:_SHOWN]:
        call.out.warn(visible(sentence, newlines=False))
    if len(sentences) > _SHOWN:
        call.out.warn(f"and {len(sentences) - _SHOWN:,} more (--json tells them all)")


def _from(source: str) -> str:
    return "standard input" if source == "-" else source


def _standard_input() -> str:
    from ..introspect.graph_text import LARGEST

    if sys.stdin is None:
        raise BadInput("standard input is closed; send the graph, or name a file")
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadInput(f"the graph is larger than {LARGEST // 1024 // 1024} MB; commit it in parts")
    return sent(data)


def sent(data: bytes) -> str:
    """Return what standard input held as text; an empty graph where that was nothing. Raises BadInput."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise BadInput(f"standard input is not UTF-8 at byte {e.start + 1}; send it as UTF-8") from e
    return text if text.strip() else "{}"
