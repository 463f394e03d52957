"""Answers of the engine: what a learn, a check, a verb or an undo brought about."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from .author import Author
from .base import Record
from .conflict import Conflict, Verb
from .event import EventKind
from .memory import Belief, Status


class OnConflict(StrEnum):
    """What the caller wants done with a clash (CONTRACTS 2). `ask` is the surface's business."""

    ASK = "ask"
    HOLD = "hold"
    ALLOW = "allow"
    FAIL = "fail"


class Outcome(StrEnum):
    """How the gate answered."""

    COMMITTED = "committed"
    DUPLICATE = "duplicate"
    CONFLICT = "conflict_detected"
    INVARIANT = "invariant_violation"
    PROPOSED = "proposed"


class Merkle(Record):
    """A tree head (RFC 6962): how many events, and their root in hex."""

    size: int
    root: str


class SettledBefore(Record):
    """The newcomer repeats what was settled: when, by whom, why."""

    conflict_id: str
    at: datetime
    by: Author
    reason: str
    verb: Verb


class Effect(Record):
    """One change a verb brings: a memory's status moves, an edge is drawn, a scope narrows."""

    subject: str
    """Full id of the memory; of conflicts that are settled along with another the first one's."""
    change: str
    """`status`, `suspect`, `edge`, `scope`, `new`, `conflict`."""
    before: str = ""
    after: str = ""
    sentence: str


class Preview(Record):
    """What one verb would change, in plain sentences; nothing is written."""

    verb: Verb
    allowed: bool = True
    reason: str = ""
    """Why it is not allowed."""
    effects: tuple[Effect, ...] = ()
    later: tuple[Effect, ...] = ()
    """What it would change on this pair once the rest of the candidate's conflicts is settled."""

    @property
    def summary(self) -> str:
        if self.later and not self.effects:
            return f"{self.reason}; then {_told(self.later)}"
        return _told(self.effects) or self.reason


def _told(effects: tuple[Effect, ...]) -> str:
    return "; ".join(dict.fromkeys(effect.sentence for effect in effects))


class ConflictReport(Record):
    """One clash as a learn or check reports it. `conflict` has no stored id in a dry run's ledger, but the same one."""

    conflict: Conflict
    previews: dict[Verb, Preview] = Field(default_factory=dict)
    may: tuple[Verb, ...] = ()
    """Verbs that take effect when the author gives them; the others are put before people, or change nothing."""


class LearnResult(Record):
    """The gate's answer to one draft."""

    outcome: Outcome
    id: str | None = None
    """Full id of the memory, candidate or proposal; the existing one for a duplicate."""
    digest: str | None = None
    seq: int | None = None
    merkle: Merkle | None = None
    conflicts: tuple[ConflictReport, ...] = ()
    duplicate_of: str | None = None
    proposal_id: str | None = None
    invariant: Belief | None = None
    """The approved axiom or core it violates."""
    invariant_store: str | None = None
    """The other store that this invariant is of, and holds here from."""
    settled_before: SettledBefore | None = None
    warnings: tuple[str, ...] = ()
    doubt: float = 0.0
    """The highest probability of a clash among all pairs weighed, stopped or not."""
    seconds: float = 0.0
    """What probe and verdict took."""
    dry_run: bool = False
    content: str = ""


class Refusal(Record):
    """A line of a batch that could not be taken."""

    line: int
    reason: str


class BatchReport(Record):
    """A batch learn, counted (CONTRACTS 4)."""

    committed: int = 0
    duplicates: int = 0
    held: int = 0
    proposed: int = 0
    invariant_violations: int = 0
    refused: tuple[Refusal, ...] = ()
    conflicts: tuple[ConflictReport, ...] = ()
    results: tuple[LearnResult, ...] = ()
    lines: tuple[int, ...] = ()
    """The line of each of the `results`."""
    dry_run: bool = False
    nothing_kept: bool = False
    """All or nothing was asked for, and something must not come in: the counts tell what would have been."""


class ResolutionResult(Record):
    """What a verb or an undo did."""

    verb: str
    """A Verb, or `undo`."""
    decided: Conflict | None = Field(default=None, alias="conflict")
    """The conflict as it stands afterwards; None where an undo took back what a graph or a pass drew."""
    seq: int
    effects: tuple[Effect, ...] = ()
    waiting: tuple[str, ...] = ()
    """Ids of the same candidate's other conflicts that must be settled before anything changes."""
    memory_id: str | None = None
    """The merged memory, after `merge`."""
    reopened: tuple[str, ...] = ()
    """Conflicts that an undo opened again."""

    @property
    def conflict(self) -> Conflict:
        """The conflict as it stands afterwards. Raises LookupError where none was decided on."""
        if self.decided is None:
            raise LookupError(f"event {self.seq} concerns no conflict")
        return self.decided


class SessionStep(Record):
    """What became of one event of a session that is rolled back."""

    seq: int
    kind: EventKind
    done: bool
    reason: str = ""
    """Why it stays."""
    by_seq: int | None = None
    """The event that took it back."""
    summary: str = ""


class SessionUndo(Record):
    """A session rolled back, the newest event first; in a preview nothing was written."""

    steps: tuple[SessionStep, ...] = ()
    dry_run: bool = False

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)


class HeldBack(Record):
    """A memory that is held though no conflict stops it: it waits for a person's word."""

    belief: Belief
    reason: str


class RecalledMemory(Record):
    """A hit of recall."""

    belief: Belief
    score: float
    companion: bool = False
    """True where it is listed only because it contests a hit."""


class NoteResult(Record):
    """A note was taken; clashes with live memories come back as warnings, never as a stop."""

    seq: int
    warnings: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()
    """Ids of the live memories it clashes with."""


class StoreStatus(Record):
    """Counts of one store (CONTRACTS 4, `status`)."""

    path: str
    store_id: str
    memories: dict[Status, int]
    open_conflicts: int
    invariants: int
    proposals_pending: int
    head: Merkle
    judge: bool
    """False where the neural judge is not installed: symbols alone decide."""
    read_only: bool = False
    persona: str = ""
    """How the persona file stands, in words; empty where it asks for no force and none was approved."""
    former: str = ""
    """That this machine knows another store at this place, and what to do; empty where it does not."""


class VerifyReport(Record):
    """Result of checking a ledger (CONTRACTS 4, `verify`)."""

    ok: bool
    events: int
    head: Merkle
    checkpoints: int = 0
    witness: str = "no witness on this machine"
    first_bad: int | None = None
    """Sequence number of the first bad event."""
    problem: str = ""
    persona: str = ""
    """As of StoreStatus."""
    former: str = ""
    """As of StoreStatus."""


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
