"""The tools of every visit, one file a family (CONTRACTS 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server.mcpserver import MCPServer

from . import deciding_tools, learning_tools, reading_tools

if TYPE_CHECKING:
    from .visit import Visit


def register(server: MCPServer[None], visit: Visit) -> dict[str, frozenset[str]]:
    """Add the tools. Returns the names of each one's arguments."""
    return (
        learning_tools.register(server, visit)
        | reading_tools.register(server, visit)
        | deciding_tools.register(server, visit)
    )
