"""The one door for every memory: probe -> detect -> policy -> commit, atomically."""

from __future__ import annotations

from .gate import Gate
from .inherited import Above
from .weigher import Weigher

__all__ = ["Above", "Gate", "Weigher"]
