"""`tur-tui demo`: a sample store, an agent process that learns into it, and the workbench or the story as text."""

from __future__ import annotations

from .run import run

__all__ = ["run"]
