"""What a value should have been where it does not fit, in our words: a validator's own speak of its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def wanted(problem: ErrorDetails) -> str | None:
    """Return the words that finish "it takes ..."; None for a problem that has none here."""
    given = problem.get("ctx", {})
    match problem["type"]:
        case "greater_than_equal":
            return f"{_number(given['ge'])} or more"
        case "less_than_equal":
            return f"{_number(given['le'])} or less"
        case "greater_than":
            return f"more than {_number(given['gt'])}"
        case "int_type" | "int_parsing" | "int_from_float" | "int_parsing_size":
            return "a whole number"
        case "float_type" | "float_parsing" | "finite_number":
            return "a number"
        case "string_type":
            return "a text"
        case "bool_type" | "bool_parsing":
            return "true or false"
        case "tuple_type" | "list_type":
            return "a list"
        case "dict_type":
            return "an object"
        case "literal_error":
            return str(given["expected"])
        case "value_error" if "not one of" in problem["msg"]:
            return problem["msg"].partition("not one of ")[2]
        case _:
            return None


def _number(bound: float) -> str:
    return f"{int(bound) if bound == int(bound) else bound:,}"
