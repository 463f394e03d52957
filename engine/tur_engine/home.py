"""The account's home, and what of this machine is kept in it. An account may have none, as some in containers have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .errors import NoHome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def at_home(look_up: Callable[[], Path]) -> Path:
    """Return a folder that is looked up in the account's home. Raises NoHome where there is none.

    A $HOME that is empty or relative counts as none, here and for every program that is started from here: it would be
    another place in each folder, and the root of the machine where it is empty.
    """
    if not os.path.isabs(os.environ.get("HOME", "/")):
        os.environ.pop("HOME", None)
    try:
        return look_up()
    except RuntimeError as error:  # as pathlib and platformdirs say it
        raise NoHome(
            "this account has no home, where your own store, your keys and this machine's notes would be; "
            "set HOME to a folder of yours"
        ) from error


def state_folder() -> Path:
    """Return where notes of this machine lie: the witness and its like. Raises NoHome."""
    from platformdirs import user_state_path

    return at_home(lambda: user_state_path("tur-tui", appauthor=False))
