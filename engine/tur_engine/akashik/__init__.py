"""Akashik 0.1.0-draft as far as this engine speaks it: DETECT, and RECORD through the gate (docs/akashik.md).

Message shapes are the protocol's (Akashik Protocol, CC BY 4.0, (c) 2026 Sahil David).
"""

from __future__ import annotations

from .operations import Reply, answer

__all__ = ["Reply", "answer"]
