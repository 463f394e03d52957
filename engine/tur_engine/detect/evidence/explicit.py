"""Explicit: one memory says by a relation that it contradicts the other (EP-0134, section 2)."""

from __future__ import annotations

from collections.abc import Iterator

from ...records import Evidence
from ..pair import Pair

KIND = "explicit"
WEIGHT = 8.0
"""The author says so: nothing else can outweigh it."""


def find(pair: Pair) -> Iterator[Evidence]:
    """Yield one piece where a `contradicts` relation of either side names the other."""
    sides = (("newcomer", pair.challenger, pair.incumbent), ("older memory", pair.incumbent, pair.challenger))
    for who, speaker, other in sides:
        for relation in speaker.relations:
            if relation.type == "contradicts" and relation.target in (other.digest, other.id):
                yield pair.evidence(
                    KIND,
                    WEIGHT,
                    f"The {who} declares that it contradicts the other.",
                    [(0, len(pair.a.text))],
                    [(0, len(pair.b.text))],
                )
                return
