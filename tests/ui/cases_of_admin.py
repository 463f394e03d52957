"""What the actions of the admin screen do."""

from __future__ import annotations

from typing import cast

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tur_tui.screens.admin import AdminScreen


@case("admin", "proposal.approve", "proposal.reject", "proposal.copy", "proposal.next", "proposal.previous")
async def judges(person: Sitting) -> None:
    """On an empty list each says that there is nothing; tests/ui/test_admin.py signs."""
    for name in ("proposal.approve", "proposal.reject", "proposal.copy", "proposal.next", "proposal.previous"):
        await person.press("x")
        await act(person, "admin", name)
        assert "o proposal" in person.text or "othing" in person.text, name


@case("admin", "key.unlock", "key.lock")
async def unlocks(person: Sitting) -> None:
    """Without a key both say so; tests/ui/test_admin.py unlocks and locks."""
    admin = cast(AdminScreen, person.app.screen)
    await act(person, "admin", "key.unlock")
    assert person.app.screen is admin
    assert "key" in person.text
    await act(person, "admin", "key.lock")
    assert admin.key_lock.signer is None


@case("admin", "page.waiting", "page.decided", "page.reviewers", "page.log", "page.next", "page.previous")
async def turns(person: Sitting) -> None:
    desk = cast(AdminScreen, person.app.screen).desk
    for name in ("decided", "reviewers", "log", "waiting"):
        await act(person, "admin", f"page.{name}")
        assert str(desk.view) == name
    await act(person, "admin", "page.next")
    assert str(desk.view) == "decided"
    await act(person, "admin", "page.previous")
    assert str(desk.view) == "waiting"


@case("admin", "pane.other", "text.more")
async def reads_on(person: Sitting) -> None:
    """Nothing is listed here, so the text keeps the focus; tests/ui/test_admin_views.py walks to and fro."""
    before = person.text
    await act(person, "admin", "pane.other", "text.more")
    assert person.text == before
