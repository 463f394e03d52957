"""Pydantic without plugins: to find some it imports what reads packages' metadata, and asks each that is installed.

None is wanted here: what checks a memory is what this program was tested with. It saves a twentieth of a cold start.
"""

from __future__ import annotations

import sys
from types import ModuleType

_FINDER = "pydantic.plugin._loader"
"""What looks for them, at the first model that is built. Where another pydantic has none of this name, it looks."""


def unplug() -> None:
    """Let pydantic find no plugins from now on. For a process that runs one command: it takes a module's place."""
    nothing = ModuleType(_FINDER)
    nothing.__dict__["get_plugins"] = tuple
    sys.modules.setdefault(_FINDER, nothing)
