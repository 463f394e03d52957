"""The workbench: a terminal screen on which people settle what agents' memories contradict each other about."""

from __future__ import annotations

from tur_engine import __version__

__all__ = ["__version__"]
