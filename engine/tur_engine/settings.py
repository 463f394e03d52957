"""Settings of one store: `.tur/config.toml`. An unknown key is an error that names the nearest one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import BadInput
from .maintain.policy import AgentMayResolve
from .records import OnConflict


class Akashik(BaseModel):
    """How the store speaks the Akashik protocol."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level: Literal[1, 2] = 2
    """Conformance level of DETECT's answers: 1 omits id, type and status of a mechanical conflict."""


class Settings(BaseModel):
    """What a store may set; a `TUR_` environment variable wins over the file.

    TUR_ON_CONFLICT alone is not read here: it is for what learns, and a bad one stops nothing else.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    on_conflict: OnConflict | None = None
    """ask, hold, allow or fail; unset: ask on a terminal, allow with a warning otherwise."""
    profile: str = "balanced"
    """Detection profile: quiet, balanced or strict."""
    threshold: float | None = Field(default=None, gt=0, lt=1)
    """Probability from which the gate stops a newcomer, in place of the profile's (`tur calibrate feedback`)."""
    agent_may_resolve: AgentMayResolve = AgentMayResolve.AGENTS
    """What agents may settle: none, own, agents."""
    akashik: Akashik = Akashik()
    """The Akashik protocol (docs/akashik.md)."""


_OF_A_LEARN = "on_conflict"


@cache
def _with_environment() -> type[Settings]:
    """Return the settings as the environment has them too; the library takes a while to load, so it is asked rarely."""
    from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

    class FromEnvironment(BaseSettings, Settings):
        model_config = SettingsConfigDict(
            env_prefix="TUR_", env_nested_delimiter="__", env_ignore_empty=True, extra="forbid", frozen=True
        )

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            named = {key: value for key, value in env_settings().items() if key != _OF_A_LEARN}
            return InitSettingsSource(settings_cls, init_kwargs=named), init_settings

    return FromEnvironment


def _named_in_environment() -> bool:
    names = tuple(f"TUR_{name.upper()}" for name in Settings.model_fields if name != _OF_A_LEARN)
    return any(variable.upper().startswith(names) for variable in os.environ)


def read_settings(path: Path) -> Settings:
    """Read the file (none is fine). Raises BadInput naming file, key and what is allowed."""
    values: dict[str, object] = {}
    if path.is_file():
        import tomllib

        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
            raise BadInput(f"{path} is not readable TOML: {e}") from e
    known = list(Settings.model_fields)
    for key in values:
        if key not in known:
            from rapidfuzz import process

            near = process.extractOne(key, known, score_cutoff=50)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise BadInput(f"{path}: unknown key {key!r}; {hint}")
    try:
        return (_with_environment() if _named_in_environment() else Settings)(**values)
    except ValidationError as e:
        first = e.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "?"
        variable = f"TUR_{key.upper().replace('.', '__')}"
        source = f"environment variable {variable}" if variable in os.environ else str(path)
        raise BadInput(f"{source}: {key} cannot be {first.get('input')!r}; {_may_be(first)}") from e


def _may_be(error: Mapping[str, Any]) -> str:
    """Say what a key may be set to."""
    if error["loc"][0] == "akashik":
        return "level is the only key of akashik, and it is 1 or 2"
    kind = {"on_conflict": OnConflict, "agent_may_resolve": AgentMayResolve}.get(str(error["loc"][0]))
    if kind is not None:
        return f"use one of {', '.join(kind)}"
    return "it is a number between 0 and 1" if error["loc"][0] == "threshold" else "it is a word between quotes"
