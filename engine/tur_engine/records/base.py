"""What every record shares: frozen, strict about unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen pydantic model; unknown fields are errors.

    Its validator is built at first use: a command builds those it needs, not all of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
