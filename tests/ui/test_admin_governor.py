"""The admin screen on a real store with the real governor: what is signed on the screen is in force in the ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.govern.signing import RITA, governed, put_in_force
from tests.ui.reviewer import Reviewer
from tests.ui.stores import AGENT, MARA, learn, scripted
from tur_engine.engine import Engine
from tur_engine.governor import Governor
from tur_engine.records import Draft, MemoryType, Quorum, Status
from tur_tui.app import Workbench

PASSPHRASE = "seven brass lanterns"
OLD, NEW = "All service traffic uses TLS 1.2", "All service traffic uses TLS 1.3"
RULE = "Deploys happen on Tuesdays only"
LESSON = "Retries without a limit took the queue down twice"


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Two invariants in force, something that rests on one, and a proposal of each kind. Mara's key is here."""
    monkeypatch.setenv("TUR_KEYS", str(tmp_path / "keys"))
    root = tmp_path / "project"
    root.mkdir()
    engine = scripted(Engine.init(root, actor=MARA), [(OLD, NEW)])
    Governor(engine).init_key("mara", PASSPHRASE)
    signer = Governor(engine).unlock(PASSPHRASE)
    Governor(engine).enrol(RITA.public, "rita", [signer])
    ids = []
    for text in (OLD, RULE):
        result = learn(engine, text, AGENT, type="core")
        put_in_force(engine, result.proposal_id or "")
        ids.append(result.id or "")
    learn(engine, "The load balancer is set up for TLS 1.2", rests_on=ids[0])
    lesson = learn(engine, LESSON, type="insight").id or ""
    draft = Draft(content=NEW, type=MemoryType.CORE, author=AGENT)
    assert engine.propose(draft, replaces=[ids[0]], reason="1.2 is broken").outcome == "proposed"
    engine.propose_retirement(ids[1], "we deploy daily")
    engine.propose_promotion(lesson, "operational", "Bound everything.", "Harm nobody.", "twice is enough")
    return engine


def by_text(engine: Engine) -> dict[str, Status]:
    return {each.memory.memory.content: each.memory.status for each in engine.proposals(all=True)}


async def opened(person: Reviewer) -> None:
    await person.until(lambda: len(person.app.screen_stack) > 1)
    await person.settled()
    await person.press("2")
    await person.until(lambda: person.admin.desk.review is not None)
    await person.settled()


async def test_each_kind_is_read_signed_and_in_force(engine: Engine) -> None:
    with engine:
        app = Workbench(engine)
        async with app.run_test(size=(200, 60)) as pilot:
            person = Reviewer(app, pilot)
            await opened(person)
            for words in ("1.2 is broken", "IN FORCE, WOULD GO", "The load balancer is set up for TLS 1.2"):
                assert words in person.text
            await person.press("U")
            await person.fill(PASSPHRASE)
            await person.until(lambda: person.at_admin and "UNLOCKED" in person.text)
            for left in (2, 1, 0):
                await person.until(lambda: person.admin.desk.review is not None)
                await person.press("A", "end", "y")
                await person.until(lambda: person.at_admin)
                await person.until(lambda left=left: len(person.admin.desk.waiting) == left)  # type: ignore[misc]
            await person.press("v")
            assert "mara  on this machine" in person.text
        assert by_text(engine)[NEW] is Status.ACTIVE
        assert by_text(engine)[OLD] is Status.SUPERSEDED
        assert by_text(engine)[RULE] is Status.RETRACTED
        kept = next(each for each in engine.proposals(all=True) if each.promotes)
        assert kept.memory.approved
        assert engine.memory(kept.promotes.id).status is Status.SUPERSEDED  # type: ignore[union-attr]
        assert engine.verify().ok


async def test_a_second_reviewer_completes_the_quorum_while_the_screen_is_open(engine: Engine) -> None:
    with engine:
        governor = governed(engine)
        mara = governor.unlock(PASSPHRASE)
        governor.set_quorum(Quorum(axiom=2, core=2), [mara])
        app = Workbench(engine)
        async with app.run_test(size=(120, 36)) as pilot:
            person = Reviewer(app, pilot)
            await opened(person)
            first = person.admin.desk.current
            assert first is not None
            governor.approve(first.id, RITA)
            await person.until(lambda: "1/2" in person.text)
            governor.approve(first.id, mara)
            await person.until(lambda: "was approved." in person.text)
            assert person.admin.desk.current != first
