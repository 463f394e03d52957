"""The one door for every memory: probe -> detect -> policy -> commit, atomically.

Its names are loaded when they are asked for: who only reads never needs the detector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .gate import Gate
    from .inherited import Above
    from .weigher import Weigher

__all__ = [
    "Above",
    "Gate",
    "Weigher",
]

_ROOMS = {
    "gate": "Gate",
    "inherited": "Above",
    "weigher": "Weigher",
}
__getattr__ = lazily(__name__, _ROOMS)
