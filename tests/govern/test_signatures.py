"""Whatever was appended without the signatures it needs is found, whoever appended it (CONTRACTS 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.scripted import MARA, Store
from tests.govern.asking import PLAIN, REVIEWED, TLS, ask
from tests.govern.signing import RITA, signer
from tur_engine.govern.statement import message
from tur_engine.governor import Governor
from tur_engine.ledger import NewEvent
from tur_engine.ledger.bodies import body
from tur_engine.ledger.effects import (
    approve,
    decide,
    move,
    policy,
    proposals_of,
    propose,
    quarantine,
    redact,
    rescope,
    reviewer,
)
from tur_engine.records import EventKind, Quorum, Status

SAM, MALLORY = signer("sam"), signer("mallory")


def forge(store: Store, kind: EventKind, data: dict[str, Any], *, found: str) -> None:
    """Append an event as whoever has the file can, and expect `verify` to name it."""
    assert store.engine.verify().ok, store.engine.verify()
    with store.engine._ledger.writing() as tx:
        seq = tx.append([NewEvent(kind, MARA, data)]).seqs[0]
    report = store.engine.verify()
    assert (report.ok, report.first_bad) == (False, seq)
    assert found in report.problem


def digest_of(ref: str) -> str:
    return ref.rpartition("-")[2]


def adoption(digest: str) -> list[dict[str, Any]]:
    return [move(digest, Status.PENDING, Status.ACTIVE), approve(digest), decide(digest, "pending", "approved")]


UNSIGNED: list[tuple[EventKind, Callable[[str, str], dict[str, Any]]]] = [
    (EventKind.LEARNED, lambda core, waiting: approve(waiting)),
    (EventKind.RESOLVED, lambda core, waiting: approve(core, on=False)),
    (EventKind.RESOLVED, lambda core, waiting: move(core, Status.ACTIVE, Status.SUPERSEDED)),
    (EventKind.RESOLVED, lambda core, waiting: rescope(core, "incarnation", "incarnation:docs")),
    (EventKind.LEARNED, lambda core, waiting: move(waiting, Status.PENDING, Status.ACTIVE)),
    (EventKind.RESOLVED, lambda core, waiting: decide(waiting, "pending", "approved")),
    (EventKind.NOTED, lambda core, waiting: reviewer(MALLORY.key_hex, MALLORY.public, "mallory")),
    (EventKind.NOTED, lambda core, waiting: policy(1, 1)),
    (EventKind.NOTED, lambda core, waiting: quarantine("agent:rival")),
    (EventKind.RESOLVED, lambda core, waiting: redact(core, [])),
]


@pytest.mark.parametrize(("kind", "effect"), UNSIGNED, ids=[f"{k}-{e('', '')['op']}" for k, e in UNSIGNED])
def test_an_effect_that_needs_a_signature_does_not_hold_without(
    store: Store, governor: Governor, kind: EventKind, effect: Callable[[str, str], dict[str, Any]]
) -> None:
    core, waiting = digest_of(store.approve(TLS)), digest_of(ask(store, REVIEWED))
    forge(store, kind, {"effects": [effect(core, waiting)]}, found="nobody signed it")


def test_an_approval_without_a_statement(store: Store, governor: Governor) -> None:
    digest = digest_of(ask(store, TLS))
    forge(store, EventKind.APPROVED, {"effects": adoption(digest)}, found="no signed statement")


def sealed(store: Store, act: str, subject: str, by: Any, **own: Any) -> dict[str, Any]:
    """A statement as somebody may make it who has a key, or says so."""
    head = store.engine._ledger.tree_head()
    statement = {
        "v": 1,
        "store": store.engine.status().store_id,
        "act": act,
        "subject": subject,
        "at": "2026-01-01T00:00:00.000000Z",
        "key": by.key_hex,
        "head": {"size": head.size, "root": head.root},
        **own,
    }
    return {"statement": statement, "signatures": [{"key": by.key_hex, "sig": by.sign(message(statement))}]}


def test_the_forger_of_these_tests_can_sign(store: Store, governor: Governor) -> None:
    digest = digest_of(ask(store, TLS))
    data = sealed(store, "approve", digest, RITA, kind="adopt", replaces=[])
    with store.engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.APPROVED, MARA, {**data, "effects": adoption(digest)})])
    assert store.engine.verify().ok, store.engine.verify()


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another signature": (lambda d: d["signatures"][0].update(sig="00" * 64), "does not hold"),
    "no signature": (lambda d: d["signatures"].clear(), "not signed by the key"),
    "no hex": (lambda d: d["signatures"][0].update(sig="zz"), "does not hold"),
    "another time": (lambda d: d["statement"].update(at="2020-01-01T00:00:00.000000Z"), "does not hold"),
    "another store": (lambda d: d["statement"].update(store="00" * 16), "made for something else"),
    "another act": (lambda d: d["statement"].update(act="reject"), "made for something else"),
    "another version": (lambda d: d["statement"].update(v=2), "made for something else"),
    "another head": (lambda d: d["statement"].update(head={"size": 1, "root": "00" * 32}), "another state"),
    "another key": (lambda d: d["statement"].update(key="00" * 32), "not signed by the key"),
    "another reason": (lambda d: d.update(reason_ref="body:" + "0" * 64), "another reason"),
    "no kind": (lambda d: d["statement"].pop("kind"), "does not hold"),
    "no list": (lambda d: d.update(signatures=7), "not signed by the key"),
    "no object": (lambda d: d.update(statement=7), "not formed"),
    "signed twice, once badly": (lambda d: d["signatures"].append({"key": RITA.key_hex, "sig": ""}), "does not hold"),
    "more than signatures": (lambda d: d["signatures"].append(None), "may not sign"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_an_altered_approval(store: Store, governor: Governor, name: str) -> None:
    alter, found = FORGERIES[name]
    digest = digest_of(ask(store, TLS))
    data = {**sealed(store, "approve", digest, RITA, kind="adopt", replaces=[]), "effects": adoption(digest)}
    if name == "another reason":
        data["effects"], note = adoption(digest), body("x")
        data["reason_ref"] = note.ref
        with store.engine._ledger.writing() as tx:
            tx.append([NewEvent(EventKind.APPROVED, MARA, data, [note])])
        assert found in store.engine.verify().problem
        return
    alter(data)
    forge(store, EventKind.APPROVED, data, found=found)


def test_a_stranger_signs(store: Store, governor: Governor) -> None:
    digest = digest_of(ask(store, TLS))
    data = sealed(store, "approve", digest, MALLORY, kind="adopt", replaces=[])
    forge(store, EventKind.APPROVED, {**data, "effects": adoption(digest)}, found="may not sign for this store")


def test_a_stranger_lets_himself_in(store: Store, governor: Governor) -> None:
    own = {"public": MALLORY.public, "name": "mallory"}
    data = sealed(store, "enrol", MALLORY.key_hex, MALLORY, **own)
    effects = [reviewer(MALLORY.key_hex, MALLORY.public, "mallory")]
    forge(store, EventKind.ENROLLED, {**data, "effects": effects}, found="may not sign for this store")


def test_a_signature_is_not_worth_a_second_event(store: Store, governor: Governor) -> None:
    governor.enrol(SAM.public, "sam", [RITA])
    first = ask(store, TLS)
    seq = governor.approve(first, RITA).seq
    with store.engine._reads() as (_, reads):
        _, _, data = reads.event(seq)
    forge(store, EventKind.APPROVED, data, found="another state of the ledger")


def test_a_signed_proposal_brings_in_nothing_else(store: Store, governor: Governor) -> None:
    signed, other = digest_of(ask(store, TLS)), digest_of(ask(store, PLAIN))
    data = sealed(store, "approve", signed, RITA, kind="adopt", replaces=[])
    effects = [*adoption(signed), approve(other)]
    forge(store, EventKind.APPROVED, {**data, "effects": effects}, found="something else into force")


def test_a_signed_proposal_takes_out_nothing_else(store: Store, governor: Governor) -> None:
    core, signed = digest_of(store.approve(TLS)), digest_of(ask(store, REVIEWED))
    data = sealed(store, "approve", signed, RITA, kind="adopt", replaces=[])
    effects = [*adoption(signed), move(core, Status.ACTIVE, Status.RETRACTED)]
    forge(store, EventKind.APPROVED, {**data, "effects": effects}, found="changes the invariant")


def test_the_statement_names_what_is_replaced(store: Store, governor: Governor) -> None:
    core = store.approve(TLS)
    signed = digest_of(ask(store, PLAIN, replaces=[core]))
    data = sealed(store, "approve", signed, RITA, kind="adopt", replaces=[])
    forge(store, EventKind.APPROVED, {**data, "effects": adoption(signed)}, found="not the one that was filed")


def test_a_quorum_is_not_cut_short(store: Store, governor: Governor) -> None:
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(core=2), [RITA])
    signed = digest_of(ask(store, TLS))
    governor.approve(signed, RITA)
    data = sealed(store, "approve", signed, RITA, kind="adopt", replaces=[])
    forge(store, EventKind.APPROVED, {**data, "effects": adoption(signed)}, found="counts a reviewer twice")


def test_a_rule_of_two_is_not_lifted_by_one(store: Store, governor: Governor) -> None:
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(core=2), [RITA])
    subject = store.engine.status().store_id
    data = sealed(store, "policy", subject, RITA, quorum={"axiom": 1, "core": 1})
    forge(store, EventKind.POLICY, {**data, "effects": [policy(1, 1)]}, found="1 signature of the 2")


def test_a_rejected_proposal_stays_rejected(store: Store, governor: Governor) -> None:
    signed = digest_of(ask(store, TLS))
    governor.reject(signed, RITA, "no")
    data = sealed(store, "approve", signed, RITA, kind="adopt", replaces=[])
    forge(store, EventKind.APPROVED, {**data, "effects": adoption(signed)}, found="does not wait")


def test_a_redaction_takes_what_was_signed_and_nothing_more(store: Store, governor: Governor) -> None:
    first, second = digest_of(store.known("one thing")), store.known("another thing")
    data = sealed(store, "redact", first, RITA, refs=[])
    forge(store, EventKind.REDACTED, {**data, "effects": [redact(digest_of(second), [])]}, found="something else")


@pytest.mark.parametrize("kind", ["adopt", "retire"])
def test_a_proposal_is_named_after_what_it_proposes(store: Store, governor: Governor, kind: str) -> None:
    core = digest_of(store.approve(TLS))
    effects = [propose("ab" * 32, kind, core, nonce="00" * 16)]
    forge(store, EventKind.PROPOSED, {"effects": effects}, found="not named after what it proposes")


def test_what_is_signed_is_told_with_whether_it_holds(store: Store, governor: Governor) -> None:
    digest = digest_of(ask(store, TLS))
    governor.approve(digest, RITA, reason="agreed")
    store.approve(REVIEWED)
    data = sealed(store, "revoke", RITA.key_hex, MALLORY)
    with store.engine._ledger.writing() as tx:
        tx.append([NewEvent(EventKind.REVOKED, MARA, {**data, "effects": []})])
        tx.append([NewEvent(EventKind.POLICY, MARA, {"statement": 7, "signatures": [8], "effects": []})])
    told = governor.signed_log()
    assert [(entry.act, entry.name, entry.valid) for entry in told] == [
        ("enrol", "rita", True),
        ("approve", "rita", True),
        ("approve", "rita", True),
        ("revoke", "unknown", False),
        ("policy", "unknown", False),
    ]
    assert (told[1].subject, told[1].reason, told[1].key_id) == (f"proposal-{digest}", "agreed", RITA.key_id)
    assert governor.signed_log(1) == told[-1:]


def test_a_store_of_the_first_format_still_tells_its_proposals(store: Store, governor: Governor) -> None:
    """It wrote no effect beside the memory; the event alone says what waits."""
    ask(store, TLS)
    with store.engine._reads() as (_, reads):
        _, _, data = reads.event(store.engine.head())
    old = {**data, "effects": [effect for effect in data["effects"] if effect["op"] != "proposal"]}
    assert old != data
    assert proposals_of("proposed", old) == proposals_of("proposed", data)
    assert proposals_of("learned", old) == []
