"""Old node-link graphs, as networkx wrote them for upstream: they load whole (CONTRACTS 7).

`edges` or `links`, JSON or YAML; a node type nobody knows becomes `legacy`; parallel edges stay; what had fallen there
comes in as history. Rules that a new graph must keep (signatures, circles) are not asked of an old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from ..errors import BadInput
from ..graph.circles import End
from ..ledger import Reads
from ..ontology import DIALECTIC, LEGACY, EdgeType, Persona, node_name
from ..ontology.naming import snake
from ..records import Author, ExtractedEdge, ExtractedNode, Status
from ..text import excerpt
from .checking import Checked, refused, row, secret, told

_LOST_BY = {EdgeType.SUPERSEDED_BY: Status.SUPERSEDED, EdgeType.REFUTED_BY: Status.REFUTED}
_LIVE = ("", "active")
MOST_NODES = 5000
"""More than of a commit: it is done once, and the graph is to load whole."""
MOST_EDGES = 50_000


class OldGraph:
    """One old graph on its way to being checked."""

    def __init__(self, reads: Reads, where: str, persona: Persona, author: Author) -> None:
        self._reads = reads
        self._where = where
        self._persona = persona
        self._author = author
        self.faults: list[str] = []

    def run(self, raw: dict[str, Any], faults: Sequence[str] = ()) -> Checked:
        """Return the graph. Raises GraphRefused for what cannot be kept: a text too long, a node without a name."""
        self.faults += faults
        found = Checked({}, [], legacy=True)
        nodes = self._parts(raw, "nodes", MOST_NODES)
        edges = self._parts(raw, "edges" if raw.get("edges") is not None else "links", MOST_EDGES)
        statuses: dict[str, str] = {}
        for place, part in enumerate(nodes):
            self._node(place, part, found, statuses)
        for place, part in enumerate(edges):
            self._edge(place, part, found)
        for name, status in statuses.items():
            if status not in _LIVE:
                found.fallen[name] = self._fell(name, found)
        if not nodes and not edges and not self.faults:
            self.faults.append("it has neither nodes nor edges")
        if self.faults:
            raise refused(self._where, self.faults)
        return found

    def _parts(self, raw: dict[str, Any], key: str, most: int) -> list[Any]:
        parts = raw.get(key) or []
        if not isinstance(parts, list):
            self.faults.append(f"{key} must be a list of objects")
            return []
        if len(parts) > most:
            self.faults.append(f"it has {len(parts):,} {key}; {most:,} are taken at a time")
            return []
        return parts

    def _node(self, place: int, part: Any, found: Checked, statuses: dict[str, str]) -> None:
        where = f"nodes[{place}]"
        if not isinstance(part, dict) or part.get("id") in (None, ""):
            self.faults.append(f"{where} has no id")
            return
        given = str(part.get("type") or LEGACY)
        content = next((part[key] for key in ("content", "description", "label") if part.get(key)), part["id"])
        values = {
            "id": str(part["id"]),
            "type": self._type(given),
            "content": str(content),
            "confidence": _share(part.get("confidence")),
            "pinned": part.get("pinned") is True,
        }
        try:
            node = ExtractedNode.model_validate(values, context={"any_node_type": True})
        except ValidationError as e:
            self.faults += told(f"{where} ({excerpt(str(part['id']), 40)})", e)
            return
        self.faults += secret(node, self._author)
        if node.id in found.nodes:
            found.warnings.append(f"node {node.id} is given twice; the last one counts, as networkx reads it")
        if node.type == LEGACY and given != LEGACY:
            found.warnings.append(f"node {node.id}: its type {excerpt(given, 40)!r} is kept as {LEGACY}")
        found.nodes[node.id] = node
        statuses[node.id] = str(part.get("status") or "").lower()
        known = [mid for ref in _texts(part.get("sources")) if (mid := self._reads.mid(ref.lower())) is not None]
        found.sources[node.id] = known

    def _type(self, given: str) -> str:
        try:
            return node_name(given, self._persona.node_types)
        except BadInput:
            return LEGACY

    def _edge(self, place: int, part: Any, found: Checked) -> None:
        where = f"edges[{place}]"
        if not isinstance(part, dict) or part.get("source") in (None, "") or part.get("target") in (None, ""):
            self.faults.append(f"{where} has no source or no target")
            return
        given = str(part.get("type") or part.get("relation") or "related_to")
        values = {
            "source": str(part["source"]),
            "target": str(part["target"]),
            "type": given if snake(given) else _word(given),
            "confidence": _share(part.get("confidence")),
        }
        try:
            edge = ExtractedEdge.model_validate(values, context={"edge_types": tuple(self._persona.edge_types)})
        except ValidationError as e:
            self.faults += told(where, e)
            return
        if not snake(given):
            found.warnings.append(f"{where}: its type {excerpt(given, 40)!r} is kept as {edge.type}")
        ends = self._end(edge.source, found), self._end(edge.target, found)
        if ends[0] is None or ends[1] is None:
            found.warnings.append(f"{where} ({edge.source} -> {edge.target}) ends in nothing; left out")
        elif ends[0] == ends[1]:
            found.warnings.append(f"{where}: {edge.type} joins {edge.source} to itself; left out")
        else:
            found.edges.append((edge, ends[0], ends[1]))

    def _end(self, name: str, found: Checked) -> End | None:
        if name in found.nodes:
            return name
        try:
            return row(self._reads, name)
        except BadInput:
            return None

    def _fell(self, name: str, found: Checked) -> Status:
        """How a node fell: by the edge that tells of it, else it was put away."""
        for edge, source, _ in found.edges:
            if source == name and edge.type in DIALECTIC and (lost := _LOST_BY.get(EdgeType(edge.type))):
                return lost
        return Status.RETRACTED


def _share(value: Any) -> float:
    """Return a confidence; 1 for what is none."""
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if sound else 1.0


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _word(name: str) -> str:
    """Return the nearest snake_case of a name that has none: its ASCII letters and digits."""
    kept = snake("".join(c if c.isascii() and c.isalnum() else " " for c in name).strip(" 0123456789")[:64])
    return kept or LEGACY
