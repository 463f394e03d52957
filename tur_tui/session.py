"""What the workbench remembers between two starts on one store: where a person was. Losing it costs nothing."""

from __future__ import annotations

import contextlib
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal

from platformdirs import user_state_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tur_engine import at_home

from .plain_files import read_file, replace_file

VERSION: Final = 2
_LARGEST: Final = 64 * 1024

Typed = Annotated[str, Field(max_length=500)]
Id = Annotated[str, Field(max_length=100)]
Radius = Annotated[int, Field(ge=1, le=3)]


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class HistoryView(_View):
    """The history screen: what was searched for, and the memory in front."""

    typed: Typed = ""
    ever: bool = False
    memory: Id = ""


class GraphView(_View):
    """The graph screen: what it was drawn around, and how far."""

    centre: Annotated[tuple[Id, ...], Field(max_length=8)] = ()
    radius: Radius = 1
    hidden: Annotated[tuple[tuple[Literal["edge", "node"], Id], ...], Field(max_length=100)] = ()


class Session(_View):
    """View choices, never decisions, and never a moment of the past: the present is what a sitting begins with."""

    version: Literal[2] = VERSION
    store: Id = ""
    """The id of the store, so that another one at the same place is not taken for it."""
    screen: Literal["triage", "admin", "history", "graph", "health"] = "triage"
    filter: Typed = ""
    radius: Radius | None = None
    """None where no sitting has said it."""
    pane: Id = "diff"
    feed_size: Annotated[int, Field(ge=0, le=4)] = 2
    conflict: Id = ""
    history: HistoryView = HistoryView()
    graph: GraphView = GraphView()


def session_path(store: Path) -> Path:
    """The file for this store; stores are told apart by a hash of their path. Raises NoHome."""
    name = sha256(str(store.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return at_home(lambda: user_state_path("tur-tui", appauthor=False)) / "sessions" / f"{name}.json"


def read_session(path: Path) -> Session:
    """The session in the file; a fresh one where it is missing, damaged or of another version."""
    try:
        return Session.model_validate_json(read_file(path, _LARGEST))
    except (OSError, ValidationError):
        return Session()


def write_session(path: Path, session: Session) -> None:
    """Keep the session, whole or not at all: of two workbenches on one store the last to leave is remembered.

    A state folder that cannot be written is no reason to trouble anybody.
    """
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(path, session.model_dump_json())
