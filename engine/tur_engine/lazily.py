"""Names that a package gives away load with the file they live in, when they are asked for.

A cold start pays for what it uses: a package of eighty models takes a tenth of it otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def homes(rooms: Mapping[str, str]) -> dict[str, str]:
    """Return name -> the file that has it, from file -> its names between spaces."""
    return {name: room for room, names in rooms.items() for name in names.split()}


def lazily(package: str, rooms: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's `__getattr__` (PEP 562). `rooms` as of `homes`. What was found stays in the package."""
    where = homes(rooms)

    def found(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{where[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return found
