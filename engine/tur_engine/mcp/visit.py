"""The store a server works on, who speaks there, and what each session has been told already."""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any, NamedTuple

from .. import payloads
from ..engine import Engine
from ..errors import BadInput, StoreError, TurError
from ..records import Author, AuthorKind, EventKind, FeedFilter, HistoryEntry

DECISIONS = frozenset(
    {
        EventKind.RESOLVED,
        EventKind.UNDONE,
        EventKind.APPROVED,
        EventKind.DECLINED,
        EventKind.REAFFIRMED,
        EventKind.LEARNED,  # where it lets in what was held
        EventKind.RETRACTED,
        EventKind.RELEASED,
    }
)
_FARTHEST_BACK = 1000
_ON_ARRIVAL = 20
"""So many of the decisions made while the agent was away; history tells the rest."""


class Caller(NamedTuple):
    """Who calls: the harness's name for itself, and its session where the transport knows one."""

    harness: str = "mcp"
    session: str = ""


class Visit:
    """The store a server works on, and who speaks. Opened by the first call."""

    def __init__(self, store: Path | None, speaker: str | None, *, local: bool = True) -> None:
        self.store = store
        self.speaker = speaker
        self.local = local
        """True where the server was started by the harness, in the folder that the agent works in."""
        self.session = f"mcp-{secrets.token_hex(3)}" if local else ""
        """Names what is served by this process where the transport knows no session: a harness starts one for each."""
        self.unsaid = ""
        """What the next answer to a write is to say once: that the store was made, or took the place of another."""
        self._engine: Engine | None = None
        self._former: list[Engine] = []
        self._voices: dict[Author, Engine] = {}
        self._told: dict[tuple[Author, str], int] = {}
        self._lock = threading.RLock()

    def open(self, harness: str, *, create: bool = False) -> Engine:
        """Return the engine in the name of who speaks; `harness` is the name where nobody else gave one.

        Where another file took the store's place, that one is opened. Raises NoStore; StoreError where it is gone.
        """
        author = self._author(harness)
        with self._lock:
            if self._engine is not None and (moved := self._engine.displaced()):
                self._follow(self._engine, author, moved)
            if self._engine is None:
                self._engine = Engine.open(self.store, actor=author, create=create)
                self._engine.stamped = self.local
                if self._engine.founded:
                    made = f"no store here or above, so your own was made: {self._engine.path}"
                    self.unsaid = "; ".join(filter(None, (made, self._engine.former())))
            if author not in self._voices:
                self._voices[author] = self._engine.speaking_as(author)
            return self._voices[author]

    def _follow(self, engine: Engine, author: Author, moved: str) -> None:
        """Go on with what the path names now. The former store is closed at the end: a call may still read it."""
        if not engine.path.exists():
            raise StoreError(moved)
        self._engine = Engine.open(engine.path, actor=author)
        self._engine.stamped = self.local
        self.unsaid = self._engine.former()
        self._former.append(engine)
        self._voices.clear()
        self._told.clear()

    def arrive(self, caller: Caller) -> None:
        """Note from where on a session is to be told of decisions: the agent's last word in the ledger.

        A session that was here before stays where it is. Without a store yet there is nothing to note.
        """
        with self._lock:
            key = (self._author(caller.harness), caller.session)
            if key in self._told:
                return
            try:
                engine = self.open(caller.harness)
            except TurError:  # the call itself will say so
                return
            own = engine.feed_index(FeedFilter(agent=str(key[0])))
            last = next((seq for seq in own if engine.entries([seq])[0].actor == key[0]), engine.head())
            missed = engine.feed_index(FeedFilter(kinds=DECISIONS, agent="human:"))[:_ON_ARRIVAL]
            self._told[key] = max(last, min(missed, default=1) - 1)

    def news(self, caller: Caller) -> list[dict[str, Any]]:
        """What people decided since the last answer in this session, the oldest first; each is told once."""
        self.arrive(caller)
        with self._lock:
            engine, key = self._engine, (self._author(caller.harness), caller.session)
            if engine is None or key not in self._told:
                return []
            head = engine.head()
            since, self._told[key] = max(self._told[key], head - _FARTHEST_BACK), head
        if head <= since:
            return []
        entries = engine.entries(list(range(since + 1, head + 1)))
        return [payloads.event(entry) for entry in entries if _decides(engine, entry)]

    def _author(self, harness: str) -> Author:
        name = self.speaker if self.speaker is not None else harness
        try:
            author = Author.parse(name or "mcp", AuthorKind.AGENT)
        except BadInput:
            author = Author(kind=AuthorKind.AGENT, name="mcp")
        # What speaks here is a program, whatever it calls itself.
        return Author(kind=AuthorKind.AGENT, name=author.name)

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            for engine in (*self._former, *([self._engine] if self._engine is not None else [])):
                engine.close()
            self._former.clear()
            self._engine = None
            self._voices.clear()
            self._told.clear()


def _decides(engine: Engine, entry: HistoryEntry) -> bool:
    if entry.kind not in DECISIONS or entry.actor.kind is not AuthorKind.HUMAN:
        return False
    if entry.kind is not EventKind.LEARNED:
        return True
    return bool(entry.memory_ids) and engine.memory(entry.memory_ids[0]).memory.seq < entry.seq
