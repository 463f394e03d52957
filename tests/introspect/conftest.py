"""The scripted store."""

from __future__ import annotations

from tests.engine.scripted import store

__all__ = ["store"]
