"""The memory: what was said, by whom, where it holds. Immutable; only its status moves."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator, model_validator

from ..errors import BadInput
from ..text import accept
from .author import Author
from .base import Record
from .scope import Scope

Scalar = bool | int | float | str | None
"""A structured value: compared by type and value, `1` is not `true` (CONTRACTS 8)."""

MAX_INTEGER = 2**53 - 1
"""The largest integer that canonical JSON (RFC 8785) carries exactly."""


_FIELD_LIMIT = 2048


class MemoryType(StrEnum):
    """Upstream's six types; `concept` comes from a graph commit only."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    INSIGHT = "insight"
    AXIOM = "axiom"
    CORE = "core"
    CONCEPT = "concept"

    @property
    def invariant_tier(self) -> bool:
        """Axiom and core: only people approve or change them (EP-0134, section 3)."""
        return self in (MemoryType.AXIOM, MemoryType.CORE)


class Status(StrEnum):
    """Where a memory stands; a projection of the events, never hashed."""

    HELD = "held"
    ACTIVE = "active"
    SUSPECT = "suspect"
    SUPERSEDED = "superseded"
    REFUTED = "refuted"
    RETRACTED = "retracted"
    PENDING = "pending_approval"

    @property
    def live(self) -> bool:
        """Believed now: recalled, and an incumbent for newcomers."""
        return self in (Status.ACTIVE, Status.SUSPECT)


class Confidence(Record):
    """How sure the author is, and on what grounds."""

    score: Annotated[float, Field(ge=0, le=1)] = 1.0
    reasoning: str = ""
    evidence: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @field_validator("reasoning")
    @classmethod
    def _reasoning(cls, text: str) -> str:
        return accept(text, "reasoning") if text else text

    @field_validator("evidence", "assumptions")
    @classmethod
    def _grounds(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(accept(text, "evidence or assumption", limit=2048) for text in texts)


class Relation(Record):
    """A typed edge from the memory to another: an EdgeType name and a full digest (an id in a draft)."""

    type: str
    target: str

    @field_validator("type")
    @classmethod
    def _type(cls, name: str) -> str:
        return accept(name, "relation type", limit=64)


def check_scalar(name: str, value: object) -> Scalar:
    """Return a field's value. Raises BadInput for what canonical JSON cannot carry."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        blank = not value.strip(" \t\n") and len(value) <= _FIELD_LIMIT
        return value if blank else accept(value, f"field {name!r}", limit=_FIELD_LIMIT)
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise BadInput(f"field {name!r} holds an integer beyond 2^53-1; give it as text")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(f"field {name!r} holds {value}; only finite numbers are allowed")
        return value
    raise BadInput(f"field {name!r} holds {type(value).__name__}; a value is text, a number, true, false or null")


class Draft(Record):
    """A memory as offered to the gate: nothing is decided yet."""

    content: str
    type: MemoryType = MemoryType.FACT
    scope: Scope = Scope()
    topic: str | None = None
    fields: dict[str, Scalar] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    author: Author
    occurred_at: datetime | None = None
    confidence: Confidence = Confidence()
    session: str | None = None
    provenance: dict[str, str] = Field(default_factory=dict)
    node_type: str | None = None
    """Node type in the belief graph, where it is not the one that `type` stands for (CONTRACTS 7)."""

    @field_validator("content")
    @classmethod
    def _content(cls, content: str) -> str:
        return accept(content)

    @field_validator("type", mode="before")
    @classmethod
    def _known(cls, kind: object) -> object:
        if isinstance(kind, str) and kind not in set(MemoryType):
            raise BadInput(f"unknown type {kind!r}; use one of {', '.join(list(MemoryType)[:-1])}")
        return kind

    @field_validator("type")
    @classmethod
    def _type(cls, kind: MemoryType) -> MemoryType:
        if kind is MemoryType.CONCEPT:
            raise BadInput(
                "type concept is written by a graph commit only; use fact, preference, event, insight, axiom or core"
            )
        return kind

    @field_validator("topic", "session")
    @classmethod
    def _short(cls, value: str | None, info: ValidationInfo) -> str | None:
        return accept(value, str(info.field_name), limit=512) if value else None

    @field_validator("node_type")
    @classmethod
    def _node_type(cls, name: str | None) -> str | None:
        return accept(name, "node type", limit=64).strip() or None if name else None

    @field_validator("tags")
    @classmethod
    def _tags(cls, tags: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted({accept(tag, "tag", limit=128).strip() for tag in tags}))

    @field_validator("fields", mode="before")
    @classmethod
    def _fields(cls, fields: object) -> object:
        if not isinstance(fields, dict):
            return fields
        return {accept(str(k), "field name", limit=128): check_scalar(str(k), v) for k, v in fields.items()}

    @field_validator("provenance")
    @classmethod
    def _provenance(cls, provenance: dict[str, str]) -> dict[str, str]:
        return {
            accept(k, "provenance key", limit=64): accept(v, f"provenance {k}", limit=1024)
            for k, v in provenance.items()
        }

    @field_validator("occurred_at")
    @classmethod
    def _aware(cls, at: datetime | None) -> datetime | None:
        if at is None:
            return None
        try:
            return at.astimezone(UTC)
        except (OverflowError, ValueError, OSError) as e:
            raise BadInput(f"occurred_at {at.isoformat()} lies outside the years 1 to 9999 in UTC") from e


class Memory(Record):
    """A memory in the ledger. `scope` is the scope it holds in now; `declared_scope` the one it was learned with.

    They differ only where a person narrowed it (verb `b`).
    """

    digest: str
    content: str
    type: MemoryType
    scope: Scope
    declared_scope: Scope
    topic: str | None = None
    fields: dict[str, Scalar] = Field(default_factory=dict)
    tags: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    author: Author
    occurred_at: datetime
    recorded_at: datetime
    confidence: Confidence = Confidence()
    session: str | None = None
    provenance: dict[str, str] = Field(default_factory=dict)
    node_type: str | None = None
    """Node type in the belief graph, where it is not the one that `type` stands for."""
    seq: int
    """Sequence number of the event that brought it in: order decides `newer`."""
    redacted: bool = False

    @property
    def id(self) -> str:
        """`<type>-<64 hex>`, the full id."""
        return f"{self.type}-{self.digest}"

    @property
    def short_id(self) -> str:
        """`<type>-<8 hex>`, for people; the facade lengthens it where it is not unique."""
        return f"{self.type}-{self.digest[:8]}"


class Belief(Record):
    """A memory together with where it stands at one moment of the ledger."""

    memory: Memory
    status: Status
    approved: bool = False
    """True for an axiom or core in force: approved by people, protected by the gate."""
    suspect_because: tuple[str, ...] = ()
    """Digests of the fallen memories that this one depends on."""
    contested_by: tuple[str, ...] = ()
    """Digests on the other side of open or forced conflicts."""
    pending: tuple[str, ...] = ()
    """Ids of open conflicts that this memory is a side of."""

    @model_validator(mode="after")
    def _suspect(self) -> Belief:
        if self.status is Status.SUSPECT and not self.suspect_because:
            raise ValueError("a suspect names its cause")
        return self

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def contested(self) -> bool:
        return bool(self.contested_by)
