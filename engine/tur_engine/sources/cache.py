"""What earlier scans of a repository read: vectors, the judge's answers, verdicts. Each by the hash of its texts.

One file a repository in the user's cache folder, replaced as a whole. Whoever removes it loses time only.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..detect.judge import Judge
from ..errors import NoHome
from ..home import at_home
from ..replacing import replace

if TYPE_CHECKING:
    from ..detect.judge import Answer

_FORMAT = 1
_PARTS = ("vectors", "answers", "verdicts")


def key_of(*parts: str) -> str:
    """Return the name that texts are remembered by."""
    told = blake2b(digest_size=16)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        told.update(len(raw).to_bytes(4, "big") + raw)
    return told.hexdigest()


def place_for(root: Path) -> Path | None:
    """Return where the notes on a repository lie; None for an account without a home, which keeps none."""
    from platformdirs import user_cache_path

    try:
        return at_home(lambda: user_cache_path("tur")) / "scan" / f"{key_of(str(root))}.json"
    except NoHome:
        return None


class Notes:
    """What was read before, and what is to be kept of this scan: only that which was used again."""

    def __init__(self, path: Path | None, signature: str) -> None:
        self._path = path
        self._signature = signature
        self._known: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
        self._used: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
        self._fresh = False
        if path is None:
            return
        with suppress(OSError, ValueError, RecursionError):
            data = json.loads(path.read_bytes())
            if isinstance(data, dict) and data.get("format") == _FORMAT and data.get("signature") == signature:
                self._known = {part: data[part] if isinstance(data.get(part), dict) else {} for part in _PARTS}

    def get(self, part: str, key: str) -> Any:
        """Return what is noted under a key, None where nothing is."""
        value = self._used[part].get(key)
        if value is None and (value := self._known[part].get(key)) is not None:
            self._used[part][key] = value
        return value

    def put(self, part: str, key: str, value: Any) -> None:
        """Note something."""
        self._used[part][key] = value
        self._fresh = True

    def vector(self, key: str) -> bytes | None:
        """Return a noted vector of 384 bytes."""
        value = self.get("vectors", key)
        if not isinstance(value, str):
            return None
        with suppress(ValueError):
            raw = b64decode(value, validate=True)
            return raw if len(raw) == 384 else None
        return None

    def put_vector(self, key: str, vector: bytes) -> None:
        """Note a vector."""
        self.put("vectors", key, b64encode(vector).decode())

    def save(self) -> None:
        """Write the notes, where that can be done: a scan does not fail for them."""
        if self._path is None or not self._fresh:
            return
        # Answers that verdicts were made of are kept too: another candidate in the list asks for them again.
        answers = {**self._known["answers"], **self._used["answers"]} if self._used["verdicts"] else {}
        data = {"format": _FORMAT, "signature": self._signature, **self._used, "answers": answers}
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace(self._path, json.dumps(data, separators=(",", ":")).encode())


class NotingJudge(Judge):
    """A judge that looks into the notes first."""

    def __init__(self, judge: Judge, notes: Notes) -> None:
        super().__init__()
        self.skimmer = judge.skimmer
        self._judge = judge
        self._notes = notes

    def read(self, existing: str, new: str) -> Answer:
        """Return what Judge.read returns."""
        key = key_of(existing, new)
        known = self._notes.get("answers", key)
        if not (isinstance(known, list) and len(known) == 3):
            known = self._judge.read(existing, new)
            self._notes.put("answers", key, list(known))
        same, compatible, contradicts = map(float, known)
        return same, compatible, contradicts
