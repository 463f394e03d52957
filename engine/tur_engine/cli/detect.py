"""`tur detect`: one Akashik message in, one bare payload out (CONTRACTS 8)."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ..text import visible
from .call import Call, answers

if TYPE_CHECKING:
    from ..akashik.envelope import Envelope
    from ..engine import Engine


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("detect")(answers(detect))


def detect(
    call: Call,
    strict: Annotated[
        bool, typer.Option("--strict-0.1.0", help="Cut the answer to the schemas of Akashik 0.1.0-draft.")
    ] = False,
    sdk_compat: Annotated[
        bool, typer.Option("--sdk-compat", help="Compare null as a value too, as the Akashik SDK does.")
    ] = False,
) -> int:
    """Answer an Akashik message: the envelope on standard input, the bare payload on standard output.

    Operations are DETECT (list, check, scan) and RECORD, which passes the gate. The answer is JSON with or without
    --json. Exit 2 where the message is refused, 4 where a RECORD clashes with an invariant.
    """
    from ..akashik import answer
    from ..akashik.envelope import LONGEST
    from ..engine import Engine
    from ..errors import BadInput
    from ..records import Author, AuthorKind

    if sys.stdin is None:
        raise BadInput("standard input is closed; send one JSON object, the envelope")
    with contextlib.ExitStack() as opened:

        def open_store(envelope: Envelope) -> Engine:
            actor = call.actor if call.speaker else Author(kind=AuthorKind.AGENT, name=envelope.agent_id)
            looks = envelope.operation == "DETECT" and envelope.payload.get("mode") == "list"
            recording = envelope.operation == "RECORD"
            engine = Engine.open(call.store, actor=actor, create=recording, read_only=looks)
            opened.enter_context(engine)
            if engine.founded:
                call.tell_founding(engine)
            return engine

        reply = answer(sys.stdin.buffer.read(LONGEST + 1), open_store, strict=strict, sdk_compat=sdk_compat)
    if "code" in reply.payload:
        call.out.say(visible(f"{reply.payload['message']}; {reply.payload['suggested_action']}", newlines=False))
    call.out.json(reply.payload)
    return reply.exit_code
