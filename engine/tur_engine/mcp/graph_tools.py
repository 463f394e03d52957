"""The tool `commit_graph`: an extracted graph comes in whole, or is refused whole with every fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field, WithJsonSchema

from .. import payloads
from ..errors import GraphRefused
from ..records import ConflictState, GraphReport, OnConflict, Outcome, Scope
from ..text import counted, excerpt
from . import answers, held
from .calling import ADDS, ScopeText, add, answered
from .calling import harness as harness_of

if TYPE_CHECKING:
    from .visit import Visit

Parts = tuple[Annotated[Any, WithJsonSchema({"type": "object", "additionalProperties": True})], ...]
"""What is no object is a fault among the others, not a call that fails."""
_SHOWN = 20
"""So many of each kind stand in the text; the structured answer has them all."""


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tool. Returns the names of its arguments."""

    async def commit_graph(
        ctx: Context[None, Any],
        nodes: Annotated[
            Parts, Field(description="Objects with id, type, content; confidence and sources (memory ids) if known.")
        ] = (),
        edges: Annotated[
            Parts, Field(description="Objects with source, target (ids of nodes or of memories), type; confidence.")
        ] = (),
        scope: ScopeText = "incarnation",
        allow_conflict: Annotated[
            bool, Field(description="Let contradicting nodes in as contested, rather than hold them.")
        ] = False,
        dry_run: Annotated[bool, Field(description="Give the verdict, keep nothing.")] = False,
    ) -> CallToolResult:
        """Commit a graph distilled from memories. Each node passes the gate as a learn does. With a fault nothing is
        taken, and all faults come back: mend them and call again. Node types: Concept, Decision, Constraint,
        Insight, Fact, Dependency, Hypothesis, BoundaryNode, OpenQuestion. Edge types: refines, precedes,
        depends_on, contradicts, competes_with, superseded_by, refuted_by, analogy_of, metaphor_for.
        """
        name = harness_of(ctx)

        def work() -> CallToolResult:
            engine = visit.open(name, create=not dry_run)
            try:
                report = engine.commit_graph(
                    {"nodes": list(nodes), "edges": list(edges)},
                    scope=Scope.parse(scope),
                    on_conflict=OnConflict.ALLOW if allow_conflict else OnConflict.HOLD,
                    dry_run=dry_run,
                )
            except GraphRefused as error:
                payload = payloads.failure(error.code, str(error), {"faults": list(error.faults)})
                return answers.answer(payload, str(error), is_error=True)
            payload = payloads.graph_report(report)
            return answers.answer(payload, "\n".join([_told(report), *_to_settle(report, payload)]))

        return await answered(ctx, work)

    return add(server, commit_graph, ADDS)


def _told(report: GraphReport) -> str:
    would = "would be " if report.dry_run else ""
    lines = [
        f"{counted(report.count(Outcome.COMMITTED), 'node')} {would}committed, "
        f"{report.count(Outcome.DUPLICATE)} known already, {report.count(Outcome.CONFLICT)} {would}held; "
        f"{counted(report.edges_drawn, 'edge')} {would}drawn."
    ]
    lines += [
        f"{each.conflict.id} revision {each.conflict.revision}: "
        f'"{excerpt(each.conflict.challenger.memory.content, 120)}" against '
        f'"{excerpt(each.conflict.incumbent.memory.content, 120)}".'
        for each in report.conflicts[:_SHOWN]
    ]
    lines += [
        f"Edge type {name} is emergent{f' (spelt most like {near})' if near else ''}."
        for name, near in report.emergent.items()
    ]
    return "\n".join([*lines, *report.warnings[:_SHOWN]])


def _to_settle(report: GraphReport, payload: dict[str, Any]) -> list[str]:
    """Return what is to be done about the nodes that are held: a call for each conflict, or that people decide."""
    nodes = {node.id: node for node in report.nodes if node.outcome is Outcome.CONFLICT}
    if not nodes or report.dry_run:
        return []
    clashes = [each for each in payload["conflicts"] if each["candidate_id"] in nodes]
    escalated = [each["conflict_id"] for each in clashes if each["state"] == ConflictState.ESCALATED]
    calls = [held.call(each, each["suggested_action"]) for each in clashes if each["conflict_id"] not in escalated]
    lines = ["What is held is not learned."]
    if calls:
        lines += ["Settle it, or leave it to a person:", *calls[:_SHOWN]]
    if escalated:
        lines.append(f"A person decides on {', '.join(escalated[:_SHOWN])}. Wait for them.")
    if waiting := [node for node in nodes.values() if not node.conflicts]:
        why = dict.fromkeys(sentence for node in waiting for sentence in node.warnings)
        lines += [f"A person has to let in {', '.join(node.id for node in waiting[:_SHOWN])}:", *list(why)[:_SHOWN]]
    return lines
