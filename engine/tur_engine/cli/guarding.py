"""Opening a store to guard it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadInput
from .call import Call

if TYPE_CHECKING:
    from ..engine import Engine


def opened(call: Call, store: Path | None) -> Engine:
    """Open the store to look; a setting that cannot be used takes the guard off nobody."""
    from ..engine import Engine
    from ..settings import Settings

    try:
        return Engine.open(store, actor=call.actor, read_only=True)
    except BadInput as error:
        engine = Engine.open(store, actor=call.actor, read_only=True, settings=Settings())
        call.out.warn(f"guarded by the settings that come with tur: {error}")
        return engine
