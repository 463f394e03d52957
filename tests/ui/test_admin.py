"""A reviewer at the admin screen: unlock, look, approve, reject; and everything that must not sign."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.ui.governing import (
    IVO,
    LEFT,
    MARA,
    PASSPHRASE,
    PROMOTING,
    REPLACING,
    RETIRING,
    StandIn,
    belief,
    key,
    proposal,
)
from tests.ui.reviewer import Clock, reviewing
from tur_engine.errors import IntegrityFailure
from tur_engine.records import MemoryType, Objection, ProposalState
from tur_tui.screens.admin_sign import ApproveScreen, RejectScreen
from tur_tui.screens.admin_unlock import UnlockScreen
from tur_tui.screens.triage import TriageScreen

BLOCKING = Objection(
    belief=belief("Certificates are renewed by hand"),
    probability=0.93,
    sentence="by hand and by the platform exclude each other",
    blocks=True,
)


async def test_1_and_2_go_back_and_forth_and_the_place_is_kept() -> None:
    async with reviewing(StandIn()) as person:
        await person.press("n")
        await person.press("1")
        assert isinstance(person.app.screen, TriageScreen)
        await person.press("2")
        assert person.admin.desk.current == RETIRING
        await person.press("escape")
        assert isinstance(person.app.screen, TriageScreen)


async def test_approve_asks_for_the_passphrase_shows_the_text_and_signs_at_y() -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        assert "LOCKED" in person.text.splitlines()[0]
        await person.press("A")
        assert isinstance(person.app.screen, UnlockScreen)
        await person.type(PASSPHRASE)
        assert PASSPHRASE not in person.text
        await person.press("enter")
        assert isinstance(person.app.screen, ApproveScreen)
        assert "Deploys happen on Tuesdays only." in person.text
        assert governor.asked == []
        await person.press("y")
        assert governor.asked == [("approve", RETIRING.id, "mara")]
        assert person.at_admin
        assert "is out of force" in person.text
        assert "No proposal waits." in person.text
        assert "UNLOCKED" in person.text.splitlines()[0]


async def test_what_is_asked_for_before_the_review_is_known_waits_for_it() -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        governor.pause.clear()
        person.admin.desk.forget_review()
        person.admin.study()
        await person.pilot.press("A")
        assert isinstance(person.app.screen, UnlockScreen)
        person.app.screen.query_one(Input).value = PASSPHRASE
        await person.pilot.press("enter")
        await person.until(lambda: person.at_admin and "still being worked out" in person.said)
        governor.pause.set()
        await person.until(lambda: isinstance(person.app.screen, ApproveScreen))
        assert governor.asked == []
        await person.press("escape")
        governor.pause.clear()
        person.admin.desk.forget_review()
        person.admin.study()
        await person.pilot.press("A", "down")  # another key gives it up
        governor.pause.set()
        await person.settled()
        assert person.at_admin


async def test_the_footer_offers_to_unlock_or_to_lock() -> None:
    async with reviewing(StandIn([RETIRING]), (80, 24)) as person:
        for unlocked in (False, True):
            if unlocked:
                await person.unlock()
            for page in "wg":
                await person.press(page)
                footer = person.text.splitlines()[-1]
                assert ("U Unlock" in footer, "L Lock" in footer) == (not unlocked, unlocked)


async def test_once_unlocked_it_asks_again_and_enter_alone_does_nothing() -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("A", "enter", "enter", "space")
        assert isinstance(person.app.screen, ApproveScreen)
        assert governor.asked == []
        await person.press("n")
        assert person.at_admin
        assert "Nothing was signed." in person.text
        assert governor.asked == []


async def test_a_quorum_of_two_needs_another_reviewer() -> None:
    governor = StandIn([REPLACING])
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("A", "y")
        assert "Signed, 1 of 2: 1 more reviewer must sign" in person.text
        assert "1/2" in person.text
        await person.press("A")
        assert person.at_admin
        assert "Your key has signed this proposal; it waits for 1 other reviewer." in person.text
        assert len(governor.asked) == 1


async def test_a_long_text_must_have_been_in_view_to_the_end() -> None:
    text = "\n".join(f"Rule {number} of the house stands." for number in range(200))
    governor = StandIn([proposal(text)])
    async with reviewing(governor, (80, 24)) as person:
        await person.unlock()
        await person.press("A", "y")
        assert governor.asked == []
        assert "has not been in view" in person.text
        await person.press("end")
        assert proposal(text).id[9:40] in person.text
        await person.press("y")
        assert len(governor.asked) == 1


async def test_what_an_invariant_in_force_stands_against_is_not_signed() -> None:
    governor = StandIn([REPLACING], objections=[BLOCKING])
    async with reviewing(governor) as person:
        assert "BLOCKED by 1 invariant in force" in person.text
        assert "! BLOCKS" in person.text
        await person.unlock()
        await person.press("A")
        assert person.at_admin
        assert f"It cannot be approved: it contradicts {BLOCKING.belief.memory.short_id}" in person.text
        assert governor.asked == []


async def test_what_changed_while_the_text_was_read_is_not_signed() -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("A")
        governor.objections = (BLOCKING,)
        await person.press("y")
        assert "Not signed. The proposal changed since it was shown." in person.text
        assert governor.asked == []
        await person.press("escape")
        await person.until(lambda: "BLOCKED by" in person.text)


async def test_a_rejection_wants_a_reason() -> None:
    governor = StandIn([RETIRING, PROMOTING])
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("R", "enter")
        assert isinstance(person.app.screen, RejectScreen)
        assert "Not rejected: say why" in person.text
        assert governor.asked == []
        await person.fill("Friday is needed too")
        assert governor.asked == [("reject", RETIRING.id, "mara", "Friday is needed too")]
        assert "is rejected (event 51)" in person.text
        await person.press("d")
        assert "Friday is needed too" in person.text
        await person.press("A")
        assert "Only what waits can be signed" in person.text


async def test_a_wrong_passphrase_says_so_and_costs_nothing() -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.press("U")
        for _ in range(3):
            await person.fill("wrong")
            assert person.said.startswith("The passphrase does not open the key of mara. Nothing was signed; try again")
            assert person.app.screen.query_one(Input).value == ""
        assert governor.wrong == 3
        await person.fill(PASSPHRASE)
        assert person.at_admin
        assert "UNLOCKED  mara" in person.text
        assert governor.asked == []


async def test_the_passphrase_is_never_copied() -> None:
    async with reviewing(StandIn()) as person:
        await person.press("U")
        await person.type(PASSPHRASE)
        await person.press("shift+home", "ctrl+c")
        assert person.app.clipboard == ""
        await person.press("ctrl+x")
        assert person.app.clipboard == ""


async def test_the_key_locks_itself_when_nobody_is_there() -> None:
    governor, clock = StandIn([RETIRING]), Clock()
    async with reviewing(governor, clock=clock) as person:
        await person.unlock()
        clock.now += 200
        await person.press("down")
        clock.now += 299
        person.admin.look_at_the_clock()
        assert not governor.signers[0].locked
        clock.now += 1
        await person.until(lambda: "The key locked itself: no key was pressed for 5 minutes." in person.text)
        assert governor.signers[0].locked
        assert person.text.splitlines()[0].startswith(" LOCKED")
        await person.press("A")
        assert isinstance(person.app.screen, UnlockScreen)


async def test_a_key_that_locked_itself_over_the_text_signs_nothing() -> None:
    governor, clock = StandIn([RETIRING]), Clock()
    async with reviewing(governor, clock=clock) as person:
        await person.unlock()
        await person.press("A")
        clock.now += 301
        await person.press("y")
        assert "The key locked itself meanwhile; nothing was signed." in person.text
        assert governor.asked == []


async def test_a_passphrase_half_typed_is_not_left_lying_about() -> None:
    clock = Clock()
    async with reviewing(StandIn(), clock=clock) as person:
        await person.press("U")
        await person.type("corr")
        clock.now += 301
        await person.until(lambda: person.at_admin)


async def test_l_locks_and_leaving_locks() -> None:
    governor = StandIn()
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("L")
        assert governor.signers[0].locked
        assert "The key is locked." in person.text
        await person.unlock()
    assert governor.signers[1].locked


async def test_the_key_is_chosen_where_there_are_several() -> None:
    second = key("mara-2", here=True, seq=7)
    governor = StandIn([RETIRING], keys=[MARA, second, LEFT])
    async with reviewing(governor) as person:
        await person.press("U", "shift+tab", "down", "space")
        assert "Passphrase of mara-2" in person.text
        await person.press("tab")
        await person.fill(PASSPHRASE)
        assert governor.signers[0].name == "mara-2"


@pytest.mark.parametrize(
    ("keys", "files", "advice"),
    [
        ([], 0, "tur-adm key init"),
        ([IVO], 0, "Make one with tur-adm key init, then have a reviewer enrol it."),
        ([IVO], 1, "tur-adm key export-public"),
        ([LEFT.model_copy(update={"here": True})], 1, "have a reviewer enrol it"),
    ],
)
async def test_without_a_key_it_says_what_to_do(keys: list[object], files: int, advice: str) -> None:
    governor = StandIn([RETIRING], keys=keys)  # type: ignore[arg-type]
    governor.files = [object()] * files
    async with reviewing(governor) as person:
        for pressed in "UA":
            await person.press(pressed)
            assert person.at_admin
            assert advice in person.words


async def test_nothing_is_signed_on_a_store_open_for_reading_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.ui.reviewer.QuietEngine.read_only", True)
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        for pressed in "AR":
            await person.press(pressed)
            assert "The store is open for reading only" in person.text
        assert governor.asked == []


async def test_a_failure_is_one_sentence_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.unlock()

        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("secret")

        monkeypatch.setattr(governor, "approve", broken)
        await person.press("A", "y")
        assert "Not signed. That did not work, through a fault of the program" in person.text
        assert "secret" not in person.text
        await person.press("escape")
        monkeypatch.setattr(governor, "review", broken)
        await person.press("p", "A")
        assert person.at_admin
        assert governor.asked == []


async def test_a_damaged_store_locks_the_key_and_nothing_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.unlock()

        def damaged(**_: object) -> None:
            raise IntegrityFailure("the ledger is damaged at event 7; run tur verify")

        monkeypatch.setattr(governor, "proposals", damaged)
        person.admin.read()
        await person.until(lambda: "the ledger is damaged at event 7" in person.said)
        assert governor.signers[0].locked
        assert "the store is damaged" in person.text.splitlines()[0]
        for pressed in "UAR":
            await person.press(pressed)
            assert person.at_admin
            assert "the ledger is damaged at event 7" in person.said
        await person.press("1")
        assert "the store is damaged" in person.text.splitlines()[0]


async def test_what_somebody_else_decides_leaves_the_list() -> None:
    governor = StandIn()
    async with reviewing(governor) as person:
        await person.press("n")
        governor.standing[1] = RETIRING.model_copy(update={"state": ProposalState.APPROVED, "decided_seq": 60})
        person.admin.read()
        await person.until(lambda: "was approved." in person.text)
        assert person.admin.desk.current == PROMOTING


async def test_objections_of_ordinary_memories_do_not_stop_a_signature() -> None:
    plain = belief("Plain HTTP is fine inside the cluster", MemoryType.FACT, approved=False)
    objection = Objection(belief=plain, probability=0.8, sentence="TLS against none", blocks=False)
    governor = StandIn([REPLACING], objections=[objection])
    async with reviewing(governor, (200, 50)) as person:
        assert "1 memory objects" in person.text
        assert "TLS against none" in person.text
        await person.unlock()
        await person.press("A", "y")
        assert len(governor.asked) == 1
