"""Who may sign, how many must, and who decides on that (CONTRACTS 6)."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.scripted import Store
from tests.govern.signing import RITA, signer
from tur_engine.errors import BadInput, NoKey, NotAllowed
from tur_engine.govern.points import can_sign
from tur_engine.governor import Governor
from tur_engine.records import Quorum

SAM, TOM = signer("sam"), signer("tom")


def names(governor: Governor) -> list[str]:
    enrolled = governor.keys()
    return [key.name for key in enrolled]


def test_an_enrolled_reviewer_lets_another_one_in(store: Store, governor: Governor) -> None:
    made = governor.enrol(SAM.public.upper(), "sam", [RITA])
    assert (made.id, made.name, made.enrolled_by) == (SAM.key_id, "sam", RITA.key_id)
    assert names(governor) == ["rita", "sam"]
    assert governor.keys()[0].enrolled_by == RITA.key_id, "the first signs for itself"
    governor.enrol(TOM.public, "tom", [SAM])
    assert store.engine.history()[-1].summary == f"tom may sign from now on (key-{TOM.key_hex[:8]})"
    store.verified()


def test_nobody_lets_himself_in(governor: Governor) -> None:
    with pytest.raises(NoKey, match="not enrolled"):
        governor.enrol(SAM.public, "sam", [SAM])
    with pytest.raises(NoKey):
        governor.enrol(SAM.public, "sam", [])
    with pytest.raises(NotAllowed, match="another key was enrolled"):
        governor._enrol_first(SAM)
    assert len(governor.keys()) == 1


@pytest.mark.parametrize("public", ["", "zz", "ab" * 31, "ab" * 33, "ä" * 64])
def test_what_is_no_key_is_refused(governor: Governor, public: str) -> None:
    with pytest.raises(BadInput, match="64 hex digits"):
        governor.enrol(public, "sam", [RITA])


WEAK = (
    "00" * 32,
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "ed" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ff" * 32,
    "02" + "00" * 31,
)
"""Points of small order, encodings of them that are not canonical, and bytes that are no point."""


@pytest.mark.parametrize("public", WEAK)
def test_a_key_that_everybody_or_nobody_could_sign_with_is_refused(governor: Governor, public: str) -> None:
    with pytest.raises(BadInput, match="nobody can hold the private half"):
        governor.enrol(public, "sam", [RITA])
    assert len(governor.keys()) == 1


@given(st.binary(min_size=32, max_size=32))
def test_every_key_that_was_made_can_sign(seed: bytes) -> None:
    public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    assert can_sign(public)
    assert not can_sign(public[:31])


def test_a_key_and_a_name_are_enrolled_once(governor: Governor) -> None:
    with pytest.raises(NotAllowed, match="enrolled already"):
        governor.enrol(RITA.public, "another", [RITA])
    with pytest.raises(BadInput, match="named 'rita'"):
        governor.enrol(SAM.public, "rita", [RITA])


def test_a_revoked_key_signs_no_more_and_what_it_signed_stands(store: Store, governor: Governor) -> None:
    core = store.approve("Every change is reviewed")
    governor.enrol(SAM.public, "sam", [RITA])
    governor.revoke(RITA.key_id[:12], [SAM], "lost the machine")
    first, second = governor.keys()
    assert (first.revoked_seq, second.revoked_seq) == (store.engine.head(), None)
    with pytest.raises(NoKey, match="was revoked"):
        governor.enrol(TOM.public, "tom", [RITA])
    assert store.engine.memory(core).approved
    assert [entry.valid for entry in governor.signed_log()] == [True] * 4
    governor.enrol(RITA.public, "rita", [SAM])
    store.verified()


def test_the_last_key_and_the_quorums_keys_cannot_be_revoked(store: Store, governor: Governor) -> None:
    with pytest.raises(NotAllowed, match="the last key"):
        governor.revoke("rita", [RITA], "tired")
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(axiom=2), [RITA])
    with pytest.raises(NotAllowed, match="the quorum is 2"):
        governor.revoke("sam", [RITA, SAM], "tired")
    with pytest.raises(BadInput, match="reason"):
        governor.revoke("sam", [RITA, SAM], "")
    store.verified()


def test_a_rule_of_two_is_changed_by_two(store: Store, governor: Governor) -> None:
    with pytest.raises(BadInput, match="cannot be reached"):
        governor.set_quorum(Quorum(core=2), [RITA])
    with pytest.raises(BadInput, match="1 or more"):
        governor.set_quorum(Quorum(core=0), [RITA])
    governor.enrol(SAM.public, "sam", [RITA])
    governor.set_quorum(Quorum(core=2), [RITA])
    assert governor.quorum() == Quorum(axiom=1, core=2)
    for signers in ([RITA], [RITA, RITA]):
        with pytest.raises(NotAllowed):
            governor.set_quorum(Quorum(), signers)
        with pytest.raises(NotAllowed):
            governor.enrol(TOM.public, "tom", signers)
    governor.set_quorum(Quorum(), [SAM, RITA])
    assert governor.quorum() == Quorum()
    assert store.engine.history()[-1].summary == "signatures needed: axiom 1, core 1"
    store.verified()


def test_a_quarantine_is_signed_and_ends_signed(store: Store, governor: Governor) -> None:
    governor.quarantine("aider", RITA, "it wrote nonsense")
    assert governor.quarantined() == ["agent:aider"]
    with store.engine._reads() as (_, reads):
        assert reads.quarantined("agent:aider")
        assert not reads.quarantined("agent:other")
    with pytest.raises(NotAllowed, match="already"):
        governor.quarantine("agent:aider", RITA, "again")
    with pytest.raises(BadInput, match="no agent"):
        governor.quarantine("human:mara", RITA, "no")
    governor.release("agent:aider", RITA, "mended")
    assert governor.quarantined() == []
    with pytest.raises(NotAllowed, match="not in quarantine"):
        governor.release("aider", RITA, "again")
    acts = [(entry.act, entry.subject, entry.reason) for entry in governor.signed_log(2)]
    assert acts == [("quarantine", "agent:aider", "it wrote nonsense"), ("release", "agent:aider", "mended")]
    store.verified()


def test_the_past_keeps_who_could_sign_then(store: Store, governor: Governor) -> None:
    then = store.engine.head()
    governor.enrol(SAM.public, "sam", [RITA])
    assert names(Governor(store.engine.at(then))) == ["rita"]
