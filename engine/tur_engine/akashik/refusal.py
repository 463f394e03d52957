"""A refusal in the protocol's words: `{code, message, operation, recoverable, suggested_action}`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..errors import TurError


class Code(StrEnum):
    """Error codes; the last two are ours, for what the protocol has no code for."""

    MISSING_INTENT = "MISSING_INTENT"
    MISSING_CONFIDENCE = "MISSING_CONFIDENCE"
    INVALID_CONFIDENCE = "INVALID_CONFIDENCE"
    INVALID_TYPE = "INVALID_TYPE"
    UNIT_NOT_FOUND = "UNIT_NOT_FOUND"
    INVALID_TRANSITION = "INVALID_TRANSITION"
    UNSUPPORTED_OPERATION = "UNSUPPORTED_OPERATION"
    DETECTION_TIMEOUT = "DETECTION_TIMEOUT"
    STORAGE_FULL = "STORAGE_FULL"
    EPOCH_OVERFLOW = "EPOCH_OVERFLOW"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    INVALID_ENVELOPE = "INVALID_ENVELOPE"
    INVALID_PAYLOAD = "INVALID_PAYLOAD"


FINAL = frozenset(
    {
        Code.UNIT_NOT_FOUND,
        Code.UNSUPPORTED_OPERATION,
        Code.STORAGE_FULL,
        Code.EPOCH_OVERFLOW,
        Code.INTERNAL_ERROR,
    }
)
"""Codes that a second try does not mend."""


class Refused(TurError):
    """The message cannot be carried out; nothing was written."""

    exit_code = 2

    def __init__(self, code: Code, message: str, suggested_action: str, operation: str | None = None) -> None:
        super().__init__(f"{message}; {suggested_action}")
        self.refusal = code
        self.message = message
        self.suggested_action = suggested_action
        self.operation = operation

    def body(self, operation: str | None = None) -> dict[str, Any]:
        """Return the error as the protocol writes it."""
        return {
            "code": self.refusal.value,
            "message": self.message,
            "operation": self.operation or operation,
            "recoverable": self.refusal not in FINAL,
            "suggested_action": self.suggested_action,
        }


def not_one_of(what: str, value: object, known: list[str], code: Code = Code.INVALID_PAYLOAD) -> Refused:
    """Return the refusal of a value outside its list, with the list."""
    return Refused(code, f"{what} cannot be {value!r}", f"use one of {', '.join(known)}")
