"""Waiting for people: a held memory is watched until somebody decides, or the time is over."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent

from .. import payloads
from ..records import Belief, ConflictState, Status
from ..text import excerpt, visible

if TYPE_CHECKING:
    from ..engine import Engine

LONGEST = 300.0
"""Seconds; a harness that waits longer for one answer is rare."""
LOOKS_EVERY = 0.25
TELLS_EVERY = 5.0
UNDECIDED = frozenset({Status.HELD, Status.PENDING})


async def decided(ctx: Context[None, Any], result: CallToolResult, engine: Engine, seconds: float) -> CallToolResult:
    """Return the result of a learn as it stands after at most so many seconds; at once where nothing is held.

    Other calls go on meanwhile. `waited` says how it ended; a settled one has status `resolved`.
    """
    payload = result.structured_content
    if seconds <= 0 or payload is None or payload.get("status") not in ("conflict_detected", "proposed"):
        return result
    belief = await _watched(ctx, engine, str(payload["id"]), seconds)
    payload["waited"] = {"decided": belief is not None, "seconds": seconds}
    if belief is None:
        return _with_text(
            result, f"Nobody decided within {seconds:g} {'second' if seconds == 1 else 'seconds'}; it waits on."
        )
    payload["status"] = ConflictState.RESOLVED.value
    payload["memory_status"] = belief.status.value
    for item in payload["conflicts"]:
        now = await anyio.to_thread.run_sync(engine.conflict, item["conflict_id"])
        item |= {"state": now.state.value, "revision": now.revision}
        if now.settlement is not None:
            item["settlement"] = payloads.conflict(now)["settlement"]
    if payload["conflicts"] and "conflict_id" in payload:
        first = payload["conflicts"][0]
        payload |= {key: first[key] for key in ("state", "revision", "settlement") if key in first}
    return _instead(result, _told(payload, belief))


async def _watched(ctx: Context[None, Any], engine: Engine, id: str, seconds: float) -> Belief | None:
    head, waited = 0, 0.0
    while True:
        if (now := await anyio.to_thread.run_sync(engine.head)) != head:
            head = now
            belief = await anyio.to_thread.run_sync(partial(engine.memory, id))
            if belief.status not in UNDECIDED:
                return belief
        if waited >= seconds:
            return None
        if waited % TELLS_EVERY < LOOKS_EVERY:
            await ctx.report_progress(waited, seconds, "waiting for a person to decide")
        pause = min(LOOKS_EVERY, seconds - waited)
        await anyio.sleep(pause)
        waited += pause


def _told(payload: dict[str, Any], belief: Belief) -> str:
    """Say how it was settled, in place of how to settle it."""
    lines = [f'Decided while you waited: {belief.id} ("{excerpt(belief.memory.content, 200)}") is now {belief.status}.']
    for item in payload["conflicts"]:
        if how := item.get("settlement"):
            why = f" ({how['reason']})" if how["reason"] else ""
            against = excerpt(item["existing_content"], 200)
            lines.append(f'Against {item["conflicting_memory_id"]} ("{against}"): {how["verb"]}, by {how["by"]}{why}.')
    return "\n".join([*lines, "Nothing is left to do."])


def _instead(result: CallToolResult, text: str) -> CallToolResult:
    result.content = [TextContent(type="text", text=visible(text))]
    return result


def _with_text(result: CallToolResult, sentence: str) -> CallToolResult:
    block = result.content[0]
    before = block.text if isinstance(block, TextContent) else ""
    return _instead(result, f"{before}\n{sentence}")
