"""Invariants of the stores above, of the working directory's and of the user's own hold here too (CONTRACTS 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.scripted import AGENT, MARA, Script, draft_of, suspicion
from tests.govern.signing import governed, put_in_force
from tur_engine import whereabouts
from tur_engine.engine import Engine
from tur_engine.errors import InvariantViolation, NotAllowed, StoreError
from tur_engine.gate.inherited import seen_from
from tur_engine.records import Author, MemoryType, OnConflict, Outcome, Scope, Verb

RULE = "Invoices are due in 30 days"
AGAINST = "Invoices are due in 45 days"
FACT = "Invoices are printed on paper"


@pytest.fixture
def script() -> Script:
    script = Script()
    script.clash(RULE, AGAINST)
    return script


@pytest.fixture
def opened(script: Script) -> Iterator[Callable[..., Engine]]:
    """Opens, or makes, a store whose verdicts follow the script."""
    engines: list[Engine] = []

    def open_(place: Path | None = None, *, made: bool = False, actor: Author = AGENT, **how: object) -> Engine:
        engine = (
            Engine.init(place, actor=actor, nested=True)
            if made and place is not None
            else Engine.open(place, actor=actor, **how)  # type: ignore[arg-type]
        )
        engine._minds = script  # type: ignore[assignment]
        engine._gate._detector = script
        engine._gate._embed = script.embed
        engines.append(engine)
        return engine

    yield open_
    for engine in engines:
        engine.close()


@pytest.fixture
def upper(tmp_path: Path, opened: Callable[..., Engine]) -> Engine:
    return opened(tmp_path, made=True, actor=MARA)


@pytest.fixture
def nested(tmp_path: Path, upper: Engine, opened: Callable[..., Engine]) -> Engine:
    (tmp_path / "services" / "api").mkdir(parents=True)
    return opened(tmp_path / "services" / "api", made=True)


def lay_down(engine: Engine, text: str = RULE, **draft: Any) -> str:
    result = engine.learn(draft_of(text, MARA, **{"type": MemoryType.CORE, **draft}))
    put_in_force(engine, result.proposal_id or "")
    assert result.id is not None
    return result.id


@pytest.mark.parametrize("on_conflict", [OnConflict.ALLOW, OnConflict.HOLD, OnConflict.FAIL])
def test_a_nested_store_inherits(upper: Engine, nested: Engine, on_conflict: OnConflict) -> None:
    rule = lay_down(upper)
    result = nested.learn(draft_of(AGAINST, AGENT), on_conflict=on_conflict)
    assert result.outcome is Outcome.INVARIANT
    assert result.invariant is not None
    assert (result.invariant.id, result.invariant.memory.content) == (rule, RULE)
    assert result.invariant_store == str(upper.path)
    assert nested.memories() == []
    last = nested.history()[-1]
    assert last.kind == "rejected"
    assert str(upper.path) in last.summary
    assert nested.check(draft_of(AGAINST, AGENT)).outcome is Outcome.INVARIANT
    assert RULE in nested.note(AGAINST).warnings[0]
    assert nested.verify().ok


def test_a_rule_that_comes_or_goes_above_is_seen_at_once(upper: Engine, nested: Engine) -> None:
    assert nested.learn(draft_of("The lift works", AGENT)).outcome is Outcome.COMMITTED
    rule = lay_down(upper)
    assert nested.learn(draft_of(AGAINST, AGENT)).outcome is Outcome.INVARIANT
    filed = upper.propose_retirement(rule, "the law changed")
    put_in_force(upper, filed.id)
    assert nested.learn(draft_of(AGAINST, AGENT)).outcome is Outcome.COMMITTED


@pytest.mark.parametrize(
    ("above", "below", "stopped"),
    [
        ("incarnation", "incarnation", True),
        ("incarnation:services", "incarnation", True),
        ("incarnation:services/api/src", "incarnation:src", True),
        ("incarnation:services/api/src", "incarnation:src/deep", True),
        ("incarnation:services/api/src", "incarnation:docs", False),
        ("incarnation:services/api", "user:docs", True),
        ("incarnation:src", "incarnation:src", False),
        ("incarnation:services/web", "universal", False),
        ("incarnation@main", "incarnation@side", False),
    ],
)
def test_paths_are_told_from_each_stores_own_root(
    upper: Engine, nested: Engine, above: str, below: str, stopped: bool
) -> None:
    lay_down(upper, scope=above)
    outcome = nested.learn(draft_of(AGAINST, AGENT, scope=below)).outcome
    assert outcome is (Outcome.INVARIANT if stopped else Outcome.COMMITTED)


def test_scopes_seen_from_elsewhere() -> None:
    root, part, other = Path("/a"), Path("/a/b/c"), Path("/z")
    assert seen_from(Scope(path="x"), part, root) == Scope(path="b/c/x")
    assert seen_from(Scope(), part, root) == Scope(path="b/c")
    assert seen_from(Scope(path="b/c/x"), root, part) == Scope(path="x")
    assert seen_from(Scope(path="b"), root, part) == Scope()
    assert seen_from(Scope(path="d"), root, part) is None
    assert seen_from(Scope(path="x", branch="main"), other, root) == Scope(branch="main")


def test_naming_another_store_escapes_nothing(
    upper: Engine,
    tmp_path_factory: pytest.TempPathFactory,
    opened: Callable[..., Engine],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_down(upper)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    opened(elsewhere, made=True, actor=MARA)
    monkeypatch.chdir(upper.root)
    assert opened(elsewhere).learn(draft_of(AGAINST, AGENT)).outcome is Outcome.INVARIANT
    monkeypatch.setenv("TUR_HOME", str(tmp_path_factory.mktemp("mine")))
    own = opened(elsewhere)
    assert own.learn(draft_of(AGAINST, AGENT)).invariant_store == str(upper.path)
    monkeypatch.chdir(elsewhere)
    assert opened().learn(draft_of(AGAINST, AGENT)).outcome is Outcome.COMMITTED


def test_the_store_above_named_from_within_a_nested_one(
    upper: Engine, nested: Engine, opened: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_down(opened(nested.path, actor=MARA))
    monkeypatch.chdir(nested.root)
    above = opened(upper.path)
    assert above.learn(draft_of(AGAINST, AGENT)).outcome is Outcome.INVARIANT
    assert above.learn(draft_of(AGAINST, AGENT, scope="incarnation:services/web")).outcome is Outcome.COMMITTED


@pytest.mark.parametrize(
    ("scope", "stopped"), [("universal", True), ("user", True), ("persona", True), ("incarnation", False)]
)
def test_the_users_own_rules_hold_in_every_project(
    home: Path, tmp_path: Path, opened: Callable[..., Engine], scope: str, stopped: bool
) -> None:
    lay_down(opened(home, made=True, actor=MARA), scope=scope)
    project = opened(tmp_path, made=True)
    outcome = project.learn(draft_of(AGAINST, AGENT, scope="incarnation:src")).outcome
    assert outcome is (Outcome.INVARIANT if stopped else Outcome.COMMITTED)


def test_another_tur_home_does_not_switch_them_off(
    home: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    opened: Callable[..., Engine],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lay_down(opened(home, made=True, actor=MARA), scope="user")
    monkeypatch.setenv("TUR_HOME", str(tmp_path_factory.mktemp("empty")))
    assert opened(tmp_path, made=True).learn(draft_of(AGAINST, AGENT)).outcome is Outcome.INVARIANT


def test_a_project_below_the_home_sees_the_users_store_once(home: Path, opened: Callable[..., Engine]) -> None:
    opened(home, made=True, actor=MARA)
    (home / "project").mkdir()
    project = opened(home / "project", made=True)
    assert whereabouts.others_in_force(project.path, home / "project") == [(home / ".tur" / "ledger.db", True)]


def test_without_other_stores_nothing_is_opened(tmp_path: Path, opened: Callable[..., Engine]) -> None:
    engine = opened(tmp_path, made=True)
    engine.learn(draft_of("The lift works", AGENT))
    assert whereabouts.others_in_force(engine.path, tmp_path) == []
    assert engine._gate._above is not None
    assert engine._gate._above._opened == []


def test_what_cannot_be_read_lets_nothing_in(upper: Engine, nested: Engine) -> None:
    upper.close()
    upper.path.write_bytes(b"no store" * 1000)
    for call in (nested.learn, nested.check):
        with pytest.raises(StoreError, match=r"the invariants of the store at .* hold here too, and it cannot be read"):
            call(draft_of("The lift works", AGENT))
    assert nested.memories() == []


def test_the_store_above_is_only_read(upper: Engine, nested: Engine) -> None:
    lay_down(upper)
    head = upper.head()
    nested.learn(draft_of(AGAINST, AGENT))
    nested.learn(draft_of("The lift works", AGENT))
    assert upper.head() == head


@pytest.mark.parametrize("length", [8, 64])
def test_naming_it_says_where_the_proposal_belongs(upper: Engine, nested: Engine, length: int) -> None:
    rule = lay_down(upper)
    result = nested.learn(draft_of("Be friendly", AGENT), supersedes=[rule.rpartition("-")[2][:length]])
    assert (result.outcome, result.proposal_id) == (Outcome.INVARIANT, None)
    assert f"tur-adm --store {upper.path} proposal submit" in result.warnings[0]
    assert nested.memories() == []


def test_a_suspicion_is_held_and_a_person_lets_it_in(
    upper: Engine, nested: Engine, script: Script, opened: Callable[..., Engine]
) -> None:
    script.say(RULE, AGAINST, suspicion())
    lay_down(upper)
    result = nested.learn(draft_of(AGAINST, AGENT), on_conflict=OnConflict.ALLOW)
    assert (result.outcome, result.conflicts) == (Outcome.CONFLICT, ())
    assert RULE in result.warnings[0]
    (waiting,) = nested.held_back()
    assert waiting.belief.id == result.id
    assert str(upper.path) in waiting.reason
    again = nested.learn(draft_of(AGAINST, AGENT), on_conflict=OnConflict.ALLOW)
    assert again.outcome is Outcome.CONFLICT
    assert nested.memories() == []
    with pytest.raises(NotAllowed, match="waits for a person"):
        nested.admit(result.id or "")
    person = opened(nested.path, actor=MARA)
    person.admit(result.id or "", reason="another kind of invoice")
    assert [b.memory.content for b in nested.memories()] == [AGAINST]
    assert nested.held_back() == []
    assert nested.verify().ok


def test_verbs_merges_and_undo_pass_it_too(
    upper: Engine, nested: Engine, script: Script, opened: Callable[..., Engine]
) -> None:
    script.clash(FACT, AGAINST)
    person = opened(nested.path, actor=MARA)
    person.learn(draft_of(FACT, MARA))
    held = nested.learn(draft_of(AGAINST, AGENT)).conflicts[0].conflict
    person.resolve(held.id, Verb.SUPERSEDE)
    person.undo()
    (conflict,) = nested.conflicts()
    lay_down(upper)
    for verb, more in ((Verb.SUPERSEDE, {}), (Verb.FORCE, {}), (Verb.DISMISS, {}), (Verb.MERGE, {"text": AGAINST})):
        with pytest.raises(InvariantViolation, match=r"^\[Invariant Memory Error\]"):
            person.resolve(conflict.id, verb, **more)  # type: ignore[arg-type]
    with pytest.raises(InvariantViolation):
        person.undo(f"#{person.head()}")
    assert [b.memory.content for b in nested.memories()] == [FACT]


def test_a_proposal_below_is_turned_away_too(upper: Engine, nested: Engine) -> None:
    lay_down(upper)
    assert nested.learn(draft_of(AGAINST, AGENT, type=MemoryType.AXIOM)).outcome is Outcome.INVARIANT
    assert nested.propose(draft_of(AGAINST, AGENT, type=MemoryType.AXIOM)).outcome is Outcome.INVARIANT
    assert governed(nested).proposals() == []


def test_a_store_whose_folder_is_closed_is_not_passed_over(
    upper: Engine, nested: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.stat

    def closed(self: Path, **how: Any) -> Any:
        if self == upper.path:
            raise PermissionError(13, "Permission denied")
        return real(self, **how)

    upper.close()
    monkeypatch.setattr(Path, "stat", closed)
    with pytest.raises(StoreError, match="cannot be read"):
        nested.learn(draft_of("The lift works", AGENT))


def test_a_graph_with_a_node_against_an_invariant_above_is_refused_whole(
    script: Script, upper: Engine, nested: Engine
) -> None:
    lay_down(upper)
    script.clash(AGAINST, FACT)  # the node clashes with one before it too, which is not kept either
    nodes = [{"id": "fact", "type": "Fact", "content": FACT}, {"id": "against", "type": "Fact", "content": AGAINST}]
    with pytest.raises(InvariantViolation, match="node against"):
        nested.commit_graph({"nodes": nodes, "edges": []}, on_conflict=OnConflict.ALLOW)
    assert not nested.memories()
    assert nested.verify().ok
    assert nested.history()[-1].kind == "rejected"


@pytest.mark.parametrize("scope", ["incarnation", "incarnation:docs"])
@pytest.mark.parametrize("named", [".tur", "folder", "other"])
def test_a_link_to_a_nested_store_leads_out_of_nothing(
    tmp_path: Path, upper: Engine, nested: Engine, opened: Callable[..., Engine],
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, named: str, scope: str,
) -> None:  # fmt: skip
    lay_down(upper, scope="incarnation:services/api")
    away = tmp_path_factory.mktemp("away")
    monkeypatch.chdir(away)
    (away / named).symlink_to(nested.path.parent.parent if named == "folder" else nested.path.parent)
    nested.close()
    place = away if named == ".tur" else away / named
    there = opened(place)
    assert there.learn(draft_of(AGAINST, AGENT, scope=scope)).outcome is Outcome.INVARIANT
