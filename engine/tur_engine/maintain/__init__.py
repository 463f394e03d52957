"""Truth maintenance: what a verb changes, what falls with it, and how it is taken back."""

from __future__ import annotations

from .decision import Decision
from .resolver import Resolver, came_back_as
from .session import Rollback, Session
from .view import View

__all__ = ["Decision", "Resolver", "Rollback", "Session", "View", "came_back_as"]
