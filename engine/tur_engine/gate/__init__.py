"""The one door for every memory: probe -> detect -> policy -> commit, atomically.

Its names are loaded when they are asked for: who only reads never needs the detector.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .gate import Gate
    from .inherited import Above
    from .weigher import Weigher

__all__ = ["Above", "Gate", "Weigher"]
_HOMES = {"Above": "inherited", "Gate": "gate", "Weigher": "weigher"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
