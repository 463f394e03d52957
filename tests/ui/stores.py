"""Real stores for the screens' tests. Only the verdict is scripted: which texts clash is said, not weighed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.ledger import NewEvent
from tur_engine.ledger.effects import approve, move
from tur_engine.probe.candidate import Candidate
from tur_engine.records import (
    Author,
    AuthorKind,
    Draft,
    EventKind,
    Evidence,
    LearnResult,
    Memory,
    OnConflict,
    Relation,
    Relationship,
    Status,
    Verb,
    Verdict,
)

MARA = Author(kind=AuthorKind.HUMAN, name="mara")
AGENT = Author(kind=AuthorKind.AGENT, name="claude-code")

PAIRS = (
    ("Database migrations run via Alembic", "Database migrations run via Prisma Migrate"),
    ("The staging database listens on port 5432", "The staging database listens on port 6432"),
    ("Nightly backups are kept for 14 days", "Nightly backups are kept for 30 days"),
)
"""Three incumbents and what contradicts each; their probabilities fall in this order."""


class Script:
    """Stands in for the models: a pair of texts that was named clashes, every other one does not."""

    has_judge = True
    suspicion = 0.2
    threshold = 0.5

    @property
    def detector(self) -> Script:
        """What weighs, as Minds gives it."""
        return self

    def __init__(self, pairs: Sequence[tuple[str, str]], suspicions: Sequence[tuple[str, str]] = ()) -> None:
        self._rank = {pair: rank for rank, pair in enumerate(pairs)}
        self._suspicions = set(suspicions)

    def embed(self, text: str) -> bytes | None:
        return None

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        return [self._verdict(each.memory, challenger) for each in candidates]

    def _verdict(self, incumbent: Memory, challenger: Memory) -> Verdict:
        rank = self._rank.get((incumbent.content, challenger.content))
        if (incumbent.content, challenger.content) in self._suspicions:
            return Verdict(relationship=Relationship.COMPATIBLE, probability=0.4)
        if rank is None:
            return Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
        last = incumbent.content.rsplit(" ", 1)
        piece = Evidence(
            kind="judge",
            weight=3.5,
            sentence="both name a value of one thing, and the values differ",
            incumbent_words=last[-1],
            incumbent_spans=((len(incumbent.content) - len(last[-1]), len(incumbent.content)),),
        )
        guard = Evidence(kind="additive", weight=-0.7, sentence="nothing says that the new one is meant as an addition")
        return Verdict(
            relationship=Relationship.CLASH,
            probability=round(0.97 - 0.05 * rank, 2),
            evidence=(piece, guard),
            suggested=Verb.SUPERSEDE,
            judged=True,
        )


def scripted(engine: Engine, pairs: Sequence[tuple[str, str]], suspicions: Sequence[tuple[str, str]] = ()) -> Engine:
    """Let the script say what clashes in this engine, and what is only suspected to."""
    script = Script(pairs, suspicions)
    engine._minds = script  # type: ignore[assignment]
    engine._gate._detector = script
    engine._gate._embed = script.embed
    return engine


def learn(engine: Engine, text: str, author: Author = AGENT, *, rests_on: str = "", **more: object) -> LearnResult:
    """Offer one memory to the gate; what clashes is held."""
    relations = (Relation(type="depends_on", target=rests_on),) if rests_on else ()
    draft = Draft(content=text, author=author, relations=relations, **more)
    return engine.learn(draft, on_conflict=OnConflict.HOLD)


def store(root: Path, pairs: Sequence[tuple[str, str]] = PAIRS, *, dependants: int = 0) -> Engine:
    """A store with one open conflict a pair; `dependants` memories rest on the first incumbent."""
    engine = scripted(Engine.init(root, actor=MARA), pairs)
    ids = [learn(engine, old, MARA).id or "" for old, _ in pairs]
    for number in range(dependants):
        learn(engine, f"Step {number + 1} of the release checklist upgrades the schema", rests_on=ids[0])
    for _, new in pairs:
        assert learn(engine, new).outcome == "conflict_detected"
    return engine


def opened(root: Path, actor: Author = AGENT, pairs: Sequence[tuple[str, str]] = PAIRS) -> Engine:
    """The same store, opened by somebody else."""
    return scripted(Engine.open(root, actor=actor), pairs)


TLS = ("All service traffic uses TLS", "Traffic between services is plain HTTP")
"""An invariant and what may clash with it."""


def guarded(root: Path) -> Engine:
    """A store with an approved core memory and a held suspicion against it."""
    engine = scripted(Engine.init(root, actor=MARA), [], [TLS])
    digest = (learn(engine, TLS[0], MARA, type="core").id or "").rpartition("-")[2]
    effects = [move(digest, Status.PENDING, Status.ACTIVE), approve(digest)]
    with engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.APPROVED, MARA, {"effects": effects})])
    assert learn(engine, TLS[1]).outcome == "conflict_detected"
    return engine


def kinds(engine: Engine) -> list[str]:
    """What was done by whom sits there: kinds of events after the learning, with the verb of each decision."""
    told = []
    for entry in engine.history():
        if entry.kind is EventKind.RESOLVED:
            with engine._reads() as (_, reads):
                told.append(f"resolved {reads.event(entry.seq)[2]['decision']['verb']}")
        elif entry.kind in (EventKind.CHOSEN, EventKind.UNDONE, EventKind.ESCALATED):
            told.append(str(entry.kind))
    return told
