"""What the ledger's tests are made of: stores with a story, and the whole content of a store to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.govern.signing import RITA, governed, put_in_force, signer
from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.ledger import NewEvent, Reads, schema
from tur_engine.ledger.connection import load_extension
from tur_engine.ledger.effects import edge, redact
from tur_engine.records import (
    Author,
    Draft,
    EventKind,
    LearnResult,
    MemoryType,
    OnConflict,
    Quorum,
    Relation,
    Scope,
    Verb,
)

MOMENT = datetime(2026, 3, 1, 12, 0, 0, 123, tzinfo=UTC)
MARA = Author.parse("human:mara")
BOT = Author.parse("agent:bot")
INTROSPECT = Author.parse("system:introspect")


def fixed_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make digests foreseeable."""
    monkeypatch.setattr("tur_engine.ledger.bodies.os.urandom", lambda count: b"\x07" * count)


def draft(text: str, **parts: Any) -> Draft:
    return Draft(**{"content": text, "author": MARA, **parts})


def refusal(call: Callable[[], object]) -> TurError | None:
    """Return the error that a call ends in, None where it is carried out."""
    try:
        call()
    except TurError as error:
        return error
    return None


@contextmanager
def bare(path: Path) -> Iterator[apsw.Connection]:
    """The file as anybody with SQLite sees it."""
    with closing(apsw.Connection(str(path))) as db:
        load_extension(db)
        yield db


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table, the indexes read through their virtual tables."""
    tables = ("meta", "events", "bodies", *schema.PROJECTION_TABLES)
    with bare(path) as db:
        rows = {table: sorted(db.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}
        rows["words"] = db.execute("SELECT term, doc, offset FROM places").fetchall()
        rows["vectors"] = db.execute("SELECT mid, embedding, probed, scope_id FROM vectors ORDER BY mid").fetchall()
    return rows


def tell(engine: Engine) -> dict[str, LearnResult]:
    """Write a story of some sixty events that holds every kind of event; return the memories that matter later."""
    told: dict[str, LearnResult] = {}

    def learn(name: str, text: str, on_conflict: OnConflict = OnConflict.HOLD, **parts: Any) -> LearnResult:
        told[name] = engine.learn(draft(text, **parts), on_conflict=on_conflict)
        return told[name]

    def settle(result: LearnResult, verb: Verb, **more: Any) -> None:
        engine.resolve(result.conflicts[0].conflict.id, verb, reason=f"because of {verb}", **more)

    def depends(name: str) -> tuple[Relation, ...]:
        return (Relation(type="depends_on", target=told[name].id or ""),)

    for subject in ("database", "queue", "cache", "editor", "shell", "port", "region"):
        learn(subject, f"{subject}: first choice", topic=f"the {subject}", fields={"n": 1, "on": True, "as": "1"})
    learn("backups", "backups: nightly", relations=depends("database"), tags=("ops",))
    learn("restore", "restore: tested monthly", relations=depends("backups"))
    learn("local", "linter: ruff", scope=Scope.parse("incarnation:src/api"))
    learn("doubled", "database: first choice", topic="the database", fields={"n": 1, "on": True, "as": "1"})
    engine.note("editor: somebody dislikes it", session="s1")
    settle(learn("database2", "database: second choice"), Verb.SUPERSEDE)
    engine.reaffirm(told["backups"].id or "", reason="still true")
    settle(learn("queue2", "queue: second choice"), Verb.REFUTE)
    settle(learn("cache2", "cache: second choice"), Verb.MERGE, text="cache: first or second choice")
    settle(learn("editor2", "editor: second choice"), Verb.FORCE)
    learn("editor3", "editor: third choice")
    first, second = sorted(report.conflict.id for report in told["editor3"].conflicts)
    engine.resolve(first, Verb.SUPERSEDE, reason="one of two")
    engine.resolve(second, Verb.FORCE, reason="two of two")
    settle(learn("shell2", "shell: second choice", OnConflict.ALLOW), Verb.DISMISS)
    narrow = Scope.parse("incarnation:services/api")
    settle(learn("port2", "port: second choice"), Verb.BRANCH, side="challenger", scope=narrow)
    settle(learn("region2", "region: second choice"), Verb.ABORT)
    engine.undo(reason="too early")
    engine.undo(reason="not at all")
    settle(learn("database3", "database: third choice"), Verb.SUPERSEDE)
    learn("axiom", "secrets: never in git", type=MemoryType.AXIOM)
    _approve(engine, told["axiom"])
    learn("against", "secrets: sometimes in git")
    learn("open", "linter: flake8", scope=Scope.parse("incarnation:src/api"))
    with Engine.open(engine.path, actor=BOT) as bot:
        bot.resolve(told["open"].conflicts[0].conflict.id, Verb.SUPERSEDE, reason="I like it")
        bot.learn(Draft(content="weather: rain", author=BOT))
    for day in range(1, 8):
        learn(f"day{day}", f"day {day}: went by", fields={"day": day}, session="diary")
    learn("contested", "weather: sun", OnConflict.ALLOW)
    with engine._ledger.writing() as tx:  # what a pass over the whole store links
        drawn = edge(told["day3"].digest or "", told["day2"].digest or "", "refines")
        tx.append([NewEvent(EventKind.DETECTED, INTROSPECT, {"effects": [drawn]})])
    told["secret"] = learn("secret", "attic: hunterbox", topic="secrets of the house", fields={"level": 3})
    redact_memory(engine, told["secret"].id or "")
    nodes = [{"id": name, "type": "Concept", "content": f"{name}: a part of the house"} for name in ("door", "hinge")]
    engine.commit_graph({"nodes": nodes, "edges": [{"source": "door", "target": "hinge", "type": "depends_on"}]})
    _govern(engine, told)
    return told


def _govern(engine: Engine, told: dict[str, LearnResult]) -> None:
    """What reviewers do beside approving: each signed event once."""
    governor, sam = governed(engine), signer("sam")
    governor.enrol(sam.public, "sam", [RITA])
    governor.set_quorum(Quorum(axiom=2), [RITA])
    two = engine.propose(draft("changes: reviewed", type=MemoryType.AXIOM)).proposal_id or ""
    governor.approve(two, sam, reason="agreed")
    governor.approve(two, RITA)
    governor.reject(engine.propose_retirement(told["axiom"].id or "", "no need").id, RITA, "there is")
    governor.retract(told["day1"].id or "", "nobody minds")
    governor.quarantine("agent:rival", RITA, "it lies")
    governor.release("agent:rival", RITA, "it stopped")
    governor.restored(RITA, size=1, root="00" * 32, reason="as an example")
    governor.set_quorum(Quorum(), [RITA, sam])
    file = engine.path.with_name("persona.yaml")
    file.write_text("compaction: {ontology: {custom_edge_types: [cites: {decay_propagation: true}]}}", "utf-8")
    governor.approve_persona([RITA], reason="our own word")
    file.write_text("compaction: {ontology: {custom_edge_types: [cites]}}", "utf-8")
    governor.approve_persona([RITA], reason="a word without force")
    governor.revoke("sam", [RITA], "on leave")


def _approve(engine: Engine, proposed: LearnResult) -> None:
    put_in_force(engine, proposed.proposal_id or "")


def redact_memory(engine: Engine, ref: str, reason: str = "asked for") -> int:
    """Replace a memory's bodies by tombstones, with the event that says so."""
    governor = governed(engine)
    with engine._ledger.writing() as tx, engine._ledger.reading() as db:
        reads = Reads(db)
        digest = reads.digest(reads.find_memory(ref))
        refs = sorted(reads.references(reads.find_memory(ref)))
        gone = [redact(digest, refs)]
        return governor._append(tx, reads, EventKind.REDACTED, digest, [RITA], gone, reason=reason, refs=refs)
