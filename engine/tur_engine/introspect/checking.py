"""Does an extracted graph fit, by itself and into the ledger? Every fault is told, not the first one (EP-0126).

Names of edges: a node of the graph, else a memory of the store by its id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..errors import AmbiguousId, BadInput, GraphRefused, SecretFound
from ..gate.secrets import refuse_secrets
from ..graph.circles import End, closed_by
from ..ledger import Reads
from ..ontology import DIALECTIC, EdgeType, Persona, node_name, node_type_of
from ..ontology.signatures import misfit
from ..records import Author, Draft, ExtractedEdge, ExtractedNode, Status
from ..records.graph import MOST_EDGES, MOST_NODES, node_id
from ..text import excerpt

MOST_TOLD = 200
SHORTEST = 8
"""Hex digits by which an edge names a memory without its type word."""
_LOST = (EdgeType.SUPERSEDED_BY, EdgeType.REFUTED_BY)
_SYMMETRIC = {str(each) for each in EdgeType if each.symmetric}


@dataclass
class Checked:
    """A graph whose parts fit: nodes by name, edges with their ends found."""

    nodes: dict[str, ExtractedNode]
    edges: list[tuple[ExtractedEdge, End, End]]
    sources: dict[str, list[int]] = field(default_factory=dict)
    """Rows of the memories that a node was distilled from."""
    warnings: list[str] = field(default_factory=list)
    legacy: bool = False
    """An import of an old graph: what was decided there is taken as it is."""
    fallen: dict[str, Status] = field(default_factory=dict)
    """Of an import: nodes that were not believed any more, and how they come in."""

    def rests(self) -> Iterator[tuple[ExtractedEdge, End, End]]:
        """Yield the edges from nodes to what they were distilled from."""
        for name, mids in self.sources.items():
            for mid in mids:
                yield ExtractedEdge(source=name, target=str(mid), type="depends_on"), name, mid

    def drawn(self) -> Iterator[tuple[ExtractedEdge, End, End]]:
        """Yield every edge, those to the sources last."""
        yield from self.edges
        yield from self.rests()

    def is_claim(self, given: ExtractedEdge, source: End) -> bool:
        """True for an edge that opens a conflict. In an imported graph what was decided there stays as it was."""
        if given.type not in DIALECTIC:
            return False
        decided = given.type == EdgeType.COMPETES_WITH or (given.type in _LOST and source in self.fallen)
        return not (self.legacy and decided)


class Check:
    """One run over one graph; `faults` gathers what is wrong."""

    def __init__(self, reads: Reads, where: str, persona: Persona, author: Author) -> None:
        self._reads = reads
        self._where = where
        self._author = author
        self._context: dict[str, tuple[str, ...]] = {
            "node_types": persona.node_types,
            "edge_types": tuple(persona.edge_types),
        }
        self.faults: list[str] = []
        self._unfit: dict[str, str] = {}
        """Nodes with a fault of their own, and their types where those are sound: their edges are checked all the
        same, so that one fault does not hide another."""

    def run(self, raw: dict[str, Any], faults: Sequence[str] = ()) -> Checked:
        """Return the graph; `faults` were found as it was read. Raises GraphRefused with all faults."""
        self.faults += faults
        found = Checked({}, [])
        self._nodes(raw, found)
        self._edges(raw, found)
        for node in found.nodes.values():
            found.sources[node.id] = self._sources(node)
        self._signatures(found)
        self.faults += closed_by(self._reads, [(edge.type, source, target) for edge, source, target in found.drawn()])
        if not found.nodes and not found.edges and not self.faults:
            self.faults.append("it has neither nodes nor edges; write nodes[] and edges[]")
        if self.faults:
            raise refused(self._where, self.faults)
        return found

    def _parts(self, raw: dict[str, Any], keys: Sequence[str], most: int) -> list[Any]:
        key = next((key for key in keys if raw.get(key) is not None), keys[0])
        parts = raw.get(key)
        if parts is None:
            return []
        if not isinstance(parts, list):
            self.faults.append(f"{key} must be a list of objects")
            return []
        if len(parts) > most:
            self.faults.append(f"it has {len(parts):,} {key}; {most:,} are taken at a time, commit it in parts")
            return []
        return parts

    def _nodes(self, raw: dict[str, Any], found: Checked) -> None:
        for place, part in enumerate(self._parts(raw, ("nodes",), MOST_NODES)):
            try:
                node = ExtractedNode.model_validate(part, context=self._context)
            except ValidationError as e:
                self.faults += told(f"nodes[{place}]{_named(part, 'id')}", e)
                if (name := _name(part, "id")) is not None:
                    self._once(place, name, found)
                    self._unfit.setdefault(name, self._sound_type(part))
                    self._rest_of_unfit(part, e)
                continue
            if not self._once(place, node.id, found):
                continue
            found.nodes[node.id] = node
            if node.pinned:
                found.warnings.append(
                    f"node {node.id} asks to be pinned; only an approved axiom or core is (tur propose)"
                )
            self.faults += secret(node, self._author)

    def _once(self, place: int, name: str, found: Checked) -> bool:
        if name not in found.nodes and name not in self._unfit:
            return True
        self.faults.append(f"nodes[{place}]: the id {name!r} is given twice; name each node once")
        return False

    def _rest_of_unfit(self, part: dict[str, Any], found: ValidationError) -> None:
        """A node with a fault in its type or confidence may hold a secret too, or name sources that are none."""
        faulty = {problem["loc"][0] for problem in found.errors(include_url=False) if problem["loc"]}
        sound = {key: value for key, value in part.items() if key not in faulty}
        node = ExtractedNode.model_validate({"type": "Concept", "content": "-", **sound}, context=self._context)
        self.faults += secret(node, self._author)
        self._sources(node)

    def _sound_type(self, part: dict[str, Any]) -> str:
        """Return the node type that a faulty node gives; empty where that is the fault."""
        try:
            return node_name(str(part.get("type", "")), self._context["node_types"])
        except BadInput:
            return ""

    def _edges(self, raw: dict[str, Any], found: Checked) -> None:
        seen: set[tuple[End, End, str]] = set()
        for place, part in enumerate(self._parts(raw, ("edges", "links"), MOST_EDGES)):
            where = f"edges[{place}]{_named(part, 'source', 'target')}"
            try:
                edge = ExtractedEdge.model_validate(part, context=self._context)
            except ValidationError as e:
                self.faults += told(where, e)
                self._ends_of_unfit(part, found, where)
                continue
            source, target = (self._end(name, found, where) for name in (edge.source, edge.target))
            if source is None or target is None:
                continue
            if source == target:
                self.faults.append(f"{where}: {edge.type} joins {edge.source} to itself; leave it out")
                continue
            again = (target, source, edge.type) in seen and edge.type in _SYMMETRIC
            if not again and (source, target, edge.type) not in seen:
                seen.add((source, target, edge.type))
                found.edges.append((edge, source, target))

    def _ends_of_unfit(self, part: Any, found: Checked, where: str) -> None:
        """An edge with a fault in its type or confidence may have another one in its ends."""
        names = [name for key in ("source", "target") if (name := _name(part, key)) is not None]
        ends = [self._end(name, found, where) for name in names]
        if len(ends) == 2 and ends[0] is not None and ends[0] == ends[1]:
            self.faults.append(f"{where}: it joins {names[0]} to itself; leave it out")

    def _end(self, name: str, found: Checked, where: str) -> End | None:
        if name in found.nodes or name in self._unfit:
            return name
        try:
            return row(self._reads, name)
        except AmbiguousId as e:
            self.faults.append(f"{where}: {e}")
        except BadInput:
            self.faults.append(f"{where}: {excerpt(name, 60)!r} is neither a node of the graph nor the id of a memory")
        return None

    def _sources(self, node: ExtractedNode) -> list[int]:
        mids: dict[int, None] = {}
        for ref in node.sources:
            try:
                mids[self._reads.find_memory(ref)] = None
            except BadInput as e:
                self.faults.append(f"node {node.id}, sources: {e}")
        return list(mids)

    def _signatures(self, found: Checked) -> None:
        for edge, source, target in found.edges:
            ends = self._type(source, found), self._type(target, found)
            if all(ends) and (wrong := misfit(edge.type, *ends)):
                self.faults.append(f"edge {edge.source} -> {edge.target}: {wrong}")
            if isinstance(source, int) and edge.type not in DIALECTIC and self._reads.approved(source):
                self.faults.append(
                    f"edge {edge.source} -> {edge.target}: it starts at an invariant, which only people change"
                )

    def _type(self, end: End, found: Checked) -> str:
        if isinstance(end, str):
            return found.nodes[end].type if end in found.nodes else self._unfit[end]
        memory = self._reads.memory(end)
        return node_type_of(memory.type, memory.node_type)


def row(reads: Reads, name: str) -> int:
    """Return the row of the memory that an edge names. Raises BadInput, UnknownId, AmbiguousId.

    A bare word of a few hex digits (`cafe`) is the name of a node that is missing, not the start of an id.
    """
    if "-" not in name and len(name) < SHORTEST:
        raise BadInput(f"{name!r} is too short for an id")
    return reads.find_memory(name)


def secret(node: ExtractedNode, author: Author) -> list[str]:
    """Return in a sentence that a node holds a secret; nothing where it does not."""
    try:
        refuse_secrets(Draft(content=node.content, author=author, provenance={"node": node.id}))
    except SecretFound as e:
        return [f"node {excerpt(node.id, 40)}: {e}"]
    return []


def refused(where: str, faults: list[str]) -> GraphRefused:
    """Return the error; beyond a screen or two the rest is counted."""
    if len(faults) > MOST_TOLD:
        faults = [*faults[:MOST_TOLD], f"and {len(faults) - MOST_TOLD:,} more"]
    return GraphRefused.of(where, faults)


def told(where: str, error: ValidationError) -> list[str]:
    """Return pydantic's findings as sentences of ours, the place before each."""
    found = []
    for problem in error.errors(include_url=False, include_input=False):
        field_name = ".".join(str(part) for part in problem["loc"])
        found.append(f"{where}{', ' + field_name if field_name else ''}: {_plain(problem)}")
    return found


def _plain(problem: ErrorDetails) -> str:
    limits = problem.get("ctx", {})
    match problem["type"]:
        case "missing":
            return "it is missing; give it"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "must be an object, with its keys in braces"
        case "string_type":
            return "must be a text"
        case "float_type" | "float_parsing" | "finite_number":
            return "must be a number"
        case "bool_type" | "bool_parsing":
            return "must be true or false"
        case "list_type" | "tuple_type":
            return "must be a list"
        case "less_than_equal":
            return f"must be {limits['le']:g} or less"
        case "greater_than_equal":
            return f"must be {limits['ge']:g} or more"
        case _:
            return problem["msg"].removeprefix("Value error, ")


def _name(part: Any, key: str) -> str | None:
    """Return the name that a faulty part gives; None where that is no name."""
    given = part.get(key) if isinstance(part, dict) else None
    try:
        return node_id(given) if isinstance(given, str) else None
    except BadInput:
        return None


def _named(part: Any, *keys: str) -> str:
    if not isinstance(part, dict):
        return ""
    names = [excerpt(str(part[key]), 40) for key in keys if key in part]
    return f" ({' -> '.join(names)})" if names else ""
