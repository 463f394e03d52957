"""The engine of tur-tui: a ledger of memories with a gate that stops contradictions.

Use `tur_engine.engine.Engine`; nothing heavy is imported here.
"""

from __future__ import annotations

from .home import at_home
from .printing import printed, tell_warnings_as
from .version import __version__
from .working_folder import here

__all__ = ["__version__", "at_home", "here", "printed", "tell_warnings_as"]
