"""What a server is sent and cannot read as a message, and the answer to it: by its id where it names one."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import from_json

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


def answer_to(sent: str | bytes, what: str) -> Answer | None:
    """Return the answer to what is no message, `what` it is: a line, a body; None for a message."""
    try:
        told = from_json(sent)
    except ValueError:
        return _not_json(sent, what)
    try:
        jsonrpc_message_adapter.validate_python(told, by_name=False)
    except ValidationError:
        return _no_message(told, what)
    # The SDK takes a request whose id is none for a notification, and answers nothing.
    lost = isinstance(told, dict) and "method" in told and "id" in told and _id(told) is None
    return _no_message(told, what) if lost else None


def _not_json(sent: str | bytes, what: str) -> Answer:
    """Return the answer to what a strict reader could not parse.

    Half of a character is bad input to the request that holds it, where that can be told.
    """
    try:
        told = json.loads(sent)
        if holds_half(told) and (id := _id(told)) is not None:
            return _half(id, calls=told.get("method") == "tools/call")
    except (ValueError, RecursionError):
        pass
    return _error(None, PARSE_ERROR, NOT_JSON.format(what))


def _no_message(told: Any, what: str) -> Answer:
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
