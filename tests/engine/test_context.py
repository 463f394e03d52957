"""What an agent reads before it starts: invariants first, the newest next, within a budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.govern.signing import put_in_force
from tests.standins import install
from tur_engine.engine import Engine
from tur_engine.errors import BadInput
from tur_engine.records import Author, Draft, MemoryType, OnConflict, Scope, Verb, WorkingContext

ANNA = Author.parse("human:anna")


@pytest.fixture
def engine(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    install(monkeypatch)
    Engine.init(workdir, actor=ANNA).close()
    above = Engine.open(actor=ANNA)
    lay_down(above, "secrets: never in git")
    above.close()
    return Engine.init(workdir / "api", actor=ANNA, nested=True)


def lay_down(engine: Engine, text: str) -> None:
    put_in_force(engine, engine.learn(Draft(content=text, type=MemoryType.CORE, author=ANNA)).proposal_id or "")


def learn(engine: Engine, text: str, on: OnConflict = OnConflict.HOLD) -> None:
    engine.learn(Draft(content=text, author=ANNA), on_conflict=on)


def texts(found: WorkingContext) -> tuple[list[str], list[str]]:
    return (
        [item.belief.memory.content for item in found.invariants],
        [item.belief.memory.content for item in found.memories],
    )


def test_invariants_come_first_and_contested_ones_in_pairs(engine: Engine) -> None:
    with engine:
        learn(engine, "port: 80")
        lay_down(engine, "traffic: encrypted")
        learn(engine, "logo: blue")
        learn(engine, "database: Alembic")
        learn(engine, "port: 81", OnConflict.ALLOW)
        learn(engine, "database: Prisma")
        engine.resolve(engine.conflicts()[-1].id, Verb.SUPERSEDE, reason="moved")
        found = engine.context()
        assert texts(found) == (
            ["secrets: never in git", "traffic: encrypted"],
            ["database: Prisma", "port: 81", "port: 80", "logo: blue"],
        )
        assert found.invariants[0].store is not None
        lines = found.text.splitlines()
        assert [line.endswith(", contested]") for line in lines].count(True) == 2
        assert (found.more, found.tokens <= found.budget) == (False, True)


def test_a_held_other_side_is_told_below_and_counts(engine: Engine) -> None:
    with engine:
        learn(engine, "port: 80")
        learn(engine, f"port: {'8' * 200}")
        found = engine.context()
        assert texts(found)[1] == ["port: 80"]
        line, below = found.text.splitlines()[-2:]
        assert line.endswith(", contested]")
        assert below.startswith("  contested by fact-")
        assert below.endswith(f" (held): port: {'8' * 200}")
        assert found.tokens <= found.budget
        assert found.memories[0].tokens > 50


def test_a_budget_leaves_out_the_oldest_and_no_invariant(engine: Engine) -> None:
    with engine:
        lay_down(engine, f"traffic: encrypted {'always ' * 30}")
        for number in range(40):
            learn(engine, f"crate {number}: holds {number} bolts")
        small = engine.context(budget=160)
        assert len(small.invariants) == 2
        assert small.memories[0].belief.memory.content == "crate 39: holds 39 bolts"
        assert 0 < len(small.memories) < 20
        assert (small.more, small.tokens <= 160) == (True, True)
        assert small.text.endswith("recall finds it.")
        assert texts(engine.context(budget=1))[1] == []
        with pytest.raises(BadInput, match="holds nothing"):
            engine.context(budget=0)


@pytest.mark.parametrize("words", ["holds many bolts of steel", "箱には多くのボルトが入っている"])
def test_a_budget_is_kept_in_any_script(engine: Engine, words: str) -> None:
    with engine:
        for number in range(30):
            learn(engine, f"crate {number}: {words}")
        sizes = []
        for budget in (80, 120, 200, 400, 4000):
            found = engine.context(budget=budget)
            assert found.tokens <= budget
            assert found.more == (len(found.memories) < 30)
            sizes.append(len(found.memories))
        assert sizes == sorted(sizes)
        assert sizes[-1] == 30
        wide = sum(not character.isascii() for character in found.text)
        assert found.tokens == wide + -(-(len(found.text) - wide) // 4)


def test_folder_and_branch_choose_what_is_given(engine: Engine) -> None:
    with engine:
        for text, scope in (("a: 1", ":src/a"), ("b: 1", ":src/b"), ("main: 1", "@main"), ("all: 1", "")):
            engine.learn(Draft(content=text, author=ANNA, scope=Scope.parse(f"incarnation{scope}")))
        assert texts(engine.context(path="src/a/deep", branch="main"))[1] == ["all: 1", "main: 1", "a: 1"]
        assert texts(engine.context(path="src/b", branch="dev"))[1] == ["all: 1", "b: 1"]
        assert len(texts(engine.context())[1]) == 4


def test_hidden_characters_are_shown(engine: Engine) -> None:
    with engine:
        learn(engine, "name: \u202eevil [/b]")
        assert "‹RLO›evil [/b]" in engine.context().text
