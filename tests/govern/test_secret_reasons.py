"""A reason is kept for good: each road that takes one searches it for secrets, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.scripted import AGENT, MARA, Store
from tests.govern.asking import TLS, ask
from tests.govern.signing import RITA, signer
from tur_engine.errors import SecretFound
from tur_engine.governor import Governor
from tur_engine.records import EventKind, Scope, Verb

SECRET = "For example, log in with the token " + "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
TOM = signer("tom")


class Made:
    """A store with something for each road to work on."""

    def __init__(self, store: Store, governor: Governor) -> None:
        self.store, self.engine, self.governor = store, store.engine, governor
        governor.enrol(TOM.public, "tom", [RITA])
        store.script.clash("The cache is Redis", "The cache is a file")
        self.ground = store.known("The cache is Redis")
        self.above = store.known("The cache is fast", rests_on=[self.ground])
        self.conflict = store.held("The cache is a file", AGENT).id
        self.proposal = ask(store, TLS)
        self.invariant = store.approve("Backups are encrypted")
        self.lamp = store.known("The lamp is green")
        gone = store.known("The lamp is lit")
        self.glow = store.known("The lamp glows", rests_on=[gone])
        governor.retract(gone, "it broke")
        store.engine.path.with_name("persona.yaml").write_text("compaction: [fights_for]\n", "utf-8")


ROADS: dict[str, Callable[[Made], object]] = {
    "approve": lambda m: m.governor.approve(m.proposal, RITA, reason=SECRET),
    "before approving": lambda m: m.governor.check_decidable(m.proposal, None, reason=SECRET),
    "reject": lambda m: m.governor.reject(m.proposal, RITA, SECRET),
    "persona": lambda m: m.governor.approve_persona([RITA], reason=SECRET),
    "restored": lambda m: m.governor.restored(RITA, size=1, root="00" * 32, reason=SECRET),
    "retract": lambda m: m.governor.retract(m.lamp, SECRET),
    "redact": lambda m: m.governor.redact(m.lamp, [RITA], SECRET),
    "quarantine": lambda m: m.governor.quarantine(str(AGENT), RITA, SECRET),
    "revoke": lambda m: m.governor.revoke("tom", [RITA], SECRET),
    "resolve": lambda m: m.engine.resolve(m.conflict, Verb.SUPERSEDE, reason=SECRET),
    "choose a branch": lambda m: m.engine.resolve(
        m.conflict, Verb.BRANCH, side="challenger", scope=Scope(path="api"), reason=SECRET
    ),
    "an agent's": lambda m: m.store.seen_by(AGENT).resolve(m.conflict, Verb.REFUTE, reason=SECRET),
    "undo": lambda m: m.engine.undo(reason=SECRET),
    "undo a session": lambda m: m.engine.undo_session(agent=AGENT, reason=SECRET),
    "reaffirm": lambda m: m.engine.reaffirm(m.glow, reason=SECRET),
    "admit": lambda m: m.engine.admit(m.lamp, reason=SECRET),
    "propose": lambda m: m.engine.propose_promotion(m.lamp, "core", "principle", "covenant", SECRET),
    "retire": lambda m: m.engine.propose_retirement(m.invariant, SECRET),
}


@pytest.fixture
def made(store: Store, governor: Governor) -> Made:
    return Made(store, governor)


@pytest.mark.parametrize("road", ROADS)
def test_no_reason_carries_a_secret(made: Made, road: str) -> None:
    head = made.engine.head()
    with pytest.raises(SecretFound, match=r"^reason, character 36, looks like a GitHub Token; nothing was stored"):
        ROADS[road](made)
    assert made.engine.head() == head


def test_nor_does_the_reason_of_a_release(made: Made) -> None:
    made.governor.quarantine(str(AGENT), RITA, "it floods")
    with pytest.raises(SecretFound):
        made.governor.release(str(AGENT), RITA, SECRET)
    assert made.engine.history()[-1].kind == EventKind.QUARANTINED
    assert made.engine.actor == MARA
