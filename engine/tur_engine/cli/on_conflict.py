"""What happens on a clash: the flags, TUR_ON_CONFLICT, the store's setting, the seed's default (CONTRACTS 2)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import BadInput
from .output import terminal

if TYPE_CHECKING:
    from ..facade.store import Store
    from ..records import OnConflict


def flagged(flag: str | None, allow_conflict: bool, *, whole: bool = False) -> OnConflict | None:
    """What the flags say; None where they say nothing. `whole`: of a batch that is all or nothing.

    Raises BadInput, also where the variable that stands in for them names no mode: before a store is founded.
    """
    from ..records import OnConflict
    from . import words

    named = None if flag is None else words.on_conflict(flag, "--on-conflict")
    if allow_conflict and named not in (None, OnConflict.ALLOW):
        raise BadInput(f"--allow-conflict and --on-conflict {flag} contradict each other; give one of the two")
    named = OnConflict.ALLOW if allow_conflict else named
    if whole and named is OnConflict.ALLOW:
        flags = "--allow-conflict" if allow_conflict else "--on-conflict allow"
        raise BadInput(
            f"--all-or-nothing keeps none where one clashes, {flags} keeps what clashes; give one of the two"
        )
    if named is None:
        _of_environment()
    return named


def _of_environment() -> OnConflict | None:
    """What TUR_ON_CONFLICT says; None where it is not set. Raises BadInput."""
    from . import words

    variable = os.environ.get("TUR_ON_CONFLICT")
    return words.on_conflict(variable, "TUR_ON_CONFLICT") if variable else None


def at_gate(policy: OnConflict, *, whole: bool = False) -> OnConflict:
    """What the gate does with a line of a batch that clashes; all or nothing never lets one through."""
    from ..records import OnConflict

    return OnConflict.HOLD if policy is OnConflict.ASK or (whole and policy is OnConflict.ALLOW) else policy


def choose_policy(engine: Store, named: OnConflict | None) -> tuple[OnConflict, bool]:
    """Flag, variable, setting, then the seed's default; the second value is False for the default."""
    from ..records import OnConflict

    if named is not None:
        return named, True
    if (said := _of_environment()) is not None:
        return said, True
    if engine.settings.on_conflict is not None:
        return OnConflict(engine.settings.on_conflict), True
    return (OnConflict.ASK if terminal() else OnConflict.ALLOW), False
