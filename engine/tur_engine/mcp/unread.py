"""What a server is sent and cannot read as a message, and the answer to it: by its id where it names one."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCResponse

from . import answers

HALF = "the message holds a lone surrogate (half of a character, as in \\ud800); send valid UTF-8"
NOT_JSON = "the {} is not JSON"
NO_MESSAGE = "the {} is JSON, but no JSON-RPC 2.0 message"
Answer = JSONRPCResponse | JSONRPCError


def holds_half(value: Any) -> bool:
    """True for JSON that holds half of a character somewhere."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def not_json(sent: str | bytes, what: str) -> Answer:
    """Return the answer to what a strict reader could not parse; `what` it is: a line, a body.

    Half of a character is bad input to the request that holds it, where that can be told.
    """
    try:
        told = json.loads(sent)
        if holds_half(told) and (id := _id(told)) is not None:
            return _half(id, calls=told.get("method") == "tools/call")
    except (ValueError, RecursionError):
        pass
    return _error(None, PARSE_ERROR, NOT_JSON.format(what))


def no_message(told: Any, what: str) -> Answer:
    """Return the answer to JSON that is no message; a request that is wrongly built is answered by its id."""
    return _error(_id(told), INVALID_REQUEST, NO_MESSAGE.format(what))


def _id(told: Any) -> int | str | None:
    """Return the id of what is meant as a request, where it can be sent back."""
    if not isinstance(told, dict) or "method" not in told:
        return None
    id = told.get("id")
    if isinstance(id, bool) or not isinstance(id, (int, str)):
        return None
    return None if holds_half(id) else id


def _half(id: int | str, *, calls: bool) -> Answer:
    """What a tool answers to bad input; an error of the protocol for other requests."""
    if not calls:
        return _error(id, INVALID_PARAMS, HALF)
    refused = answers.bad_input(HALF).model_dump(by_alias=True, exclude_none=True, mode="json")
    return JSONRPCResponse(jsonrpc="2.0", id=id, result=refused)


def _error(id: int | str | None, code: int, sentence: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=id, error=ErrorData(code=code, message=sentence))
