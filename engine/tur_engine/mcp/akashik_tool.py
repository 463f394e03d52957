"""`akashik_detect`: an Akashik message as a tool call (CONTRACTS 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from ..akashik import answer
from ..text import counted
from . import answers
from .calling import ADDS, add, answered
from .calling import harness as harness_of

if TYPE_CHECKING:
    from .visit import Visit


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tool. Returns the names of its arguments."""

    async def akashik_detect(
        ctx: Context[None, Any],
        envelope: Annotated[
            dict[str, Any], Field(description="protocol, version, id, operation, agent_id, session_id, epoch, payload.")
        ],
        strict: Annotated[bool, Field(description="Cut the answer to the schemas of 0.1.0-draft.")] = False,
        sdk_compat: Annotated[bool, Field(description="Compare null as a value too.")] = False,
    ) -> CallToolResult:
        """Answer an Akashik 0.1.0 message: DETECT (payload mode list, check or scan), or RECORD, which passes the
        gate. The answer is the bare payload.
        """
        harness = harness_of(ctx)

        def work() -> CallToolResult:
            reply = answer(
                envelope,
                lambda message: visit.open(harness, create=message.operation == "RECORD"),
                strict=strict,
                sdk_compat=sdk_compat,
            )
            payload = reply.payload
            if "code" in payload:
                text = f"{payload['code']}: {payload['message']}; {payload['suggested_action']}"
            elif "conflicts" in payload:
                text = f"{counted(len(payload['conflicts']), 'conflict')}."
            else:
                told = payload["rejection_reason"] or f"Recorded as {payload['memory_unit_id']}."
                text = "\n".join([told, *payload.get("warnings", ())])
            return answers.answer(payload, text, is_error=reply.exit_code != 0)

        return await answered(ctx, work)

    return add(server, akashik_detect, ADDS)
