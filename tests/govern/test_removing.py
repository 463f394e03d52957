"""Ordinary memories that people take out: retracted, or redacted with every trace of the text."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, Store
from tests.govern.signing import RITA
from tur_engine.errors import BadInput, NoKey, NotAllowed
from tur_engine.governor import Governor
from tur_engine.records import Verb

OLD, NEW = "The database is Oracle", "The database is Postgres"


def test_a_retraction_shakes_what_rests_on_it(store: Store, governor: Governor) -> None:
    ground = store.known(OLD)
    resting = store.known("Backups run through RMAN", rests_on=[ground])
    with pytest.raises(BadInput, match="reason"):
        governor.retract(ground, "")
    governor.retract(ground, "never was true")
    assert (store.status(ground), store.status(resting)) == ("retracted", "suspect")
    told = store.engine.history()[-1]
    assert (told.summary, told.reason) == (f'retracted "{OLD}"', "never was true")
    with pytest.raises(NotAllowed, match="retracted already"):
        governor.retract(ground, "again")
    store.verified()


def test_a_candidate_held_for_a_retracted_memory_comes_in(store: Store, governor: Governor) -> None:
    store.script.clash(OLD, NEW)
    ground = store.known(OLD)
    held = store.held(NEW, AGENT)
    governor.retract(ground, "never was true")
    assert store.status(held.challenger.id) == "active"
    assert store.engine.conflicts() == []
    store.verified()


def test_a_redaction_takes_the_text_its_offers_and_the_evidence(store: Store, governor: Governor) -> None:
    store.script.clash(OLD, NEW)
    ground = store.known(OLD)
    store.learn(OLD, AGENT)
    store.settle(store.contested(NEW, AGENT), Verb.FORCE)
    with pytest.raises(NoKey):
        governor.redact(ground, [], "a secret")
    governor.redact(ground, [RITA], "a secret")
    belief = store.engine.memory(ground)
    assert (belief.memory.redacted, belief.memory.content, belief.status) == (True, "[redacted]", "retracted")
    with store.engine._reads() as (db, _):
        texts = b"\n".join(row[0] for row in db.execute("SELECT CAST(body AS BLOB) FROM bodies WHERE body IS NOT NULL"))
    assert b"Oracle" not in texts
    assert b"Postgres" in texts
    told = store.engine.history()[-1]
    assert (told.summary, told.reason) == ('redacted "[redacted]"', "a secret")
    with pytest.raises(NotAllowed, match="redacted already"):
        governor.redact(ground, [RITA], "again")
    store.verified()


def test_what_lost_long_ago_can_be_redacted_too(store: Store, governor: Governor) -> None:
    store.script.clash(OLD, NEW)
    ground = store.known(OLD)
    store.settle(store.held(NEW, AGENT), Verb.SUPERSEDE)
    governor.redact(ground, [RITA], "a secret")
    assert store.status(ground) == "superseded"
    store.verified()
