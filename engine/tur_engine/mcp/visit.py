"""One harness on one store: opened by its first call, remembering what it has already been told."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from .. import payloads
from ..engine import Engine
from ..errors import BadInput
from ..records import Author, AuthorKind, EventKind

_DECISIONS = frozenset({EventKind.RESOLVED, EventKind.UNDONE, EventKind.APPROVED, EventKind.REAFFIRMED})
_FARTHEST_BACK = 1000


class Visit:
    """The store a server works on, and who speaks."""

    def __init__(self, store: Path | None, speaker: str | None) -> None:
        self.store = store
        self.speaker = speaker
        self.founded = ""
        self._engine: Engine | None = None
        self._seen = 0
        self._lock = threading.Lock()

    def open(self, harness: str, *, create: bool = False) -> Engine:
        """Return the engine; `harness` names the speaker where nobody else did. Raises NoStore."""
        with self._lock:
            if self._engine is None:
                self._engine = Engine.open(self.store, actor=self._author(harness), create=create)
                self._seen = self._engine.head()
                if self._engine.founded:
                    self.founded = f"no store here or above, so your own was made: {self._engine.path}"
            return self._engine

    def _author(self, harness: str) -> Author:
        name = self.speaker if self.speaker is not None else harness
        try:
            author = Author.parse(name or "mcp", AuthorKind.AGENT)
        except BadInput:
            author = Author(kind=AuthorKind.AGENT, name="mcp")
        # What speaks here is a program, whatever it calls itself.
        return Author(kind=AuthorKind.AGENT, name=author.name)

    def news(self) -> list[dict[str, Any]]:
        """What people decided since the last answer, the oldest first."""
        with self._lock:
            engine = self._engine
            if engine is None:
                return []
            head = engine.head()
            since, self._seen = max(self._seen, head - _FARTHEST_BACK), head
        if head <= since:
            return []
        entries = engine.entries(list(range(since + 1, head + 1)))
        return [
            payloads.event(entry)
            for entry in entries
            if entry.kind in _DECISIONS and entry.actor.kind is AuthorKind.HUMAN
        ]

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()
                self._engine = None
