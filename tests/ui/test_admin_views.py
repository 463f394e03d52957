"""What the admin screen shows: everything, at every size, and nothing of what agents wrote is obeyed."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.widgets import Static

from tests.ui.governing import IVO, LEFT, MARA, PROMOTING, REPLACING, RETIRING, StandIn, belief, proposal
from tests.ui.making import MOMENT
from tests.ui.reviewer import Clock, Reviewer, reviewing
from tests.ui.stage import Stage, lines
from tur_engine.records import (
    MemoryType,
    Objection,
    Proposal,
    ProposalState,
    Signature,
    SignedEntry,
)
from tur_tui.actions import with_keys
from tur_tui.screens.admin_keys import ADMIN
from tur_tui.widgets.review_view import ReviewView


def entry(seq: int, act: str, *, valid: bool = True, reason: str = "") -> SignedEntry:
    return SignedEntry(
        seq=seq,
        at=MOMENT,
        act=act,
        key_id=MARA.id,
        name="mara",
        subject=REPLACING.id,
        reason=reason,
        valid=valid,
    )


async def document(of: Proposal, governor: StandIn, size: tuple[int, int] = (100, 200)) -> str:
    """The whole text of a review on one long screen, without line breaks."""
    view = ReviewView(id="review")
    async with Stage(view).run_test(size=size) as pilot:
        view.show_proposal(of, governor.review(of.id))
        await pilot.pause()
        return " ".join(" ".join(lines(view)).split())


async def test_a_replacement_shows_both_texts_who_why_against_and_signatures() -> None:
    objection = Objection(
        belief=belief("Plain HTTP is fine inside the cluster", MemoryType.FACT, approved=False),
        probability=0.83,
        sentence="one demands TLS, the other allows none",
        blocks=False,
    )
    bad = Signature(key_id=LEFT.id, name="dana", seq=20, at=MOMENT, valid=False, reason="looks right")
    good = Signature(key_id=IVO.id, name="ivo", seq=21, at=MOMENT, valid=True)
    signed = REPLACING.model_copy(update={"signatures": (bad, good)})
    rests = belief("The renewal script runs on 1 March", MemoryType.FACT, approved=False)
    told = await document(signed, StandIn([signed], objections=[objection], dependants=[rests]))
    for words in (
        "? waiting Adopt a core memory that replaces core-",
        "asked by agent:claude-code",
        "because two outages in March went unnoticed",
        "IN FORCE, WOULD GO",
        "PROPOSED",
        "? objects 83%",
        "one demands TLS, the other allows none",
        "? becomes suspect",
        "The renewal script runs on 1 March",
        "SIGNATURES (1 of 2)",
        "✗ INVALID dana",
        "looks right",
        "✓ holds ivo",
        "1 more reviewer must sign before it takes force.",
        "covers the ledger at 42 events",
    ):
        assert words in told


async def test_every_invariant_that_would_go_is_compared_with_the_proposed_text() -> None:
    several = proposal("Deploys happen on Tuesdays", replaces=[belief("Deploys on Mondays"), belief("No deploys")])
    told = await document(several, StandIn([several]))
    assert "IN FORCE, WOULD GO (1 of 2)" in told
    assert "IN FORCE, WOULD GO (2 of 2)" in told
    assert "No deploys" in told


async def test_a_promotion_shows_what_it_is_made_from_and_what_it_will_be() -> None:
    told = await document(PROMOTING, StandIn())
    for words in (
        "MEMORY AS IT IS insight-",
        "core type operational",
        "derived principle What is not bounded will one day not end.",
        "ethical covenant We do not burden others with our failures.",
    ):
        assert words in told


async def test_a_retirement_shows_what_goes() -> None:
    told = await document(RETIRING, StandIn())
    assert "Retire the core memory core-" in told
    assert "- Deploys happen on Tuesdays only." in told


async def test_a_decided_proposal_says_when_and_why() -> None:
    decided = proposal("Ship on Fridays", state=ProposalState.REJECTED)
    told = await document(decided, StandIn([decided]))
    assert "✗ rejected Adopt a core memory" in told
    assert "the old rule held" in told
    assert "NOT ADOPTED core-" in told
    assert "SIGNATURES (0 of 1) nobody signed it" in told
    assert "must sign" not in told


@pytest.mark.parametrize("width", [60, 80, 200])
async def test_nothing_is_cut(width: int) -> None:
    long = "".join(f"part{number} " for number in range(1100))
    told = await document(proposal(long), StandIn([proposal(long)]), (width, 400))
    assert all(f"part{number} " in told for number in range(1100))


# sizes -------------------------------------------------------------------------


async def every_key(person: Reviewer) -> None:
    keys = {name for each in ADMIN for name in each.keys} - {"q", "1", "3", "4", "5", "escape", "t"}
    for pressed in sorted(keys):
        await person.pilot.press(pressed)
        if not person.at_admin:
            await person.pilot.press("escape")
    await person.settled()


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (59, 15), (60, 14)])
async def test_too_small_neither_breaks_nor_signs(size: tuple[int, int]) -> None:
    governor = StandIn()
    async with reviewing(governor, size) as person:
        if size[0] < 40:
            await every_key(person)
        await person.press("w", "A", "R", "U")
        assert person.at_admin
        assert governor.asked == []
        assert governor.signers == []
        assert all(cell_len(row) <= size[0] for row in person.text.splitlines())
        if size[0] >= 40:
            assert "Too small to show what is signed" in person.text


@pytest.mark.parametrize("pressed", ["y", "enter"])
async def test_a_window_that_shrinks_under_a_dialog_signs_nothing(pressed: str) -> None:
    governor = StandIn([RETIRING])
    async with reviewing(governor) as person:
        await person.unlock()
        await person.press("A" if pressed == "y" else "R")
        if pressed == "enter":
            await person.fill("")
            await person.press(*"no")
        await person.pilot.resize_terminal(59, 15)
        await person.settled()
        await person.press(pressed)
        assert governor.asked == []
        assert "too small" in person.said
        await person.pilot.resize_terminal(60, 15)
        await person.settled()
        await person.press("end", pressed)
        assert len(governor.asked) == 1


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 36), (200, 50)])
async def test_every_size_shows_list_and_text(size: tuple[int, int]) -> None:
    async with reviewing(StandIn(), size) as person:
        for words in ("adopt", "0/2", "Adopt a core memory", "LOCKED", "Waiting 3", "A Approve", "? Help"):
            assert words in person.text
        if size[1] > 15:
            assert "TLS 1.2" in person.text
            assert "TLS 1.3" in person.text


async def test_the_columns_of_the_list_stand_under_their_names() -> None:
    async with reviewing(StandIn(), (200, 50)) as person:
        head, row = person.text.splitlines()[3:5]
        for word, value in (
            ("what", "+ adopt"),
            ("tier", "core"),
            ("scope", "incarnation"),
            ("asked by", "claude-code"),
            ("when", "2026-03-01"),
            ("signed", "0/2"),
            ("text", "All service"),
        ):
            assert head.index(word) == row.index(value)


# pages ---------------------------------------------------------------------------


async def test_the_reviewers_page_tells_who_may_sign_who_may_not_and_whose_key_is_here() -> None:
    async with reviewing(StandIn()) as person:
        await person.press("v")
        for words in ("2 of 2 reviewers must sign", "mara  on this machine", "✓ may sign", "✗ revoked", "event 9"):
            assert words in person.text
        assert MARA.id in person.words


async def test_the_log_is_newest_first_and_marks_what_does_not_hold() -> None:
    governor = StandIn()
    governor.log = [entry(4, "enrol"), entry(7, "reject", reason="the old rule held"), entry(9, "approve", valid=False)]
    async with reviewing(governor) as person:
        await person.press("left")
        text = person.text
        assert text.index("approve") < text.index("reject") < text.index("enrol")
        assert "✗ INVALID approve" in text
        assert "the old rule held" in text
        await person.press("right")
        assert "Waiting for signatures" in person.text


async def test_empty_pages_tell_what_to_do_next() -> None:
    async with reviewing(StandIn([], keys=[])) as person:
        assert "No proposal waits." in person.words
        assert "tur-adm proposal submit" in person.words
        assert "tur-adm key init" in person.words
        for pressed, words in (("d", "Nothing has been decided"), ("v", "tur-adm key init"), ("g", "Nothing has been")):
            await person.press(pressed)
            assert words in person.words
        await person.press("w", "A")
        assert "there is nothing to approve" in person.said


async def test_the_footer_offers_a_signature_only_where_something_waits() -> None:
    async with reviewing(StandIn([RETIRING])) as person:
        assert "A Approve" in person.text
        await person.press("d")
        assert "A Approve" not in person.text


async def test_pages_by_click_and_the_text_by_tab() -> None:
    async with reviewing(StandIn(), (80, 24)) as person:
        row = person.text.splitlines()[1]
        await person.pilot.click("#views", offset=(row.index("Reviewers"), 0))
        await person.settled()
        assert "QUORUM" in person.text
        await person.press("w", "tab")
        assert person.admin.focused is not None
        assert person.admin.focused.id == "review"
        await person.press("down")
        assert "? waiting" not in person.text
        assert person.admin.desk.current == REPLACING


# the rest -------------------------------------------------------------------------


async def test_help_names_every_key_of_the_screen() -> None:
    async with reviewing(StandIn(), (120, 60)) as person:
        await person.press("question_mark")
        told = "\n".join(str(each.render()) for each in person.app.screen.query(Static))
        for each in ADMIN:
            assert with_keys(each.help) in told
        assert "changed by people only" in told


async def test_copy_theme_and_leaving() -> None:
    async with reviewing(StandIn(), clock=Clock()) as person:
        await person.press("y")
        assert person.app.clipboard == REPLACING.id
        before = person.app.current_theme.name
        await person.press("t")
        assert person.app.current_theme.name != before
        await person.press("ctrl+c")
        assert person.toasts[-1].startswith("q leaves.")
        await person.pilot.press("q")
        await person.pilot.pause()
        assert person.app._exit
