"""Stores whose verdicts are scripted: a test says which texts clash, so gate and truth maintenance are tested apart
from detection. Everything else is real: probe, ledger, plans, projections."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.govern.signing import put_in_force
from tur_engine.engine import Engine
from tur_engine.probe.candidate import Candidate
from tur_engine.records import (
    Author,
    Belief,
    Conflict,
    Draft,
    Evidence,
    LearnResult,
    Memory,
    MemoryType,
    OnConflict,
    Relation,
    Relationship,
    Scope,
    Status,
    Verb,
    Verdict,
)
from tur_engine.text import fold, tokens

MARA = Author.parse("human:mara")
AGENT = Author.parse("agent:claude-code")
OTHER = Author.parse("agent:aider")

COMPATIBLE = Verdict(relationship=Relationship.COMPATIBLE, probability=0.01)
DUPLICATE = Verdict(relationship=Relationship.DUPLICATE, probability=0.01)


def clash(probability: float = 0.9) -> Verdict:
    """A verdict as the detector would give it."""
    piece = Evidence(kind="competing", weight=3.0, sentence="both name a value of one thing, and the values differ")
    return Verdict(relationship=Relationship.CLASH, probability=probability, evidence=(piece,), judged=True)


def suspicion(probability: float = 0.3) -> Verdict:
    """Too unsure for a clash."""
    return Verdict(relationship=Relationship.COMPATIBLE, probability=probability, suspicious=True, judged=True)


class Script:
    """Stands in for embedder and detector. Unnamed pairs are compatible; `asked` keeps every pair that was weighed."""

    has_judge = False
    suspicion = 0.2
    threshold = 0.5

    def __init__(self) -> None:
        self._verdicts: dict[frozenset[str], Verdict] = {}
        self.asked: list[tuple[str, str]] = []
        self.meanwhile: Callable[[], None] | None = None
        """Called while a pair is being weighed: what another process does at that moment."""
        self.rule: Callable[[str, str], Verdict | None] = lambda incumbent, challenger: None

    @property
    def detector(self) -> Script:
        """What weighs, as Minds gives it."""
        return self

    def say(self, one: str, other: str, verdict: Verdict) -> None:
        """Fix the verdict on two texts, whichever comes first."""
        self._verdicts[frozenset((fold(one), fold(other)))] = verdict

    def clash(self, *texts: str, probability: float = 0.9) -> None:
        """Let each of the texts clash with each other one."""
        for i, one in enumerate(texts):
            for other in texts[i + 1 :]:
                self.say(one, other, clash(probability))

    def weigh(self, challenger: Memory, candidates: Sequence[Candidate]) -> list[Verdict]:
        """Give one verdict a candidate; a declared contradiction always clashes."""
        if self.meanwhile is not None:
            self.meanwhile()
        return [self._verdict(each.memory, challenger) for each in candidates]

    def _verdict(self, incumbent: Memory, challenger: Memory) -> Verdict:
        self.asked.append((incumbent.content, challenger.content))
        if any(r.type == "contradicts" and r.target == incumbent.digest for r in challenger.relations):
            return clash(0.99)
        given = self._verdicts.get(frozenset((fold(incumbent.content), fold(challenger.content))))
        return given or self.rule(incumbent.content, challenger.content) or COMPATIBLE

    def embed(self, text: str) -> bytes:
        """A vector that is near where words are shared."""
        words = tokens(text) or [text]
        summed = [sum(column) for column in zip(*(_direction(word) for word in words), strict=True)]
        return bytes(32) + bytes(round(127 * value / len(words)) % 256 for value in summed)


@lru_cache(maxsize=2048)
def _direction(word: str) -> tuple[int, ...]:
    return tuple(random.Random(word).choices((-1, 1), k=384))


class Store:
    """One store file, seen by a person (`engine`) and by others (`seen_by`), all with one script."""

    def __init__(self, root: Path) -> None:
        self.script = Script()
        self._opened: dict[str, Engine] = {}
        self.engine = self._follow(Engine.init(root, actor=MARA))

    def _follow(self, engine: Engine) -> Engine:
        engine._minds = self.script  # type: ignore[assignment]
        engine._gate._detector = self.script
        engine._gate._embed = self.script.embed
        self._opened[str(engine.actor)] = engine
        return engine

    def seen_by(self, actor: Author) -> Engine:
        """The same store, opened for somebody else, with connections of its own."""
        known = self._opened.get(str(actor))
        return known or self._follow(Engine.open(self.engine.path, actor=actor))

    def close(self) -> None:
        for engine in self._opened.values():
            engine.close()

    def learn(
        self,
        text: str,
        by: Author = MARA,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
        dry_run: bool = False,
        **draft: Any,
    ) -> LearnResult:
        """Offer one draft to the gate."""
        return self.seen_by(by).learn(
            draft_of(text, by, **draft), on_conflict=on_conflict, supersedes=supersedes, dry_run=dry_run
        )

    def known(self, text: str, by: Author = MARA, **draft: Any) -> str:
        """Learn what clashes with nothing; returns its id."""
        result = self.learn(text, by, **draft)
        assert result.outcome == "committed", result
        assert result.id is not None
        return result.id

    def held(self, text: str, by: Author = MARA, **draft: Any) -> Conflict:
        """Learn what is stopped; returns the strongest conflict."""
        result = self.learn(text, by, **draft)
        assert result.outcome == "conflict_detected", result
        return result.conflicts[0].conflict

    def contested(self, text: str, by: Author = MARA, **draft: Any) -> Conflict:
        """Learn what clashes and is let in all the same; returns the strongest conflict."""
        result = self.learn(text, by, on_conflict=OnConflict.ALLOW, **draft)
        assert result.outcome == "committed", result
        return result.conflicts[0].conflict

    def approve(self, text: str, type: MemoryType = MemoryType.AXIOM, **draft: Any) -> str:
        """Bring an invariant into force; returns its id."""
        result = self.learn(text, type=type, **draft)
        assert result.outcome == "proposed", result
        assert result.digest is not None
        put_in_force(self.engine, result.proposal_id or "")
        assert result.id is not None
        return result.id

    def status(self, ref: str) -> str:
        """Where a memory stands."""
        return str(self.engine.memory(ref).status)

    def live(self) -> set[str]:
        """The texts that are believed."""
        return {belief.memory.content for belief in self.engine.memories(limit=-1)}

    def texts(self, query: str, **options: Any) -> list[str]:
        """What recall answers."""
        return [hit.belief.memory.content for hit in self.engine.recall(query, **options)]

    def edges(self) -> set[tuple[str, str, str]]:
        """Every edge of every memory as (source text, type, target text)."""
        beliefs = {b.memory.digest: b for b in self.every()}
        return {
            (beliefs[e.source].memory.content, e.type, beliefs[e.target].memory.content)
            for digest in beliefs
            for e in self.engine.edges(digest)
        }

    def every(self) -> list[Belief]:
        """Every memory there is, in any status."""
        return self.engine.memories(status=list(Status), limit=-1)

    def picture(self) -> dict[str, Any]:
        """All that a decision may change, told without ids of conflicts (an undo opens successors)."""
        every = self.every()
        drawn = {(e.source, e.type, e.target) for b in every for e in self.engine.edges(b.memory.digest)}
        return {
            "status": {b.memory.digest: str(b.status) for b in every},
            "suspect": {b.memory.digest: set(b.suspect_because) for b in every},
            "scope": {b.memory.digest: str(b.memory.scope) for b in every},
            "edges": drawn,
            "open": sorted((c.incumbent.id, c.challenger.id, str(c.state)) for c in self.engine.conflicts()),
        }

    def verified(self) -> None:
        """The ledger holds, and says the same when it is built anew."""
        assert self.engine.verify().ok, self.engine.verify()
        before = self.picture()
        self.engine.rebuild()
        assert self.engine.verify().ok
        assert self.picture() == before

    def settle(self, conflict: Conflict, verb: Verb, by: Author = MARA, **options: Any) -> Any:
        """Give a conflict its verb, with what the verb needs."""
        if verb is Verb.MERGE:
            options.setdefault("text", "Both of them, each in its place")
        if verb is Verb.BRANCH:
            options.setdefault("side", "challenger")
            options.setdefault("scope", Scope(path="services/api"))
        return self.seen_by(by).resolve(conflict.id, verb, **options)


def draft_of(
    text: str, by: Author = MARA, *, rests_on: Sequence[str] = (), contradicts: Sequence[str] = (), **more: Any
) -> Draft:
    """A draft; `rests_on` and `contradicts` name memories."""
    if "scope" in more and isinstance(more["scope"], str):
        more["scope"] = Scope.parse(more["scope"])
    relations = [Relation(type="depends_on", target=ref) for ref in rests_on]
    relations += [Relation(type="contradicts", target=ref) for ref in contradicts]
    relations += more.pop("relations", ())
    return Draft(content=text, author=by, relations=tuple(relations), **more)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store with a script of its own."""
    made = Store(tmp_path)
    yield made
    made.close()
