"""A pass tells what contradicts an invariant of a store above, or of the user's own; it changes neither store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, Script, draft_of, suspicion
from tests.govern.asking import PLAIN, TLS
from tests.govern.signing import put_in_force
from tur_engine import payloads
from tur_engine.engine import Engine

LOCAL, CENTRAL = "The api keeps its own certificate", "The api certificate is kept in one place"


class Family:
    """A project's store, one nested in it, and the user's own."""

    def __init__(self, tmp_path: Path, home: Path) -> None:
        self.script = Script()
        (tmp_path / "services").mkdir()
        self.upper = self._follow(Engine.init(tmp_path, actor=MARA))
        self.nested = self._follow(Engine.init(tmp_path / "services", actor=MARA, nested=True))
        self.user = self._follow(Engine.init(home, actor=MARA))

    def _follow(self, engine: Engine) -> Engine:
        engine._minds = self.script  # type: ignore[assignment]
        engine._gate._detector, engine._gate._embed = self.script, self.script.embed
        return engine

    def approve(self, engine: Engine, text: str, scope: str = "incarnation") -> None:
        result = engine.propose(draft_of(text, AGENT, type="core", scope=scope))
        put_in_force(engine, result.proposal_id or "")


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Family]:
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir(exist_ok=True)
    project.mkdir()
    monkeypatch.setenv("HOME", str(home))
    made = Family(project, home)
    yield made
    for engine in (made.upper, made.nested, made.user):
        engine.close()


def test_violations_and_suspicions_are_told_each_time_and_nothing_is_written(family: Family) -> None:
    nested = family.nested
    for text in (PLAIN, LOCAL, "Lunch is at noon"):
        nested.learn(draft_of(text, AGENT))
    family.approve(family.upper, TLS)
    family.approve(family.user, CENTRAL, scope="user")
    family.approve(family.user, "Lunch is never at noon")  # holds at home only
    family.script.clash(TLS, PLAIN)
    family.script.clash("Lunch is never at noon", "Lunch is at noon")
    family.script.say(CENTRAL, LOCAL, suspicion())
    heads = [engine.head() for engine in (nested, family.upper, family.user)]
    for _ in range(2):
        report = nested.introspect(workers=1)
        told = [(p.kind, p.newer.memory.content, p.older.memory.content, p.certain, p.store) for p in report.found]
        assert told == [
            ("elsewhere", PLAIN, TLS, True, str(family.upper.path)),
            ("elsewhere", LOCAL, CENTRAL, False, str(family.user.path)),
        ]
    assert [engine.head() for engine in (nested, family.upper, family.user)] == heads
    payload = payloads.introspection(report)
    assert (payload["conflicts_found"], payload["conflicts"], len(payload["elsewhere"])) == (0, [], 2)
    assert payload["elsewhere"][0]["store"] == str(family.upper.path)


def test_each_shard_tells_its_own(family: Family) -> None:
    family.nested.learn(draft_of(PLAIN, AGENT))
    family.approve(family.upper, TLS)
    family.script.clash(TLS, PLAIN)
    told = [len(family.nested.introspect(workers=1, shard=f"{part}/3").found) for part in (1, 2, 3)]
    assert sorted(told) == [0, 0, 1]


def test_a_store_above_has_no_say_below_where_nothing_is_in_force(family: Family) -> None:
    family.nested.learn(draft_of(PLAIN, AGENT))
    family.script.clash(TLS, PLAIN)
    family.upper.learn(draft_of(TLS, AGENT))
    assert family.nested.introspect(workers=1).found == ()
