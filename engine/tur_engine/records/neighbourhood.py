"""Edges between memories, and the part of the belief graph around some."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from .author import Author
from .base import Record
from .memory import Belief


class Edge(Record):
    """A typed edge between two memories, by full digest."""

    source: str
    target: str
    type: str
    seq: int
    reason: str = ""
    actor: Author | None = None
    """Who drew it: the author of the memory that names it, the one who decided, who found the contradiction."""
    at: datetime | None = None
    scope: str = ""
    """Of a `scope_branch`: where the narrowed memory holds."""


class Neighbourhood(Record):
    """The part of the belief graph within some steps of the focus memories."""

    focus: tuple[str, ...]
    nodes: tuple[Belief, ...]
    edges: tuple[Edge, ...]
    hidden: dict[str, int] = Field(default_factory=dict)
    """How many neighbours of a node (by digest) lie outside the radius or the limit."""
