"""The vocabulary of the belief graph (EP-0126): node types, edge types, and which of them have force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .naming import REVERSED, EdgeName, Tier, edge_name, nearest_edge_type, node_name, normalise_edge_type
    from .persona import Force, Persona, forces, read_persona
    from .types import DIALECTIC, LEGACY, PASSES_SUSPICION, EdgeType, NodeType, node_type_of

__all__ = [
    "DIALECTIC",
    "LEGACY",
    "PASSES_SUSPICION",
    "REVERSED",
    "EdgeName",
    "EdgeType",
    "Force",
    "NodeType",
    "Persona",
    "Tier",
    "edge_name",
    "forces",
    "nearest_edge_type",
    "node_name",
    "node_type_of",
    "normalise_edge_type",
    "read_persona",
]

_ROOMS = {
    "naming": "REVERSED EdgeName Tier edge_name nearest_edge_type node_name normalise_edge_type",
    "persona": "Force Persona forces read_persona",
    "types": "DIALECTIC LEGACY PASSES_SUSPICION EdgeType NodeType node_type_of",
}
__getattr__ = lazily(__name__, _ROOMS)
