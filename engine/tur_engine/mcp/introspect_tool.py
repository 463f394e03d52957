"""The tool `introspect`: one step of the pass over the whole store, as long as a call may take."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from .. import payloads
from ..text import counted, excerpt
from . import answers
from .calling import ADDS, add, answered
from .calling import harness as harness_of

if TYPE_CHECKING:
    from .visit import Visit


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tool. Returns the names of its arguments."""

    async def introspect(
        ctx: Context[None, Any],
        seconds: Annotated[
            float, Field(gt=0, le=600, description="Stop after about so long; the next call goes on from there.")
        ] = 30,
        dry_run: Annotated[bool, Field(description="Say what would be found, write nothing.")] = False,
    ) -> CallToolResult:
        """Look for contradictions, repetitions and refinements among all memories. Contradictions are opened for
        people to settle; nothing is removed. Call again while "stopped" is true.
        """
        harness = harness_of(ctx)

        def work() -> CallToolResult:
            stop = threading.Event()
            timer = threading.Timer(seconds, stop.set)
            timer.daemon = True
            timer.start()
            try:
                report = visit.open(harness).introspect(workers=1, dry_run=dry_run, stop=stop)
            finally:
                timer.cancel()
            lines = [
                f'{pair.kind}: {pair.newer.id} "{excerpt(pair.newer.memory.content, 120)}" and '
                f'{pair.older.id} "{excerpt(pair.older.memory.content, 120)}"'
                + (f" ({pair.conflict_id})" if pair.conflict_id else "")
                for pair in report.found[:50]
            ]
            left = " There is more to read; call it again." if report.stopped else ""
            read, found = counted(report.scanned, "memory", "memories"), counted(len(report.found), "pair")
            lines.append(f"{read} read, {found} found.{left}")
            return answers.answer(payloads.introspection(report) | {"warnings": []}, "\n".join(lines))

        return await answered(ctx, work)

    return add(server, introspect, ADDS)
