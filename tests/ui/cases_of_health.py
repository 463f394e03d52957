"""What the actions of the health screen do."""

from __future__ import annotations

from typing import cast

from tests.ui.acting import act, case
from tests.ui.sitting import Sitting
from tur_tui.screens.health import HealthScreen


@case("health", "health.check")
async def checks(person: Sitting) -> None:
    await person.until(lambda: cast(HealthScreen, person.app.screen).health)
    await act(person, "health", "health.check")
    await person.until(lambda: "✓" in person.text)


@case("health", "health.copy")
async def copies_page(person: Sitting) -> None:
    await person.until(lambda: cast(HealthScreen, person.app.screen).health)
    await act(person, "health", "health.copy")
    assert "active" in person.app.clipboard


@case("health", "health.leave")
async def leaves_health(person: Sitting) -> None:
    await act(person, "health", "health.leave")
    assert person.at_desk
