"""A memory as the ledger keeps it: immutable fields hashed, every text behind a salted body.

    digest = SHA-256(canonical JSON of
        {type, scope, author, occurred_at, recorded_at, relations, content_ref, details_ref})

`details_ref` is the body of {topic, fields, tags, confidence, session, provenance, node_type}, absent where all are
empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json

from ..errors import BadInput, IntegrityFailure
from ..records import Author, Confidence, Draft, Memory, MemoryType, Relation, Scope
from ..records.memory import MAX_INTEGER
from ..text import fold
from .bodies import Body, body
from .canonical import canonical, digest_of, hash_bytes

TOMBSTONE = "[redacted]"


def stamp(at: datetime) -> str:
    """Return an aware time as ISO 8601 in UTC with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def unstamp(text: str) -> datetime:
    """Read what `stamp` wrote."""
    return datetime.fromisoformat(text)


def content_key(content: str, topic: str | None, fields: dict[str, Any], scope: str) -> str:
    """Return the key by which exact duplicates meet: folded content, topic, fields, scope as learned.

    It is unsalted, so it stands in projections only and goes with the text at redaction.
    """
    value = [fold(content), topic, fields, scope]
    return digest_of(value) if fields else hash_bytes(to_json(value))  # without keys to sort: a tenth of the time


def topic_key(topic: str | None) -> str:
    """Return the key by which memories on one topic meet (NFC, case-sensitive); empty for no topic."""
    return hash_bytes(topic.encode()) if topic else ""


def author_of(author: str) -> Author:
    """Read an author that the ledger kept. Raises ValueError, for it is no caller's mistake."""
    try:
        return Author.parse(author)
    except BadInput as e:
        raise ValueError(str(e)) from e


class Encoded:
    """A draft ready for the ledger: its data for the event, its bodies, its final digest."""

    def __init__(self, draft: Draft, recorded_at: datetime) -> None:
        self.draft = draft
        self.key = content_key(draft.content, draft.topic, draft.fields, str(draft.scope))
        content = body(draft.content)
        self.bodies: list[Body] = [content]
        self.data: dict[str, Any] = {
            "type": str(draft.type),
            "scope": str(draft.scope),
            "author": str(draft.author),
            "occurred_at": stamp(draft.occurred_at or recorded_at),
            "recorded_at": stamp(recorded_at),
            "relations": [[r.type, r.target] for r in draft.relations],
            "content_ref": content.ref,
        }
        if details := _details(draft):
            packed = body(canonical(details))
            self.bodies.append(packed)
            self.data["details_ref"] = packed.ref
        self.digest = digest_of(self.data)

    @property
    def id(self) -> str:
        return f"{self.draft.type}-{self.digest}"

    def memory(self, seq: int = 0) -> Memory:
        """Return the memory as it would be read back."""
        contents = {b.ref: b.content for b in self.bodies}
        return decode(self.data, self.digest, seq, contents.get)


def _details(draft: Draft) -> dict[str, Any]:
    details: dict[str, Any] = {
        "topic": draft.topic,
        "fields": draft.fields,
        "tags": list(draft.tags),
        "session": draft.session,
        "provenance": draft.provenance,
        "node_type": draft.node_type,
    }
    if draft.confidence != Confidence():
        details["confidence"] = draft.confidence.model_dump(mode="json")
    return {name: value for name, value in details.items() if value}


def texts_of(data: dict[str, Any], read: Callable[[str], bytes | None]) -> tuple[str | None, dict[str, Any]]:
    """Return content and details of a record; `read` gives a body by its reference, None where redacted."""
    content = read(data["content_ref"])
    details: dict[str, Any] = {}
    if (ref := data.get("details_ref")) and (packed := read(ref)):
        details = json.loads(packed, parse_int=_number)
    return None if content is None else content.decode(), details


def _number(digits: str) -> int | float:
    """Canonical JSON writes 1e20 as an integer; only a float can have been so large."""
    value = int(digits)
    return value if abs(value) <= MAX_INTEGER else float(value)


def decode(
    data: dict[str, Any],
    digest: str,
    seq: int,
    read: Callable[[str], bytes | None],
    scope: str | None = None,
) -> Memory:
    """Build the memory from an event's data. Raises IntegrityFailure where it is not what a learn wrote."""
    try:
        return _decode(data, digest, seq, read, scope)
    except (KeyError, ValueError, TypeError, AttributeError, BadInput) as e:
        raise IntegrityFailure(
            f"memory {digest[:8]} (event {seq}) is damaged; `tur verify` tells more, a backup brings it back"
        ) from e


def _decode(
    data: dict[str, Any], digest: str, seq: int, read: Callable[[str], bytes | None], scope: str | None
) -> Memory:
    content, details = texts_of(data, read)
    declared = Scope.parse(data["scope"])
    return Memory(
        digest=digest,
        content=content if content is not None else TOMBSTONE,
        type=MemoryType(data["type"]),
        scope=Scope.parse(scope) if scope and scope != data["scope"] else declared,
        declared_scope=declared,
        topic=details.get("topic"),
        fields=details.get("fields", {}),
        tags=tuple(details.get("tags", ())),
        relations=tuple(Relation(type=t, target=d) for t, d in data["relations"]),
        author=author_of(data["author"]),
        occurred_at=unstamp(data["occurred_at"]),
        recorded_at=unstamp(data["recorded_at"]),
        confidence=Confidence(**details.get("confidence", {})),
        session=details.get("session"),
        provenance=details.get("provenance", {}),
        node_type=details.get("node_type"),
        seq=seq,
        redacted=content is None,
    )
