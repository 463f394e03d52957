"""What the tools share: who calls, working in a thread, telling warnings, the words for ids and scopes."""

from __future__ import annotations

import inspect
import logging
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from .visit import Caller

log = logging.getLogger("tur.mcp")

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
SETTLES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

SESSION_HEADER = "mcp-session-id"
ScopeText = Annotated[
    str, Field(description="Where it holds: level[:path][@branch], such as incarnation:src/api@main.")
]
PathText = Annotated[
    str | None,
    Field(
        description="As seen from this folder, relative to the store's root. Without it: the folder that the server "
        "was started in. Empty: the whole store."
    ),
]
BranchText = Annotated[
    str | None,
    Field(description="As seen from this git branch. Without it: the one checked out there. Empty: every branch."),
]
Id = Annotated[str, Field(description="An id as an answer gave it, or a unique prefix of it.")]
Work = Callable[[], CallToolResult]


def add(server: MCPServer[None], tool: Callable[..., Any], hints: ToolAnnotations) -> dict[str, frozenset[str]]:
    """Add a tool under its function's name. Returns the names of its arguments."""
    server.add_tool(tool, name=tool.__name__, description=inspect.getdoc(tool), annotations=hints)
    return {tool.__name__: frozenset(inspect.signature(tool).parameters) - {"ctx"}}


def harness(ctx: Context[None, Any]) -> str:
    """What the caller calls itself."""
    client = ctx.session.client_params
    return client.client_info.name if client is not None and client.client_info is not None else "mcp"


def session(headers: Mapping[str, str] | None) -> str:
    """The session that a request over HTTP names; empty on standard input and where there are none."""
    return (headers or {}).get(SESSION_HEADER, "")


def caller(ctx: Context[None, Any]) -> Caller:
    """Who calls, and in which session."""
    return Caller(harness(ctx), session(ctx.headers))


async def answered(ctx: Context[None, Any], work: Work) -> CallToolResult:
    """Do the work in a thread; pass its warnings on as log messages too, where the session takes them."""
    result = await anyio.to_thread.run_sync(work)
    server = ctx.mcp_server
    if session(ctx.headers) in getattr(server, "quiet", ()):
        return result
    for sentence in (result.structured_content or {}).get("warnings", ()):
        with warnings.catch_warnings():
            # Logging is deprecated in the newest protocol and still what the older ones read.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            sending = ctx.session.send_log_message("warning", sentence, "tur", related_request_id=ctx.request_id)
        await sending
    return result
