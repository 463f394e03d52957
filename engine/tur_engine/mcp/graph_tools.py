"""The tool `commit_graph`: an extracted graph comes in whole, or is refused whole with every fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field, WithJsonSchema

from .. import payloads
from ..errors import GraphRefused
from ..records import GraphReport, OnConflict, Outcome, Scope
from ..text import counted, excerpt
from . import answers
from .calling import ADDS, ScopeText, add, answered
from .calling import harness as harness_of

if TYPE_CHECKING:
    from .visit import Visit

Parts = tuple[Annotated[Any, WithJsonSchema({"type": "object", "additionalProperties": True})], ...]
"""What is no object is a fault among the others, not a call that fails."""


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
            return answers.answer(payloads.graph_report(report), _told(report))

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
        f'{each.conflict.id}: "{excerpt(each.conflict.challenger.memory.content, 120)}" against '
        f'"{excerpt(each.conflict.incumbent.memory.content, 120)}".'
        for each in report.conflicts[:20]
    ]
    lines += [
        f"Edge type {name} is emergent{f' (spelt most like {near})' if near else ''}."
        for name, near in report.emergent.items()
    ]
    return "\n".join([*lines, *report.warnings[:20]])
