"""The weights: where each file lies, and proof that it is the one that was measured.

`manifest.json` names every file with its size and SHA-256. A file is hashed when this machine first asks for it, and
again only when what the file system says of it moves (`hashed`): about 0.06 s for the judge at each start otherwise.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path

from ..errors import IntegrityFailure, TurError
from . import hashed

_ROOT = Path(__file__).parent
_MANIFEST = _ROOT / "manifest.json"


class ModelMissing(TurError):
    """A weight file of the manifest is not installed."""

    code = "model_missing"


@lru_cache(maxsize=1)
def manifest() -> dict[str, dict[str, dict[str, str | int]]]:
    """Return room -> file name -> {bytes, sha256}."""
    found: dict[str, dict[str, dict[str, str | int]]] = json.loads(_MANIFEST.read_text("utf-8"))
    return found


def present(room: str) -> bool:
    """Tell whether every file of a room is installed; nothing is hashed."""
    files = manifest().get(room, {})
    return bool(files) and all((_ROOT / room / name).is_file() for name in files)


def sha256(room: str, name: str) -> str:
    """Return the SHA-256 that the manifest promises."""
    return str(_entry(room, name)["sha256"])


def model_file(room: str, name: str, *, anew: bool = False) -> Path:
    """Return the path of a weight file after checking it against the manifest; `anew` hashes it whatever is known.

    Raises ModelMissing where it is not installed, IntegrityFailure where its bytes are others than measured.
    """
    entry, path = _entry(room, name), _ROOT / room / name
    try:
        stat = path.stat()
    except FileNotFoundError:
        way_out = ", or set TUR_NO_JUDGE=1 to go without the judge" if room == "judge" else ""
        raise ModelMissing(f"model file {room}/{name} is not installed; reinstall tur-tui{way_out}") from None
    if stat.st_size != entry["bytes"] or _digest(path, stat, anew=anew) != entry["sha256"]:
        raise IntegrityFailure(
            f"model file {room}/{name} is not the one this version was measured with (its SHA-256 differs); "
            "reinstall tur-tui"
        )
    return path


def verify_models() -> tuple[str, ...]:
    """Check every file of the manifest; return one sentence for each that is missing or altered."""
    problems = []
    for room, files in manifest().items():
        for name in files:
            try:
                model_file(room, name, anew=True)
            except TurError as error:
                problems.append(str(error))
    return tuple(problems)


def _entry(room: str, name: str) -> dict[str, str | int]:
    try:
        return manifest()[room][name]
    except KeyError:
        raise TurError(f"the model manifest names no file {room}/{name}") from None


def _digest(path: Path, stat: os.stat_result, *, anew: bool) -> str:
    if not anew and (digest := hashed.known(path, stat)) is not None:
        return digest
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    hashed.note(path, stat, digest)
    return digest
