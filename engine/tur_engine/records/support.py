"""Why a memory is believed, what would fall with it, and what the whole belief graph looks like: answers to people."""

from __future__ import annotations

from datetime import datetime

from .author import Author
from .base import Record
from .conflict import Verb
from .effect import Effect
from .memory import Belief, Relation, Status
from .neighbourhood import Edge


class Justification(Record):
    """Grounds that hold together: it is whole while none of them fell or is doubtful."""

    seq: int
    """The event that gave them: the learn, or a confirmation on other grounds."""
    by: Author
    at: datetime
    grounds: tuple[Relation, ...]
    whole: bool


class Defeat(Record):
    """How a memory fell: by what, decided by whom, when and why."""

    status: Status
    verb: str
    """The verb of the decision, or the kind of the event where there was none."""
    by: Author
    at: datetime
    reason: str = ""
    seq: int
    winner: str | None = None
    """Digest of the memory that it lost to."""
    conflict_id: str | None = None


class Grounded(Record):
    """One memory in an answer to `why`."""

    belief: Belief
    justifications: tuple[Justification, ...] = ()
    beside: tuple[Relation, ...] = ()
    """What it refines, or reaches over transitive types of one's own: no grounds. Doubt of what is refined passes."""
    defeat: Defeat | None = None
    reaffirmed: tuple[str, ...] = ()
    """Digests of fallen memories in spite of which people let it stand."""

    @property
    def premise(self) -> bool:
        """True where it was said without grounds: it stands by itself."""
        return not self.justifications


class Support(Record):
    """The support of one memory down to its premises, each memory once, nearest first."""

    about: str
    """Digest of the memory that was asked about: the first of `nodes`."""
    nodes: tuple[Grounded, ...]
    circles: tuple[tuple[str, str], ...] = ()
    """Steps (from, to) that lead back to a memory on the way: it does not support itself."""
    left_out: int = 0
    """Grounds that are not told, for there are too many."""

    @property
    def well_founded(self) -> bool:
        """True where it is believed, and nothing that it goes back to fell."""
        return self.nodes[0].belief.status is Status.ACTIVE

    def node(self, digest: str) -> Grounded | None:
        """Return what is told of one memory; None where it was left out."""
        return next((node for node in self.nodes if node.belief.memory.digest == digest), None)


class Doubted(Record):
    """A memory that would become suspect, or suspect for one more cause."""

    belief: Belief
    causes: tuple[str, ...]
    through: tuple[str, ...]
    """Digests of the grounds that pass the doubt on, or fall."""


class Fall(Record):
    """What would happen if a memory fell; nothing is written."""

    belief: Belief
    verb: Verb
    allowed: bool = True
    reason: str = ""
    """Why it may not be done so."""
    suspects: tuple[Doubted, ...] = ()
    """What would be doubted, nearest first."""
    standing: tuple[Belief, ...] = ()
    """What rests on something that falls or is doubted and stands all the same, by another justification."""
    effects: tuple[Effect, ...] = ()
    """What else would follow: conflicts that are moot, candidates let in."""


class Path(Record):
    """Memories one after another with the edges between them, which may point either way."""

    nodes: tuple[Belief, ...]
    edges: tuple[Edge, ...]


class Component(Record):
    """An island of the belief graph: no edge leaves it."""

    size: int
    centre: Belief
    """The member with most edges."""
    members: tuple[str, ...]
    """Digests, the best connected first; of a large island not all."""
