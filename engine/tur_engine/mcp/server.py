"""The server: tools, resources, and what happens when a call cannot be carried out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import anyio.to_thread
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError, UnexpectedToolError
from mcp_types import CallToolResult, EmptyResult, InputRequiredResult, SetLevelRequestParams
from pydantic import AnyHttpUrl, AnyUrl, ValidationError

from ..errors import TurError
from ..text import excerpt
from ..version import __version__
from . import akashik_tool, answers, calling, graph_tools, guard_tool, introspect_tool, resources, tools
from .unread import HALF, holds_half
from .visit import Visit
from .wire import lines

INSTRUCTIONS = """\
Long-lived memory with a gate. context() before you start, recall() before you rely on something; where
"contested" is true, say so. learn() one sentence at a time. Where it contradicts what is believed, the
memory is held and the answer has status "conflict_detected": settle it with one resolve_conflict call (the
conflict_id, revision and a verb among resolution_options, with an honest reason), or leave it to a person.
Status "invariant_violation": a person's rule forbids it, do not try again; propose() is the only way.
Answers carry settled[]: what people have decided since your last call."""

BARE = frozenset({"akashik_detect"})
"""Tools whose answer has another protocol's shape: news is told by the next call of another one."""
ABOVE_WARNING = frozenset({"error", "critical", "alert", "emergency"})


class TurServer(MCPServer[None]):
    """An MCP server whose every failure is a result with structured content."""

    def __init__(self, visit: Visit, verifier: TokenVerifier | None = None) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
            try:
                yield
            finally:
                visit.close()

        # The SDK wants an issuer; without a resource's URL it is never shown, for there is none.
        auth = AuthSettings(issuer_url=AnyHttpUrl("http://127.0.0.1"), resource_server_url=None) if verifier else None
        # Before the SDK does: plain lines, where its own handler draws boxes around tracebacks.
        logging.basicConfig(level=logging.WARNING, format="tur-mcp: %(levelname)s: %(message)s")
        super().__init__(
            name="tur",
            title="tur: memory with a gate",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
            lifespan=lifespan,
            token_verifier=verifier,
            auth=auth,
            subscriptions=False,
        )
        for method in ("prompts/list", "prompts/get"):  # there are none, so none are announced
            self._lowlevel_server._request_handlers.pop(method)
        self.visit = visit
        self.quiet: set[str] = set()
        """Sessions that asked for nothing as low as warnings."""
        self._lowlevel_server.add_request_handler("logging/setLevel", SetLevelRequestParams, self._set_level)
        self.arguments_of = tools.register(self, visit)
        self.arguments_of |= guard_tool.register(self, visit)
        self.arguments_of |= akashik_tool.register(self, visit)
        self.arguments_of |= introspect_tool.register(self, visit)
        self.arguments_of |= graph_tools.register(self, visit)
        resources.register(self, visit)

    async def run_stdio_async(self) -> None:
        """Serve over standard input and output, bad lines answered too."""
        async with lines() as (hears, tells):
            low = self._lowlevel_server
            await low.run(hears, tells, low.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Run one tool. A refusal comes back as a result, an unknown tool's too."""
        if context is not None:
            await anyio.to_thread.run_sync(self.visit.arrive, calling.caller(context))
        result = await self._carried_out(name, arguments, context)
        if context is None or name in BARE or not isinstance(result, CallToolResult):
            return result
        return answers.with_news(result, await anyio.to_thread.run_sync(self.visit.news, calling.caller(context)))

    async def _carried_out(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        if holds_half([name, arguments]):
            return answers.bad_input(HALF)
        if (known := self.arguments_of.get(name)) is None:
            return answers.bad_input(
                f"there is no tool {excerpt(name)}; there are {', '.join(sorted(self.arguments_of))}"
            )
        if unknown := arguments.keys() - known:
            takes = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            return answers.bad_input(f"{name} has no argument {excerpt(', '.join(sorted(unknown)))}; {takes}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                return answers.bad_arguments(name, cause)
            if isinstance(cause, TurError):
                return answers.refusal(cause)
            if isinstance(error, UnexpectedToolError):
                calling.log.exception("%s failed", name)
                return answers.fault(name)
            raise

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[None, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read one resource; a long address that names none is cut where it is told."""
        try:
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            raise ResourceNotFoundError(excerpt(str(error), 300)) from error

    async def _set_level(self, ctx: ServerRequestContext[None, Any], params: SetLevelRequestParams) -> EmptyResult:
        of = calling.session(getattr(ctx.request, "headers", None))
        (self.quiet.add if params.level in ABOVE_WARNING else self.quiet.discard)(of)
        return EmptyResult()


def serve(visit: Visit) -> None:
    """Serve over standard input and output until the harness closes them."""
    TurServer(visit).run("stdio")
