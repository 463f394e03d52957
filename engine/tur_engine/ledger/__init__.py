"""The append-only event log with hash chain and Merkle root, its projections and searches. The only room with SQL.

Its names are loaded when they are asked for: `glance` counts what waits without any of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .codec import Encoded
    from .ledger import Ledger
    from .reads import Reads
    from .writing import Appended, NewEvent, Writing

__all__ = ["Appended", "Encoded", "Ledger", "NewEvent", "Reads", "Writing"]
_HOMES = {"Encoded": "codec", "Ledger": "ledger", "Reads": "reads"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES.get(name, 'writing')}", __name__), name)
