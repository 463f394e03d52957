"""`check_action`: what an action or plan would run into, before the model carries it out (EP-0134, section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from .. import payloads
from ..errors import BadInput
from ..facade.guarding import LONGEST_ACTION
from ..records import GuardOutcome, GuardReport
from ..text import accept, excerpt
from . import answers
from .calling import READS, add, answered
from .calling import harness as harness_of
from .calling import session as session_of
from .naming import as_tools

if TYPE_CHECKING:
    from .visit import Visit


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tool. Returns the names of its arguments."""

    async def check_action(
        ctx: Context[None, Any],
        text: Annotated[str, Field(description="A command, an action or a whole plan, as you would carry it out.")],
        path: Annotated[str, Field(description="The folder it is done in, relative to the store's root.")] = "",
        branch: Annotated[str, Field(description="The git branch it is done on.")] = "",
    ) -> CallToolResult:
        """Ask before you act: does this break a rule that people have laid down? Every axiom and core memory in force
        is weighed. Status invariant_violation: do not do it; warned: say why you do; clear: nothing speaks against it.
        """
        harness, session = harness_of(ctx), session_of(ctx.headers) or visit.session

        def work() -> CallToolResult:
            if not text.strip():
                raise BadInput("text is empty; give the command, the action or the plan")
            accept(text, "text", LONGEST_ACTION)
            engine = visit.open(harness)
            on = engine.place().branch
            report = engine.guard(text, path=path or None, branch=branch or None, on=on, session=session)
            violated = report.outcome is GuardOutcome.VIOLATION
            return answers.answer(_payload(report), _told(report), is_error=violated)

        return await answered(ctx, work)

    return add(server, check_action, READS)


def _payload(report: GuardReport) -> dict[str, Any]:
    payload = payloads.guard(report)
    for number, warning in enumerate(report.warnings):
        advice = as_tools(warning.advice)
        payload["warnings"][number] = payload["warnings"][number].removesuffix(warning.advice) + advice
        payload["clashes"][number]["advice"] = advice
    return payload


def _told(report: GuardReport) -> str:
    lines = []
    for warning in report.warnings:
        word = "invariant" if warning.binding else "constraint"
        lines.append(
            f'"{excerpt(warning.action, 200)}" clashes with the {word} {warning.belief.memory.short_id} '
            f'("{excerpt(warning.belief.memory.content, 400)}"). {as_tools(warning.advice)}'
        )
    if report.left_out:
        lines.append(f"Actions that were not weighed: {report.left_out:,}; ask about them by themselves.")
    if report.rules_left_out:
        lines.append(
            f"Each action was weighed against the {report.weighed:,} rules nearest to it; "
            f"{report.rules_left_out:,} more were not."
        )
    if lines:
        return "\n".join(lines)
    return f"Clear: nothing in force speaks against it ({report.weighed} weighed)."
