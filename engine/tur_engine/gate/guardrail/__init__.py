"""The guardrail: a proposed action or plan weighed against what people have laid down (EP-0134, section 3)."""

from __future__ import annotations

from .plan import read, read_file
from .weighing import guard

__all__ = ["guard", "read", "read_file"]
