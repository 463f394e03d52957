"""Starts an MCP server by the very command that a harness's file names, and has it stop a test clash."""

from __future__ import annotations

import os
from typing import Any

from .findings import Finding
from .harnesses import Harness
from .stage import FACT, SERVICE, Stage
from .trying import BY_HAND, INSTALL, on_stage
from .wired import Wire

SECONDS = 90


def server(harness: Harness, wire: Wire, stage: Stage, port: int) -> Finding:
    """Learn twice over stdio: the second contradicts, and is held."""
    shown = " ".join([wire.command, *wire.args])
    if wire.command.startswith(("http://", "https://")):
        return Finding(harness.name, None, f"MCP: {wire.command} in {wire.file} is reached over HTTP and was not tried")
    import anyio

    try:
        status = anyio.run(_learn_twice, wire, stage, port)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        cause = _innermost(error)
        if isinstance(cause, FileNotFoundError):
            sentence = f"MCP: `{shown}` in {wire.file} cannot be started: there is no program {wire.command}"
            return Finding(harness.name, False, sentence, INSTALL)
        why = f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
        return Finding(harness.name, False, f"MCP: `{shown}` in {wire.file} does not answer ({why})", BY_HAND)
    if status == "conflict_detected":
        return Finding(harness.name, True, f"MCP: `{shown}` holds a test clash (conflict_detected)")
    sentence = f"MCP: `{shown}` in {wire.file} did not hold a test clash (it answered {status})"
    return Finding(harness.name, False, sentence, BY_HAND)


async def _learn_twice(wire: Wire, stage: Stage, port: int) -> str:
    import anyio
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    arguments = [word.replace("${workspaceFolder}", str(stage.work)) for word in wire.args]
    parameters = StdioServerParameters(
        command=wire.command,
        args=on_stage(arguments, stage.work),
        cwd=stage.work,
        env=stage.environment(wire.env),
    )
    with open(os.devnull, "w") as nowhere, anyio.fail_after(SECONDS):
        async with Client(stdio_client(parameters, errlog=nowhere)) as client:
            await client.call_tool("learn", {"content": FACT})
            answer: Any = await client.call_tool("learn", {"content": SERVICE.format(port)})
            return str((answer.structured_content or {}).get("status", "nothing of it"))


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
