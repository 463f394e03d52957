"""Resources: one memory, one conflict, one memory's neighbourhood, by id or unique prefix."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from .. import payloads
from ..errors import BadInput, NoStore, TurError
from ..records import Verb
from ..text import visible
from .calling import harness
from .naming import as_tools

if TYPE_CHECKING:
    from ..engine import Engine
    from .visit import Visit

MIME = "application/json"
Reading = Callable[["Engine", str], dict[str, Any]]


def register(server: MCPServer[None], visit: Visit) -> None:
    """Add the templates. A read answers with JSON, the shapes of the command line's `show` and `graph`."""

    async def read(ctx: Context[None, Any], id: str, reading: Reading) -> str:
        name = harness(ctx)
        try:
            found = await anyio.to_thread.run_sync(lambda: reading(visit.open(name), id))
        except (BadInput, NoStore) as error:
            raise ResourceNotFoundError(visible(as_tools(str(error)))) from error
        except TurError as error:
            raise ResourceError(visible(as_tools(str(error)))) from error
        return json.dumps(found, ensure_ascii=False)

    @server.resource(
        "tur://memory/{id}", name="memory", description="A memory in full, with its edges.", mime_type=MIME
    )
    async def memory(id: str, ctx: Context[None, Any]) -> str:
        return await read(ctx, id, _memory)

    @server.resource(
        "tur://conflict/{id}",
        name="conflict",
        description="A conflict: both sides, its state, the reasons and what each verb would change.",
        mime_type=MIME,
    )
    async def conflict(id: str, ctx: Context[None, Any]) -> str:
        return await read(ctx, id, _conflict)

    @server.resource(
        "tur://graph/{id}",
        name="graph",
        description="What a memory hangs together with: its neighbourhood as node-link data.",
        mime_type=MIME,
    )
    async def graph(id: str, ctx: Context[None, Any]) -> str:
        return await read(ctx, id, lambda engine, ref: engine.graph(ref))


def _memory(engine: Engine, ref: str) -> dict[str, Any]:
    belief = engine.memory(ref)
    payload = payloads.memory_in_full(belief, lambda digest: engine.memory(digest).id)
    return payload | {"edges": [edge.model_dump(mode="json") for edge in engine.edges(belief.id)]}


def _conflict(engine: Engine, ref: str) -> dict[str, Any]:
    item = engine.conflict(ref)
    verbs = [Verb(option) for option in payloads.OPTIONS] if item.state.open else []
    previews = {verb.value: as_tools(engine.preview(item.id, verb).summary) for verb in verbs}
    exposure = payloads.exposure(engine.exposure(item.id))
    told = {"evidence": payloads.evidence(item.evidence), "previews": previews, "exposure": exposure}
    return payloads.conflict(item) | told
