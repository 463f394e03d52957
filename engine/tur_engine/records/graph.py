"""The extracted graph: what an introspection hands over, node by node and edge by edge (EP-0126, specification 3)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from ..errors import BadInput
from ..ontology import edge_name, node_name
from ..text import accept
from .base import Record
from .head import Merkle
from .learning import ConflictReport, Outcome

MOST_NODES = 500
"""Nodes of one commit: each is weighed under the write lock, where others wait."""
MOST_EDGES = 10_000


@contextmanager
def _as_fault() -> Iterator[None]:
    """Tell bad input the way pydantic collects faults, so that one does not hide the next."""
    try:
        yield
    except BadInput as e:
        raise ValueError(str(e)) from None


def _declared(info: ValidationInfo, key: str) -> tuple[str, ...]:
    return tuple((info.context or {}).get(key, ()))


class ExtractedNode(Record):
    """A node. `id` is a name inside the graph; validation context `node_types` declares more types."""

    model_config = ConfigDict(extra="ignore")

    id: str
    type: str
    content: str
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0
    sources: tuple[str, ...] = ()
    """Ids of the memories that it was distilled from: it depends on them."""
    pinned: bool = False
    """Upstream's mark. Only an approved axiom or core is pinned here; the mark is kept as information."""

    @field_validator("id")
    @classmethod
    def _id(cls, name: str) -> str:
        with _as_fault():
            return node_id(name)

    @field_validator("type")
    @classmethod
    def _type(cls, name: str, info: ValidationInfo) -> str:
        with _as_fault():
            name = accept(name, "node type", limit=256)
            return name if (info.context or {}).get("any_node_type") else node_name(name, _declared(info, "node_types"))

    @field_validator("content")
    @classmethod
    def _content(cls, content: str) -> str:
        with _as_fault():
            return accept(content)

    @field_validator("sources", mode="before")
    @classmethod
    def _sources(cls, sources: Any) -> Any:
        return () if sources is None else sources


class ExtractedEdge(Record):
    """A typed edge between two nodes, or memories of the store by id. A canonical, declared or snake_case type."""

    model_config = ConfigDict(extra="ignore")

    source: str
    target: str
    type: str
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 1.0

    @model_validator(mode="before")
    @classmethod
    def _directed(cls, given: Any, info: ValidationInfo) -> Any:
        """Bring the type to its kept name; a name that reads from the other end turns the edge round."""
        if not isinstance(given, dict) or not isinstance(given.get("type"), str):
            return given
        with _as_fault():
            found = edge_name(given["type"], _declared(info, "edge_types"))
        both = given.get("source") is not None and given.get("target") is not None
        ends = {"source": given["target"], "target": given["source"]} if found.turned and both else {}
        return {**given, **ends, "type": found.name}

    @field_validator("source", "target")
    @classmethod
    def _end(cls, name: str) -> str:
        with _as_fault():
            return node_id(name)


class ExtractedGraph(Record):
    """Nodes and edges, checked one by one; `introspect.checking` checks how they fit together."""

    model_config = ConfigDict(extra="ignore")

    nodes: Annotated[tuple[ExtractedNode, ...], Field(max_length=MOST_NODES)] = ()
    edges: Annotated[tuple[ExtractedEdge, ...], Field(max_length=MOST_EDGES)] = ()


def node_id(name: str) -> str:
    """Trim, lower, blanks to hyphens: upstream's rule."""
    kept = "-".join(accept(name, "node id", limit=256).split()).lower()
    if not kept:
        raise BadInput("a node id is empty; give each node a name")
    return kept


class CommittedNode(Record):
    """What became of one node. `id` is the memory that it is now: its own, or the one that says the same already."""

    node: str
    id: str
    outcome: Outcome
    conflicts: tuple[ConflictReport, ...] = ()
    warnings: tuple[str, ...] = ()


class GraphReport(Record):
    """What a commit or an import of a graph did."""

    nodes: tuple[CommittedNode, ...] = ()
    edges_drawn: int = 0
    edges_known: int = 0
    """Edges that the ledger held already."""
    conflicts_opened: tuple[str, ...] = ()
    """Conflicts that dialectic edges opened between memories that were there already."""
    emergent: dict[str, str | None] = Field(default_factory=dict)
    """Undeclared edge types, each with the nearest canonical name; none of them has force."""
    warnings: tuple[str, ...] = ()
    seq: int | None = None
    """The event that drew the edges; None where there was nothing to draw."""
    merkle: Merkle | None = None
    dry_run: bool = False

    def count(self, outcome: Outcome) -> int:
        """Return how many nodes ended so."""
        return sum(each.outcome is outcome for each in self.nodes)

    @property
    def conflicts(self) -> tuple[ConflictReport, ...]:
        """Every conflict of a node."""
        return tuple(report for node in self.nodes for report in node.conflicts)


class PersonaFile(Record):
    """A persona file as it lies beside the store, and whether people approved it so."""

    path: str
    digest: str = ""
    """SHA-256 of its bytes; empty where there is no file."""
    text: str = ""
    edge_types: dict[str, tuple[bool, bool]] = Field(default_factory=dict)
    """Declared edge types: transitive, decay_propagation."""
    node_types: tuple[str, ...] = ()
    approved: bool = False
    approved_digest: str = ""
    """What people approved last; empty where they never did."""

    @property
    def forceful(self) -> tuple[str, ...]:
        """Edge types whose flags ask for force."""
        return tuple(name for name, flags in self.edge_types.items() if any(flags))

    @property
    def standing(self) -> str:
        """In words; empty where nothing asks for force and nothing was approved."""
        if self.approved:
            return "approved, its flags have force"
        if not self.digest:
            return "the approved persona.yaml is gone; no flag has force" if self.approved_digest else ""
        if self.approved_digest:
            return "persona.yaml changed since it was approved; no flag has force (tur-adm persona approve)"
        if self.forceful:
            return "persona.yaml is not approved; its flags have no force (tur-adm persona approve)"
        return ""
