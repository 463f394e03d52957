"""The verdicts on a graph's nodes, reached before the write lock is taken and remembered under it.

A graph of some hundred nodes has thousands of pairs; judged under the lock they would keep every other writer waiting.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..detect.joined import as_joined
from ..gate import Gate, Weigher
from ..ledger import Encoded
from ..ontology import EdgeType
from ..probe.candidate import Candidate
from ..probe.probe import FLOOR, NEAREST
from ..probe.words import distinctive
from ..records import Memory, Verdict
from ..text import tokens

Side = tuple[str, str, str, str]


class Remembering:
    """A weigher that judges a pair once. Keyed by what the two say: a node has no digest before it is in."""

    def __init__(self, weigher: Weigher, joined: Collection[frozenset[str]] = ()) -> None:
        """`joined`: the texts of what the graph joins by depends_on or refines."""
        self._weigher = weigher
        self._joined = joined
        self._known: dict[tuple[Side, Side, bool], Verdict] = {}

    @property
    def suspicion(self) -> float:
        return self._weigher.suspicion

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        """Return one verdict a candidate."""
        keys = [self._key(challenger, each.memory) for each in candidates]
        new = [each for key, each in zip(keys, candidates, strict=True) if key not in self._known]
        if new:
            joined = [c.memory.digest for c in new if {challenger.content, c.memory.content} in self._joined]
            fresh = self._weigher.weigh(as_joined(challenger, joined), new)
            self._known.update(
                (self._key(challenger, each.memory), verdict) for each, verdict in zip(new, fresh, strict=True)
            )
        return [self._known[key] for key in keys]

    def _key(self, challenger: Memory, incumbent: Memory) -> tuple[Side, Side, bool]:
        declared = any(r.type == EdgeType.CONTRADICTS and r.target == incumbent.digest for r in challenger.relations)
        return _side(challenger), _side(incumbent), declared


def _side(memory: Memory) -> Side:
    return memory.content, memory.topic or "", repr(memory.fields), str(memory.scope)


def rehearse(gate: Gate, nodes: Sequence[tuple[Encoded, bytes | None]], weigher: Remembering) -> None:
    """Weigh each node against the store, and against the nodes before it that are near."""
    for encoded, vector in nodes:
        gate.rehearse(encoded, vector, weigher)
    memories = [encoded.memory() for encoded, _ in nodes]
    for later, near in enumerate(_near([vector for _, vector in nodes])):
        if near:
            found = [
                Candidate(
                    memory=memories[earlier],
                    cosine=cosine,
                    rank=rank,
                    words=_shared(memories[later], memories[earlier]),
                )
                for rank, (earlier, cosine) in enumerate(near)
            ]
            weigher.weigh(memories[later], found)


def _shared(challenger: Memory, incumbent: Memory) -> float:
    """Share of the one's distinctive words that the other has, as the probe counts it."""
    mine = set(distinctive(challenger.content))
    return len(mine & set(tokens(incumbent.content))) / len(mine) if mine else 0.0


def _near(vectors: Sequence[bytes | None]) -> list[list[tuple[int, float]]]:
    """Return for each vector the earlier ones that are near, the nearest first."""
    import numpy as np

    blank = bytes(384)
    rows = np.array([np.frombuffer((v or blank)[-384:], dtype=np.int8) for v in vectors], dtype=np.float32)
    if not len(rows):
        return []
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths == 0, 1, lengths)
    found = []
    for later in range(len(rows)):
        cosines = rows[:later] @ rows[later]
        order = np.argsort(-cosines, kind="stable")[:NEAREST]
        found.append([(int(i), float(cosines[i])) for i in order if cosines[i] >= FLOOR])
    return found
