"""The server: tools, and what happens when a call cannot be carried out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError

from .. import payloads
from ..errors import TurError
from ..version import __version__
from . import answers, tools
from .visit import Visit
from .wire import AnsweredLines

INSTRUCTIONS = """\
Long-lived memory with a gate. learn() one sentence at a time. Where it contradicts what is believed, the
memory is held and the answer has status "conflict_detected": settle it with one resolve_conflict call (the
conflict_id, revision and a verb among resolution_options, with an honest reason), or leave it to a person.
Status "invariant_violation": a person's rule forbids it, do not try again.
recall() before you rely on something; where "contested" is true, say so.
Answers carry settled[]: what people have decided since your last call."""


class TurServer(MCPServer[None]):
    """An MCP server whose every failure is a result with structured content."""

    def __init__(self, visit: Visit) -> None:
        @asynccontextmanager
        async def lifespan(_: MCPServer[None]) -> AsyncIterator[None]:
            try:
                yield
            finally:
                visit.close()

        # Before the SDK does: plain lines, where its own handler draws boxes around tracebacks.
        logging.basicConfig(level=logging.WARNING, format="tur-mcp: %(levelname)s: %(message)s")
        super().__init__(
            name="tur",
            title="tur: memory with a gate",
            instructions=INSTRUCTIONS,
            version=__version__,
            log_level="WARNING",
            lifespan=lifespan,
        )
        self.visit = visit
        self.arguments_of = tools.register(self, visit)

    async def run_stdio_async(self) -> None:
        """Serve over standard input and output, bad lines answered too."""
        async with stdio_server() as (read, write):
            low = self._lowlevel_server
            await low.run(AnsweredLines(read, write), write, low.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Run one tool. A refusal comes back as a result; an unknown tool stays the SDK's own error."""
        if (known := self.arguments_of.get(name)) is not None and (unknown := arguments.keys() - known):
            sentence = f"{name} has no argument {', '.join(sorted(unknown))}; it takes {', '.join(sorted(known))}"
            return answers.answer(payloads.failure("bad_input", sentence), sentence, is_error=True)
        try:
            result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                return self._with_news(answers.bad_arguments(name, cause))
            if isinstance(cause, TurError):
                return self._with_news(answers.refusal(cause))
            if isinstance(error, UnexpectedToolError):
                tools.log.exception("%s failed", name)
                return answers.fault(name)
            raise
        return self._with_news(result)

    def _with_news(self, result: CallToolResult | InputRequiredResult) -> CallToolResult | InputRequiredResult:
        if isinstance(result, CallToolResult) and isinstance(result.structured_content, dict):
            result.structured_content["settled"] = self.visit.news()
        return result


def serve(visit: Visit) -> None:
    """Serve over standard input and output until the harness closes them."""
    TurServer(visit).run("stdio")
