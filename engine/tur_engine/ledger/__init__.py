"""The append-only event log with hash chain and Merkle root, its projections and searches. The only room with SQL.

Its names are loaded when they are asked for: `glance` counts what waits without any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .codec import Encoded
    from .ledger import Ledger
    from .reads import Reads
    from .writing import Appended, NewEvent, Writing

__all__ = [
    "Appended",
    "Encoded",
    "Ledger",
    "NewEvent",
    "Reads",
    "Writing",
]

_ROOMS = {
    "codec": "Encoded",
    "ledger": "Ledger",
    "reads": "Reads",
    "writing": "Appended NewEvent Writing",
}
__getattr__ = lazily(__name__, _ROOMS)
