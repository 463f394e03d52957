"""Who may settle what: agents never against a human-authored memory, unless the store says otherwise (CONTRACTS 3).

What is not allowed is escalated to people, not refused into nothing.
"""

from __future__ import annotations

from enum import StrEnum

from ..records import Author, AuthorKind, Verb
from .view import PairState, View


class AgentMayResolve(StrEnum):
    """Setting `agent_may_resolve`."""

    NONE = "none"
    OWN = "own"
    AGENTS = "agents"


def withdraws_own(view: View, pair: PairState, verb: Verb, actor: Author) -> bool:
    """True where the actor takes back its own newcomer."""
    return verb in (Verb.REFUTE, Verb.ABORT) and view.author(pair.challenger) in (None, actor)


def must_escalate(view: View, pair: PairState, verb: Verb, actor: Author, policy: AgentMayResolve) -> str:
    """Return why an agent's verb goes to people instead; empty where it may act."""
    if view.quarantined(actor):
        return f"{actor} is quarantined"
    if actor.kind is AuthorKind.HUMAN:
        return ""
    if withdraws_own(view, pair, verb, actor):
        return ""
    challenger, incumbent = view.author(pair.challenger), view.author(pair.incumbent)
    for author in (challenger, incumbent):
        if view.quarantined(author):
            return f"one side is by {author}, who is quarantined"
    if policy is AgentMayResolve.NONE:
        return "this store lets people settle conflicts only"
    if view.approved(pair.incumbent) or view.approved(pair.challenger):
        return "one side is an invariant"
    if policy is AgentMayResolve.OWN and {challenger or actor, incumbent} != {actor}:
        return "this store lets an agent settle its own memories only"
    for author in (challenger, incumbent):
        if author is not None and author.kind is AuthorKind.HUMAN:
            return f"one side was written by a person ({author.name})"
    return ""
