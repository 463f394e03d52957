"""Proposals as agents file them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.engine.scripted import AGENT, Store, draft_of
from tur_engine.records import LearnResult

TLS = "All service traffic uses TLS"
PLAIN = "Service traffic is plain HTTP"
REVIEWED = "Every change is reviewed by a second person"


def ask(store: Store, text: str, *, type: str = "core", replaces: Sequence[str] = (), **more: Any) -> str:
    """File a proposal as an agent; returns its id."""
    result = asked(store, text, type=type, replaces=replaces, **more)
    assert result.outcome == "proposed", result
    assert result.proposal_id is not None
    return result.proposal_id


def asked(store: Store, text: str, *, type: str = "core", replaces: Sequence[str] = (), **more: Any) -> LearnResult:
    """What the gate says to a proposal."""
    return store.seen_by(AGENT).propose(draft_of(text, AGENT, type=type, **more), replaces=replaces, reason="because")
