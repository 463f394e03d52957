"""What the workbench remembers between two starts on one store: the filter and the radius. Losing it costs nothing."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from platformdirs import user_state_path

VERSION = 1


@dataclass(frozen=True)
class Session:
    """View choices, never decisions."""

    filter: str = ""
    radius: int = 1


def session_path(store: Path) -> Path:
    """The file for this store; stores are told apart by a hash of their path."""
    name = sha256(str(store.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return user_state_path("tur-tui", appauthor=False) / "sessions" / f"{name}.json"


def read_session(path: Path) -> Session:
    """The session in the file; a fresh one where it is missing, damaged or of another version."""
    try:
        data = json.loads(path.read_text("utf-8"))
        typed, radius = data["filter"], data["radius"]
    except (OSError, ValueError, KeyError, TypeError):
        return Session()
    if data.get("version") != VERSION or not isinstance(typed, str) or radius not in (1, 2, 3):
        return Session()
    return Session(filter=typed, radius=radius)


def write_session(path: Path, session: Session) -> None:
    """Keep the session; a state folder that cannot be written is no reason to trouble anybody."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"version": VERSION, **asdict(session)}), "utf-8")
