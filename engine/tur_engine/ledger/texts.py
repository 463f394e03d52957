"""The bodies of a store: read once in the order they lie in, checked against their hashes, told apart by event."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from . import bodies
from .replay import Bad

_MISSING = -1
"""Stands for the redacting event where there is not even a row."""


class Texts:
    """What the store holds, and what of it the events seen so far name."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._contents: dict[object, bytes] = {}
        """Texts that no event has named yet."""
        self._at_hand: dict[bytes, bytes] = {}
        """Texts of the event at work."""
        self._gone: dict[object, int | None] = {}
        """Keys without a text, with the redacting event that the row names."""
        self._marked: dict[object, int] = {}
        """Keys with a text that the row calls redacted."""
        self._altered: set[object] = set()
        self._named: dict[bytes, int] = {}
        """Key of each body, with the event that named it first."""
        self._tombstones: dict[bytes, int] = {}
        """Keys that an event redacts, with that event."""

    def load(self) -> None:
        """Read them all."""
        for key, salt, content, redacted in self._db.execute("SELECT ref, salt, body, redacted_seq FROM bodies"):
            if content is None and salt is None:
                self._gone[key] = redacted
            elif bodies.fits(key, salt, content):
                self._contents[key] = content
                if redacted is not None:
                    self._marked[key] = redacted
            else:
                self._altered.add(key)

    def name(self, seq: int, payload: bytes) -> None:
        """Event `seq` is at work. Raises Bad where a text that it names was altered."""
        named, contents, at_hand = self._named, self._contents, {}
        for key in bodies.keys(payload):
            if key in named:
                continue
            named[key] = seq
            if (content := contents.pop(key, None)) is not None:
                at_hand[key] = content
            elif key in self._altered:
                raise Bad(seq, f"a text of event {seq} was altered")
            elif key not in self._gone:
                self._gone[key] = _MISSING
        self._at_hand = at_hand

    def read(self, ref: str) -> bytes | None:
        """Return a content, None where it is not there any more."""
        key = bodies.key_of(ref)
        content = self._at_hand.get(key)
        return bodies.read(self._db, ref) if content is None and key not in self._gone else content

    def redact(self, seq: int, refs: Iterable[str]) -> None:
        """Event `seq` takes these away."""
        self._tombstones.update((bodies.key_of(ref), seq) for ref in refs)

    def check(self) -> None:
        """Raise Bad where a text is gone, or there, without an event that says so."""
        faults = []
        for key, seq in self._named.items() if self._gone or self._marked or self._tombstones else ():
            if key in self._gone:
                redacted = self._gone[key]
                if redacted == _MISSING:
                    faults.append((seq, f"a text of event {seq} is missing ({_short(key)})"))
                elif redacted is None or self._tombstones.get(key) != redacted:
                    faults.append((seq, f"a text of event {seq} is missing and no event redacts it"))
            elif key in self._tombstones or key in self._marked:
                faults.append((seq, f"a text of event {seq} was redacted but stands in the store again"))
        if faults:
            raise Bad(*min(faults))
        for stray in (*self._contents, *(self._altered | self._gone.keys()) - self._named.keys()):
            raise Bad(None, f"a text that no event names stands in the store ({_short(stray)})")


def _short(key: object) -> str:
    return f"{bodies.PREFIX}{key.hex()[:16]}..." if isinstance(key, bytes) else str(key)[:21]
