"""Answers cut to the schemas of 0.1.0-draft: a closed list of methods and codes, no fields of ours."""

from __future__ import annotations

from typing import Any

from .refusal import Code

METHODS = ("explicit", "semantic", "logical", "temporal")
OURS = (Code.INVALID_ENVELOPE, Code.INVALID_PAYLOAD)


def strict(response: dict[str, Any]) -> dict[str, Any]:
    """Return the response with `mechanical` told as `logical` and `detection_method`, and without what is ours."""
    told = {name: value for name, value in response.items() if name not in ("memory_unit", "warnings")}
    if "conflicts" in told:
        told["conflicts"] = [_conflict(conflict) for conflict in told["conflicts"]]
    return told


def strict_error(body: dict[str, Any]) -> dict[str, Any]:
    """Return the error with a code of the protocol's own list."""
    ours = body["code"] in OURS
    return body | ({"code": Code.INTERNAL_ERROR.value, "recoverable": False} if ours else {})


def _conflict(conflict: dict[str, Any]) -> dict[str, Any]:
    if conflict["detected_by"] in METHODS:
        return conflict
    return conflict | {"detected_by": "logical", "detection_method": conflict["detected_by"]}
