"""A part of the belief graph as text that leaves the program: an outline to read, a Mermaid flowchart. Pure."""

from __future__ import annotations

from typing import Final

from tur_engine.records import Belief, Edge, Neighbourhood
from tur_engine.text import excerpt, visible

from .belief_graph import marked, node_type
from .wording import standing

_ARROWS: Final = {"contradicts": "--x", "competes_with": "<-.->", "metaphor_for": "-.->", "superseded_by": "-.->"}


def as_outline(part: Neighbourhood) -> str:
    """Each memory with its full id, type and status, the centre first, and the edges that begin or end there."""
    beliefs = {each.memory.digest: each for each in part.nodes}
    order = dict.fromkeys([*(digest for digest in part.focus if digest in beliefs), *beliefs])
    lines: list[str] = []
    for digest in order:
        belief = beliefs[digest]
        lines.append(f"{belief.id} ({node_type(belief.memory)}, {standing(belief)})")
        lines.append(f"    {visible(belief.memory.content, newlines=False)}")
        lines += [f"    {_edge(each, digest, beliefs)}" for each in part.edges if digest in (each.source, each.target)]
        if digest in part.hidden:
            lines.append(f"    {part.hidden[digest]} more outside")
    return "\n".join(lines)


def as_mermaid(part: Neighbourhood) -> str:
    """A flowchart for Mermaid; texts are cut, and quoted so that nothing in them is markup there."""
    names = {each.memory.digest: f"n{number}" for number, each in enumerate(part.nodes)}
    lines = ["graph LR"]
    for belief in part.nodes:
        memory = belief.memory
        label = f"{memory.short_id} ({standing(belief)})<br>{_quoted(excerpt(memory.content, 60))}"
        lines.append(f'    {names[memory.digest]}["{label}"]')
    for edge in part.edges:
        arrow = _ARROWS.get(edge.type, "-->")
        lines.append(f'    {names[edge.source]} {arrow}|"{_quoted(edge.type)}"| {names[edge.target]}')
    return "\n".join(lines)


def _edge(edge: Edge, digest: str, beliefs: dict[str, Belief]) -> str:
    outgoing = edge.source == digest
    other = beliefs[edge.target if outgoing else edge.source].memory
    words = f"{'->' if outgoing else '<-'} {marked(edge.type)} {other.short_id}"
    return words + (f": {visible(edge.reason, newlines=False)}" if edge.reason else "")


def _quoted(text: str) -> str:
    """Characters that Mermaid would read, as its entities."""
    made = visible(text, newlines=False)
    for char, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("`", "#96;"), ("[", "#91;")):
        made = made.replace(char, entity)
    return made
