"""A store with scripted verdicts and two reviewers, of whom one may sign."""

from __future__ import annotations

import pytest

from tests.engine.scripted import Store, store
from tests.govern.signing import governed
from tur_engine.governor import Governor

__all__ = ["store"]


@pytest.fixture
def governor(store: Store) -> Governor:
    """The humans' facade; Rita may sign."""
    return governed(store.engine)
