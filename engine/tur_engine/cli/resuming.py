"""How far a file of many memories was learned: kept beside the store, so that the same file goes on where it stopped.

A file is known by its digest: one that has changed since is another file.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

FOLDER = "batches"


class Bookmark:
    """The last line of one file that is through, for one store."""

    def __init__(self, store: Path, file: Path) -> None:
        with file.open("rb") as stream:
            self.digest = hashlib.file_digest(stream, "sha256").hexdigest()
        self._place = store.with_name(FOLDER) / f"{self.digest[:32]}.json"
        self._name = str(file)

    def line(self) -> int:
        """Return the last line that is through, 0 where the file was never begun."""
        try:
            kept = json.loads(self._place.read_text("utf-8"))
        except (OSError, ValueError):
            return 0
        through = kept.get("line") if isinstance(kept, dict) and kept.get("digest") == self.digest else None
        return through if isinstance(through, int) and through > 0 else 0

    def keep(self, line: int) -> None:
        """Note that all up to this line is through. A disk that refuses costs the bookmark, not the batch."""
        with suppress(OSError):
            self._place.parent.mkdir(exist_ok=True)
            new = self._place.with_suffix(f".{os.getpid()}")
            new.write_text(json.dumps({"digest": self.digest, "file": self._name, "line": line}), "utf-8")
            new.replace(self._place)

    def drop(self) -> None:
        """The file is through."""
        with suppress(OSError):
            self._place.unlink(missing_ok=True)
            self._place.parent.rmdir()  # where no other file waits
