"""A proposal in a nested store cannot bring into force what contradicts an invariant above it (CONTRACTS 4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.scripted import AGENT, MARA, Script, draft_of
from tests.govern.asking import PLAIN, TLS
from tests.govern.signing import RITA, governed, put_in_force
from tur_engine.engine import Engine
from tur_engine.errors import InvariantViolation
from tur_engine.records import Outcome


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def stores(tmp_path: Path, script: Script) -> Iterator[tuple[Engine, Engine]]:
    """A store, and one nested in it."""
    (tmp_path / "services").mkdir()
    made = Engine.init(tmp_path, actor=MARA), Engine.init(tmp_path / "services", actor=MARA, nested=True)
    for engine in made:
        engine._minds = script  # type: ignore[assignment]
        engine._gate._detector, engine._gate._embed = script, script.embed
    yield made
    for engine in made:
        engine.close()


def proposed(engine: Engine, text: str) -> str:
    result = engine.propose(draft_of(text, AGENT, type="core"))
    assert result.outcome is Outcome.PROPOSED, result
    return result.proposal_id or ""


def test_what_an_upper_store_forbids_is_blocked_below(stores: tuple[Engine, Engine], script: Script) -> None:
    upper, nested = stores
    waiting = proposed(nested, PLAIN)
    script.clash(TLS, PLAIN)
    put_in_force(upper, proposed(upper, TLS))
    governor = governed(nested)
    [objection] = governor.review(waiting).objections
    assert (objection.blocks, objection.belief.memory.content) == (True, TLS)
    assert str(upper.path) in objection.sentence
    with pytest.raises(InvariantViolation, match="not for this store to replace"):
        governor.approve(waiting, RITA)
    assert not nested.memory(waiting).approved
    assert nested.propose(draft_of("Service traffic is plain HTTP ", AGENT, type="axiom")).outcome is Outcome.INVARIANT
