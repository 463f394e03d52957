"""The reviewer's desk and the lock on the key."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.governing import MARA, PROMOTING, REPLACING, RETIRING, StandIn, StandInSigner, belief, proposal
from tests.ui.making import MOMENT
from tests.ui.reviewer import Clock
from tur_engine.records import MemoryType, Objection, Proposal, ProposalState, Signature
from tur_tui.desk.reviewing import KeyLock, ReviewDesk, View, why_not
from tur_tui.drawing.governing import asks, signed, spoken, tally

THREE = [REPLACING, RETIRING, PROMOTING]


def decided(of: Proposal, seq: int) -> Proposal:
    return of.model_copy(update={"state": ProposalState.APPROVED, "decided_seq": seq, "decided_at": MOMENT})


def unlocked(idle: float = 300) -> tuple[KeyLock[StandInSigner], Clock, StandInSigner]:
    clock, signer = Clock(), StandInSigner(MARA)
    lock: KeyLock[StandInSigner] = KeyLock(idle, clock)
    lock.unlock(signer)
    return lock, clock, signer


# the lock --------------------------------------------------------------------


def test_a_key_locks_itself_after_the_idle_time_and_not_before() -> None:
    lock, clock, signer = unlocked()
    clock.now += 299
    assert lock.signer is signer
    assert not lock.expired()
    clock.now += 1
    assert lock.signer is None
    assert signer.locked


def test_a_key_press_begins_the_time_anew_but_not_after_its_end() -> None:
    lock, clock, signer = unlocked()
    clock.now += 200
    lock.touch()
    clock.now += 200
    assert lock.left == 100
    clock.now += 100
    lock.touch()
    assert lock.signer is None
    assert signer.locked


def test_it_tells_once_that_it_locked() -> None:
    lock, clock, _ = unlocked()
    clock.now += 301
    assert lock.expired()
    assert not lock.expired()


def test_a_signer_that_is_locked_elsewhere_signs_no_more() -> None:
    lock, _, signer = unlocked()
    signer.lock()
    assert lock.signer is None


def test_another_key_takes_the_place_of_the_first_one() -> None:
    lock, _, signer = unlocked()
    other = StandInSigner(MARA)
    lock.unlock(other)
    assert signer.locked
    assert lock.signer is other
    assert lock.lock()
    assert other.locked
    assert not lock.lock()


@given(st.lists(st.tuples(st.sampled_from(["wait", "touch", "lock", "unlock"]), st.floats(0, 400))))
def test_it_is_open_only_within_the_idle_time_of_the_last_touch(steps: list[tuple[str, float]]) -> None:
    clock = Clock()
    lock: KeyLock[StandInSigner] = KeyLock(300, clock)
    open_until: float | None = None
    for what, seconds in steps:
        clock.now += seconds
        if open_until is not None and clock.now >= open_until:
            open_until = None
        if what == "touch":
            lock.touch()
            open_until = clock.now + 300 if open_until is not None else None
        elif what == "lock":
            lock.lock()
            open_until = None
        elif what == "unlock":
            lock.unlock(StandInSigner(MARA))
            open_until = clock.now + 300
        assert (lock.signer is not None) == (open_until is not None)


# the lists --------------------------------------------------------------------


def test_waiting_are_oldest_first_and_decided_latest_first() -> None:
    desk = ReviewDesk()
    desk.load([PROMOTING, REPLACING, decided(RETIRING, 20), decided(proposal("x", seq=1), 30)])
    assert [each.seq for each in desk.waiting] == [10, 12]
    assert [each.decided_seq for each in desk.decided] == [30, 20]


def test_the_one_in_front_stays_in_front_while_it_waits() -> None:
    desk = ReviewDesk()
    desk.load(THREE)
    desk.step(1)
    assert desk.current == RETIRING
    assert desk.load([proposal("new", seq=1), *THREE]) == ()
    assert desk.current == RETIRING


def test_where_it_is_decided_whoever_followed_it_is_next() -> None:
    desk = ReviewDesk()
    desk.load(THREE)
    desk.step(1)
    assert desk.load([REPLACING, decided(RETIRING, 20), PROMOTING]) == (RETIRING,)
    assert desk.current == PROMOTING
    desk.load([REPLACING, decided(RETIRING, 20), decided(PROMOTING, 21)])
    assert desk.current == REPLACING
    desk.load([])
    assert desk.current is None


def test_each_list_keeps_its_own_place() -> None:
    desk = ReviewDesk()
    desk.load([*THREE, decided(proposal("a", seq=2), 30), decided(proposal("b", seq=3), 31)])
    desk.step(-1)
    assert desk.current == PROMOTING
    desk.view = View.DECIDED
    desk.step(1)
    assert desk.place == 1
    desk.view = View.WAITING
    assert desk.current == PROMOTING
    desk.view = View.LOG
    assert desk.current is None
    assert desk.step(1) is None


def test_a_review_of_what_is_no_longer_in_front_is_dropped() -> None:
    desk = ReviewDesk()
    desk.load(THREE)
    review = StandIn().review(REPLACING.id)
    desk.step(1)
    assert not desk.take_review(review)
    desk.step(-1)
    assert desk.take_review(review)
    assert desk.review == review
    desk.load([REPLACING.model_copy(update={"quorum": 3}), RETIRING])
    assert desk.review is None


# may it be signed --------------------------------------------------------------


def test_why_not() -> None:
    review = StandIn().review(REPLACING.id)
    assert why_not(REPLACING, review, MARA.id) == ""
    assert "worked out" in why_not(REPLACING, None)
    assert "approved already" in why_not(decided(REPLACING, 20), review)
    objection = Objection(belief=belief("TLS 1.2 stays", MemoryType.AXIOM), probability=0.9, sentence="", blocks=True)
    blocked = review.model_copy(update={"objections": (objection,)})
    assert objection.belief.memory.short_id in why_not(REPLACING, blocked)
    harmless = review.model_copy(update={"objections": (objection.model_copy(update={"blocks": False}),)})
    assert why_not(REPLACING, harmless) == ""


def test_a_key_signs_once_and_a_signature_that_does_not_hold_counts_for_nothing() -> None:
    def by(valid: bool) -> Proposal:
        made = Signature(key_id=MARA.id, name="mara", seq=20, at=MOMENT, valid=valid)
        return REPLACING.model_copy(update={"signatures": (made, made)})

    review = StandIn([by(True)]).review(REPLACING.id)
    assert signed(by(True)) == 1
    assert tally(by(True)) == "1/2"
    assert "1 other reviewer" in why_not(by(True), review, MARA.id)
    assert signed(by(False)) == 0
    assert why_not(by(False), review, MARA.id) == ""


def test_what_is_asked_for_in_words() -> None:
    assert asks(REPLACING).startswith("Adopt a core memory that replaces core-")
    assert asks(RETIRING).startswith("Retire the core memory core-")
    assert asks(PROMOTING).startswith("Make insight-")
    assert asks(PROMOTING).endswith("a core memory, which supersedes it")
    axiom = proposal("x", memory=belief("x", MemoryType.AXIOM, approved=False))
    assert asks(axiom) == "Adopt an axiom memory, replacing nothing"
    two = proposal("y", replaces=[belief("a"), belief("b")])
    assert asks(two).endswith("replaces 2 invariants")


def test_the_engines_words_become_a_sentence() -> None:
    assert spoken("the passphrase is wrong") == "The passphrase is wrong."
    assert spoken("x\x1b]0;y\x07!") == "X‹U+001B›]0;y‹U+0007›!"
    assert spoken("Done.") == "Done."
