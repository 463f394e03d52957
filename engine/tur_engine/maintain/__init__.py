"""Truth maintenance: what a verb changes, what falls with it, and how it is taken back."""

from __future__ import annotations

from .cascade import suspects_of
from .decision import Decision
from .plan import Plan, plan
from .policy import AgentMayResolve
from .resolver import MergedMemory, Resolver, came_back_as
from .session import Rollback, Session
from .undo import conflict_id, plan_undo
from .view import PairState, View

__all__ = [
    "AgentMayResolve",
    "Decision",
    "MergedMemory",
    "PairState",
    "Plan",
    "Resolver",
    "Rollback",
    "Session",
    "View",
    "came_back_as",
    "conflict_id",
    "plan",
    "plan_undo",
    "suspects_of",
]
