"""What every record shares: frozen, strict about unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen pydantic model; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")
