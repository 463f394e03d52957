"""The belief graph as networkx knows it, and the forms in which it leaves the program.

networkx is imported inside the functions: only who asks for a graph pays for it.
"""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from ..ontology import node_type_of
from ..records import Belief, Edge, Memory, Neighbourhood, Path
from ..text import excerpt, visible

if TYPE_CHECKING:
    import networkx as nx

_ARROWS = {
    "contradicts": "--x",
    "competes_with": "<-.->",
    "scope_branch": "<-.->",
    "analogy_of": "<-->",
    "metaphor_for": "-.->",
    "superseded_by": "==>",
    "refuted_by": "==x",
}
_SHAPES = {"Constraint": ("{{", "}}"), "Decision": ("([", "])"), "Concept": ("(", ")")}
_BOX = ("[", "]")
_RESOLUTIONS = ("superseded_by", "refuted_by", "competes_with", "scope_branch")


def node_type(memory: Memory) -> str:
    """Return the node type of a memory: the one it was given, else the one its type stands for."""
    return str(node_type_of(memory.type, memory.node_type))


def belief_graph(part: Neighbourhood) -> nx.MultiDiGraph:
    """Return a neighbourhood as a MultiDiGraph: nodes by digest, typed parallel edges with who, when and why."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    for belief in part.nodes:
        memory = belief.memory
        graph.add_node(
            memory.digest,
            memory_id=belief.id,
            type=str(memory.type),
            node_type=node_type(memory),
            pinned=belief.approved,
            status=str(belief.status),
            content=memory.content,
            focus=memory.digest in part.focus,
        )
    for edge in part.edges:
        graph.add_edge(
            edge.source,
            edge.target,
            type=edge.type,
            seq=edge.seq,
            actor="" if edge.actor is None else str(edge.actor),
            at="" if edge.at is None else edge.at.isoformat(),
            reason=edge.reason,
            scope=edge.scope,
        )
    return graph


def to_graphml(part: Neighbourhood) -> str:
    """Return GraphML, for other tools: each edge has an id of its own, and booleans are those of XML."""
    import networkx as nx
    from networkx.readwrite.graphml import GraphMLWriter

    graph = belief_graph(part)
    numbered = nx.MultiDiGraph()
    numbered.add_nodes_from(graph.nodes(data=True))
    edges = enumerate(graph.edges(data=True))
    numbered.add_edges_from((source, target, f"e{place}", data) for place, (source, target, data) in edges)
    writer = GraphMLWriter(graph=numbered, prettyprint=True)
    booleans = {key.get("id") for key in writer.xml.iter("key") if key.get("attr.type") == "boolean"}
    for data in writer.xml.iter("data"):
        if data.get("key") in booleans:
            data.text = data.text.lower()
    out = io.BytesIO()
    writer.dump(out)
    return _harmless(out.getvalue().decode())


def _harmless(xml: str) -> str:
    """Return the same XML with what a terminal would obey, or not show, as character references."""
    return "".join(char if visible(char) == char else f"&#{ord(char)};" for char in xml)


def to_node_link(part: Neighbourhood) -> dict[str, Any]:
    """Return networkx' node-link form: `nodes` and `edges`, ready for JSON."""
    import networkx as nx

    linked: dict[str, Any] = nx.node_link_data(belief_graph(part), edges="edges")
    return linked


def to_mermaid(part: Neighbourhood) -> str:
    """Return a Mermaid flowchart; texts are quoted and cut."""
    names = {belief.memory.digest: f"n{i}" for i, belief in enumerate(part.nodes)}
    lines = ["graph LR"]
    for belief in part.nodes:
        label = excerpt(belief.memory.content, 48).replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
        left, right = _SHAPES.get(node_type(belief.memory), _BOX)
        lines.append(
            f'    {names[belief.memory.digest]}{left}"{belief.memory.short_id} ({belief.status})<br>{label}"{right}'
        )
    for edge in part.edges:
        arrow = _ARROWS.get(edge.type, "-->")
        lines.append(f"    {names[edge.source]} {arrow}|{edge.type}| {names[edge.target]}")
    return "\n".join(lines)


def to_outline(part: Neighbourhood) -> str:
    """Return the neighbourhood as text: each focus, then its edges, each with the other end."""
    beliefs = {belief.memory.digest: belief for belief in part.nodes}

    def line(digest: str) -> str:
        return _line(beliefs[digest])

    order = [*part.focus, *(digest for digest in beliefs if digest not in part.focus)]
    lines = []
    for digest in order:
        lines.append(line(digest))
        for edge in part.edges:
            if edge.source == digest:
                lines.append(f"  -> {edge.type}: {line(edge.target)}{_decided(edge)}")
            elif edge.target == digest:
                lines.append(f"  <- {edge.type}: {line(edge.source)}{_decided(edge)}")
        if digest in part.hidden:
            lines.append(f"  … {part.hidden[digest]} more next to it, not shown")
    return "\n".join(lines)


def to_steps(path: Path) -> str:
    """Return a path as text: its memories in order, and between two of them the edge that joins them."""
    lines = [_line(path.nodes[0])]
    for edge, (here, there) in zip(path.edges, pairwise(path.nodes), strict=True):
        arrow = "->" if edge.source == here.memory.digest else "<-"
        lines += [f"  {arrow} {edge.type}{_decided(edge)}", _line(there)]
    return "\n".join(lines)


def _line(belief: Belief) -> str:
    kind = node_type(belief.memory)
    return f'{belief.memory.short_id} ({kind}, {belief.status}) "{excerpt(belief.memory.content, 60)}"'


def _decided(edge: Edge) -> str:
    """Who decided it, when and why; nothing for an edge that a memory named itself."""
    if edge.type not in _RESOLUTIONS or edge.actor is None or edge.at is None:
        return ""
    where = f" in {excerpt(edge.scope, 60)}" if edge.scope else ""
    why = f": {excerpt(edge.reason, 80)}" if edge.reason else ""
    return f"{where} [{excerpt(str(edge.actor), 40)}, {edge.at:%Y-%m-%d}{why}]"


FORMS: Final = {"text": to_outline, "mermaid": to_mermaid, "graphml": to_graphml}
"""The forms that are text, by the name a caller gives."""
