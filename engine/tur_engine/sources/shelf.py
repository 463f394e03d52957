"""The statements of one scan side by side: which of those before it could one clash with?"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..probe.candidate import Candidate
from ..probe.probe import NEAREST, fused
from ..probe.words import distinctive
from ..records import Memory
from ..text import tokens
from .apart import apart
from .choices import options
from .scoping import Meeting
from .statements import Statement
from .telling import same_label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOOR = 0.4
"""Cosine under which a hit by vector alone is not worth a look: of 68 planted clashes the furthest that is found has
0.51."""
MOST = 12
"""Candidates of one statement: the detector reads the eight closest and the three that share most words."""


_BLOCK = 256
_RAREST = 8
"""Words of a statement by which others are looked for."""


class Entry(NamedTuple):
    """One side of a pair: a statement of a file, or a memory of the ledger (`statement` is None)."""

    memory: Memory
    statement: Statement | None
    approved: bool = False
    store: str = ""
    """Where it is an invariant of another store: that store."""
    vector: bytes | None = None
    """As the ledger keeps it, behind the hash of its model."""

    @property
    def text(self) -> str:
        return self.memory.content


class Shelf:
    """Entries in order, with their vectors; those of the ledger come first."""

    def __init__(self, entries: Sequence[Entry], vectors: NDArray[np.float32], meeting: Meeting) -> None:
        self._entries = entries
        self._vectors = vectors
        self._meeting = meeting
        self._block: tuple[int, NDArray[np.float32]] | None = None
        self._words = [distinctive(entry.text) for entry in entries]
        self._tokens = [frozenset(tokens(entry.text)) for entry in entries]
        self._holding: dict[str, list[int]] = defaultdict(list)
        self._choosing: dict[str, list[int]] = defaultdict(list)
        for place, entry in enumerate(entries):
            for topic in options(entry.text):
                self._choosing[topic].append(place)
        for place, words in enumerate(self._words):
            for word in set(words):
                self._holding[word].append(place)

    def before(self, place: int) -> list[tuple[int, Candidate]]:
        """Return the entries before one that are worth weighing, closest first, with their places."""
        import numpy as np

        if not place:
            return []
        cosines = self._cosines(place)
        above = np.flatnonzero(cosines >= FLOOR)
        near = [int(p) for p in above[np.argsort(-cosines[above], kind="stable")][: 4 * NEAREST]]
        lexical = self._lexical(place)
        mine = set(self._words[place])
        found: list[tuple[int, Candidate]] = []
        same = self._same_choice(place)
        for other in fused([p for p in near if self._may_meet(p, place)][:NEAREST], lexical, same):
            shared = len(mine & self._tokens[other]) / len(mine) if mine else 0.0
            cosine = float(cosines[other])
            if cosine < FLOOR and shared < 0.34 and other not in same:
                continue
            found.append((other, Candidate(self._entries[other].memory, round(cosine, 4), len(found), shared)))
            if len(found) >= MOST:
                break
        return found

    def _same_choice(self, place: int) -> list[int]:
        """Return earlier entries that choose on the same topic, the latest first."""
        if self._entries[place].statement is None:
            return []
        found = {
            other
            for topic in options(self._entries[place].text)
            for other in self._choosing[topic][: bisect_left(self._choosing[topic], place)][-4 * MOST :]
        }
        return [other for other in sorted(found, reverse=True) if self._may_meet(other, place)][:MOST]

    def _cosines(self, place: int) -> NDArray[np.float32]:
        """Return the cosines with all before one; a block of rows is multiplied at a time."""
        start = place - place % _BLOCK
        if self._block is None or self._block[0] != start:
            end = min(len(self._vectors), start + _BLOCK)
            self._block = start, self._vectors[start:end] @ self._vectors[:end].T
        row: NDArray[np.float32] = self._block[1][place - start, :place]
        return row

    def _lexical(self, place: int) -> list[int]:
        """Return the earlier entries that share the rarest words."""
        weights: dict[int, float] = defaultdict(float)
        total = len(self._entries)
        rare = sorted(set(self._words[place]), key=lambda word: (len(self._holding[word]), word))[:_RAREST]
        for word in rare:
            holding = self._holding[word]
            weight = math.log(1 + total / len(holding))
            for other in holding[: bisect_left(holding, place)]:
                weights[other] += weight
        ranked = sorted(weights, key=lambda p: (-weights[p], p))
        return [p for p in ranked[: 4 * NEAREST] if self._may_meet(p, place)][:NEAREST]

    def _may_meet(self, one: int, other: int) -> bool:
        a, b = self._entries[one], self._entries[other]
        if a.statement is None or b.statement is None:
            return (a.statement is not None or b.statement is not None) and a.memory.scope.overlaps(b.memory.scope)
        if a.statement.rendered and b.statement.rendered:  # the gate weighed them, when they came into the ledger
            return False
        if a.statement.kind == b.statement.kind == "command" and not same_label(a.statement, b.statement):
            return False
        return self._meeting(a.statement, b.statement) and not apart(a.statement.subject, b.statement.subject)
