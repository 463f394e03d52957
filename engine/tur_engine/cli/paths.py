"""An empty path is refused: it would be read as the folder one stands in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import Any

from ..errors import BadInput

_A_PATH = re.compile(r"\b(?:FILE|FOLDER|PATH|BACKUP)\b")
"""How the help names what is a path."""


def refusing_empty(parameters: Sequence[Parameter]) -> Callable[[dict[str, Any]], None]:
    """Return what looks at a command's values, and raises BadInput where a path among them is empty."""
    paths = {each.name: (shown, each.default is Parameter.empty) for each in parameters if (shown := _shown(each))}

    def look(given: dict[str, Any]) -> None:
        for name, (shown, needed) in paths.items():
            value = given.get(name)
            if value == "" or (isinstance(value, list | tuple) and "" in value):
                raise BadInput(f"{shown} is empty; {'say which' if needed else 'leave it out, or say which'}")

    return look


def _shown(parameter: Parameter) -> str:
    """Return how a parameter that is a path is called on the command line; empty for all others."""
    for declared in getattr(parameter.annotation, "__metadata__", ()):
        if found := _A_PATH.search(getattr(declared, "metavar", None) or ""):
            names = (declared.default, *(declared.param_decls or ()))  # of an annotation, the first name is the default
            return next((name for name in names if isinstance(name, str) and name.startswith("-")), found.group())
    return ""
