"""How much of a rule file an agent takes in: Codex stops at a number of bytes over all files of a stack.

Its documentation (developers.openai.com/codex/guides/agents-md, November 2026): files are read from the root down to
the folder worked in, until together they reach `project_doc_max_bytes`, 32 KiB where the configuration says nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from .agents import AGENTS, Reader
from .statements import LARGEST, Statement

CODEX = next(agent for agent in AGENTS if agent.key == "codex")
BYTES = 32 * 1024


def codex_bytes(root: Path) -> int:
    """Return the limit that the repository's `.codex/config.toml` sets, else Codex's own."""
    with suppress(OSError, ValueError):
        path = root / ".codex" / "config.toml"
        if path.stat().st_size <= LARGEST:
            limit = tomllib.loads(path.read_text("utf-8")).get("project_doc_max_bytes")
            if isinstance(limit, int) and not isinstance(limit, bool) and limit >= 0:
                return limit
    return BYTES


def cut_off(root: Path, reading: Mapping[str, list[Reader]]) -> dict[str, int]:
    """Return, for each file that Codex does not read to its end, the first line that it does not take in whole."""
    limit = codex_bytes(root)
    names = {  # the name that Codex finds a file by -> the file
        reader.through or file: file for file, readers in reading.items() for reader in readers if reader.agent is CODEX
    }
    bodies: dict[str, bytes] = {}
    for name, file in names.items():
        with suppress(OSError):
            bodies[name] = (root / file).read_bytes()
    cut: dict[str, int] = {}
    for name, body in bodies.items():
        above = set(PurePosixPath(name).parent.parents)
        before = sum(len(other) for each, other in bodies.items() if PurePosixPath(each).parent in above)
        left = max(0, limit - before)
        if len(body) > left and body[left:].strip():
            cut[names[name]] = body[:left].count(b"\n") + 1
    return cut


def unread(cut: Mapping[str, int], statement: Statement) -> bool:
    """Tell whether a statement stands where Codex has stopped."""
    return statement.file in cut and statement.line >= cut[statement.file]


def remarks(root: Path, cut: Mapping[str, int], statements: Mapping[str, int]) -> list[str]:
    """Say of each file where Codex stops, and how many statements (`file` -> number) it does not get to."""
    limit = codex_bytes(root)
    size = f"{limit // 1024} KiB" if limit % 1024 == 0 else f"{limit:,} bytes"
    return [
        f"{file}:{line} and what follows is not read by Codex, which takes in {size} in all; "
        f"statements it does not get to: {statements.get(file, 0)}"
        for file, line in sorted(cut.items())
    ]
