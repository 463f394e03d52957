"""A store of upstream Tur: one Markdown file a memory, its fields in YAML above the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import BadInput, TurError
from ..ontology.yaml_text import read_yaml
from ..place import Place
from ..records import Author, Draft, LearnResult, Refusal, Scope
from . import words

_FILE = re.compile(r"---\r?\n(?P<fields>.*?)\r?\n---\r?\n(?P<text>.*)", re.DOTALL)
_LONGEST = 256 * 1024


def memory_files(folder: Path) -> list[Path]:
    """Return the files of what is active below a folder, the oldest first: their names begin with the time."""
    found = (path for path in folder.rglob("memories/active/*.md") if path.is_file())
    return sorted(found, key=lambda path: path.name)


class StoreReader:
    """Reads the files into drafts; one that cannot be a memory becomes a refusal."""

    def __init__(self, author: Author, files: list[Path], root: Path) -> None:
        self.author = author
        self.numbers: list[int] = []
        self.passed = 0
        """Files of what no longer holds, or waits there."""
        self._files = files
        self._root = root
        self._provenance = Place.of(None).provenance

    def name(self, number: int) -> str:
        """Return the file that has this number."""
        return self._files[number - 1].relative_to(self._root).as_posix()

    def read(self, lines: object = None) -> Iterator[Draft | Refusal]:
        """Yield one draft or refusal a file."""
        for number, path in enumerate(self._files, 1):
            try:
                found: Draft | Refusal | None = self._draft(path, self.name(number))
            except TurError as error:
                found = Refusal(line=len(self.numbers) + 1, reason=str(error))
            if found is None:
                self.passed += 1
                continue
            self.numbers.append(number)
            yield found

    def became(self, line: int, result: LearnResult) -> None:
        """Edges of upstream's files are history there; nothing is led here."""

    def _draft(self, path: Path, name: str) -> Draft | None:
        try:
            with path.open("rb") as file:
                text = file.read(_LONGEST).decode("utf-8")
        except OSError as error:
            raise BadInput(f"it cannot be read: {error.strerror or error}") from None
        except UnicodeDecodeError as error:
            raise BadInput(f"it is not UTF-8 at byte {error.start + 1}") from None
        parts = _FILE.match(text)
        fields = read_yaml(parts["fields"], name) if parts else None
        if parts is None or not isinstance(fields, dict):
            raise BadInput("it does not begin with its fields between two lines of ---")
        if fields.get("status") not in (None, "active"):
            return None
        stamp = fields.get("timestamp")
        tags = fields.get("tags")
        claims = {"imported_from": name} | _claims(fields)
        return Draft(
            content=parts["text"].strip(),
            type=words.memory_type(str(fields.get("memory_type") or "insight")),
            scope=Scope.parse(str(fields.get("scope") or "incarnation").lower()),
            tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
            author=self.author,
            occurred_at=None if stamp is None else words.moment(str(stamp), "timestamp"),
            session=str(fields["source_session"]) if fields.get("source_session") else None,
            provenance=self._provenance | claims,
        )


def _claims(fields: dict[str, Any]) -> dict[str, str]:
    """What the file says of itself."""
    given = fields.get("provenance")
    given = given if isinstance(given, dict) else {}
    said = {
        "id": fields.get("hash"),
        "commit": given.get("git_sha"),
        "author": given.get("source_agent"),
        "harness": given.get("source_harness"),
        "context": given.get("context_ref"),
    }
    return {name: str(value) for name, value in said.items() if value}
