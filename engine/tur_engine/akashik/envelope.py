"""The message envelope: eight fields, nothing else (Akashik 5.1, C.1)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn

from ..records.memory import MAX_INTEGER
from .refusal import Code, Refused

PROTOCOL, VERSION = "akashik", "0.1.0"
OPERATIONS = (
    *("REGISTER", "DEREGISTER", "RECORD", "ATTUNE", "DETECT", "MERGE", "SUBSCRIBE"),
    *("REPLAY", "COMPACT", "COORDINATE", "HANDOFF", "SESSION"),
)
SPOKEN = ("DETECT", "RECORD")
FIELDS = ("protocol", "version", "id", "operation", "agent_id", "session_id", "epoch", "payload")
LONGEST = 1 << 20
"""Bytes of one message at the most."""


class Envelope(NamedTuple):
    """One message whose envelope is sound."""

    id: str
    operation: str
    agent_id: str
    session_id: str | None
    epoch: int
    payload: dict[str, Any]


def parse(raw: bytes | str) -> Envelope:
    """Read a message from its bytes. Raises Refused."""
    if len(raw) > LONGEST:
        raise _bad(f"the message is longer than {LONGEST:,} bytes", "send less in one message")
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        message = json.loads(text.removeprefix("\ufeff"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _bad(f"the message is not JSON ({error})", "send one JSON object, the envelope") from None
    return check(message)


def check(message: object) -> Envelope:
    """Return a message whose envelope is sound. Raises Refused, naming the field."""
    if not isinstance(message, dict):
        raise _bad("the message is no object", "send one JSON object, the envelope")
    for name in FIELDS:
        if name not in message:
            raise _bad(f"the envelope has no {name}", f"all of {', '.join(FIELDS)} are required")
    if extra := sorted(set(message) - set(FIELDS)):
        raise _bad(f"the envelope has {', '.join(extra)} beside its fields", f"only {', '.join(FIELDS)} are allowed")
    if message["protocol"] != PROTOCOL:
        raise _bad(f"protocol is {message['protocol']!r}", f"it is {PROTOCOL!r}")
    if message["version"] != VERSION:
        raise _bad(f"version is {message['version']!r}", f"this field speaks {VERSION!r}")
    for name in ("id", "agent_id"):
        if not isinstance(message[name], str) or not message[name].strip():
            raise _bad(f"{name} is no text", "give a text that is not empty")
    session, epoch, operation = message["session_id"], message["epoch"], message["operation"]
    if session is not None and not isinstance(session, str):
        raise _bad("session_id is neither text nor null", "give a text or null")
    if not isinstance(epoch, int) or isinstance(epoch, bool) or epoch < 0:
        raise _bad(f"epoch is {epoch!r}", "give a whole number, 0 or more")
    if epoch >= MAX_INTEGER:
        raise Refused(Code.EPOCH_OVERFLOW, f"epoch {epoch} leaves no later one", "give one below 2^53-1")
    if operation not in OPERATIONS:
        raise _bad(f"operation is {operation!r}", f"use one of {', '.join(OPERATIONS)}")
    if not isinstance(message["payload"], dict):
        raise _bad("payload is no object", "give an object")
    if operation not in SPOKEN:
        raise Refused(
            Code.UNSUPPORTED_OPERATION,
            f"{operation} is not spoken here",
            f"send {' or '.join(SPOKEN)}; the rest is what `tur` does",
            operation,
        )
    return Envelope(message["id"], operation, message["agent_id"], session, epoch, message["payload"])


def _bad(message: str, advice: str) -> Refused:
    return Refused(Code.INVALID_ENVELOPE, message, advice)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
