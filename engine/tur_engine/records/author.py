"""Who says it. A claim, not a control: the controls are signatures (CONTRACTS 1)."""

from __future__ import annotations

from enum import StrEnum

from pydantic import field_validator

from ..errors import BadInput
from ..text import accept
from .base import Record


class AuthorKind(StrEnum):
    """What sort of author speaks."""

    AGENT = "agent"
    HUMAN = "human"
    SYSTEM = "system"


class Author(Record):
    """An author: kind and name, written `kind:name`."""

    kind: AuthorKind
    name: str

    @field_validator("name")
    @classmethod
    def _accept_name(cls, name: str) -> str:
        return accept(name, "author name", limit=128)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str, default: AuthorKind = AuthorKind.AGENT) -> Author:
        """Read `kind:name`, or a bare name with the default kind. Raises BadInput for one of several lines."""
        if "\n" in text or "\r" in text or "\t" in text:
            raise BadInput("the author's name holds a line break or a tab; write it in one line")
        kind, colon, name = text.partition(":")
        if colon and kind in set(AuthorKind):
            return cls(kind=AuthorKind(kind), name=name)
        return cls(kind=default, name=text)
