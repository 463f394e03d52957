"""The vocabulary of the belief graph (EP-0126): node types, edge types, and which of them have force."""

from __future__ import annotations

from .naming import EdgeName, Tier, edge_name, nearest_edge_type, node_name, normalise_edge_type
from .persona import Force, Persona, forces, read_persona
from .types import DIALECTIC, LEGACY, PASSES_SUSPICION, EdgeType, NodeType, node_type_of

__all__ = [
    "DIALECTIC",
    "LEGACY",
    "PASSES_SUSPICION",
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
