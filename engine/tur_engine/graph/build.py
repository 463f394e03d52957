"""The belief graph as networkx knows it, and the forms in which it leaves the program.

networkx is imported inside the functions: only who asks for a graph pays for it.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from ..records import Neighbourhood
from ..text import excerpt

if TYPE_CHECKING:
    import networkx as nx

_ARROWS = {"contradicts": "--x", "competes_with": "<-.->", "metaphor_for": "-.->"}


def belief_graph(part: Neighbourhood) -> nx.MultiDiGraph:
    """Return a neighbourhood as a MultiDiGraph: nodes by digest, typed parallel edges, focus marked."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    for belief in part.nodes:
        memory = belief.memory
        graph.add_node(
            memory.digest,
            memory_id=belief.id,
            type=str(memory.type),
            status=str(belief.status),
            content=memory.content,
            focus=memory.digest in part.focus,
        )
    for edge in part.edges:
        graph.add_edge(edge.source, edge.target, type=edge.type, seq=edge.seq, reason=edge.reason)
    return graph


def to_graphml(part: Neighbourhood) -> str:
    """Return GraphML, for other tools."""
    import networkx as nx

    out = io.BytesIO()
    nx.write_graphml(belief_graph(part), out)
    return out.getvalue().decode()


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
        lines.append(f'    {names[belief.memory.digest]}["{belief.memory.short_id} ({belief.status})<br>{label}"]')
    for edge in part.edges:
        arrow = _ARROWS.get(edge.type, "-->")
        lines.append(f"    {names[edge.source]} {arrow}|{edge.type}| {names[edge.target]}")
    return "\n".join(lines)


def to_outline(part: Neighbourhood) -> str:
    """Return the neighbourhood as text: each focus, then its edges, each with the other end."""
    beliefs = {belief.memory.digest: belief for belief in part.nodes}

    def line(digest: str) -> str:
        belief = beliefs[digest]
        return f'{belief.memory.short_id} ({belief.status}) "{excerpt(belief.memory.content, 60)}"'

    order = [*part.focus, *(digest for digest in beliefs if digest not in part.focus)]
    lines = []
    for digest in order:
        lines.append(line(digest))
        for edge in part.edges:
            if edge.source == digest:
                lines.append(f"  -> {edge.type}: {line(edge.target)}")
            elif edge.target == digest:
                lines.append(f"  <- {edge.type}: {line(edge.source)}")
        if digest in part.hidden:
            lines.append(f"  … {part.hidden[digest]} more")
    return "\n".join(lines)


FORMS: Final = {"text": to_outline, "mermaid": to_mermaid, "graphml": to_graphml}
"""The forms that are text, by the name a caller gives."""
