"""What git says of a repository. Only asked: nothing that the repository configures is started, nothing is written."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_STILL = ("core.fsmonitor=false", "log.showSignature=false", "core.quotePath=false")
SECONDS = 60


def ask(root: Path, *words: str, given: bytes | None = None) -> bytes | None:
    """Return what git prints; None where it fails, is not there or takes too long."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = [word for setting in _STILL for word in ("-c", setting)]
    try:
        answer = subprocess.run(
            ["git", *settings, "-C", str(root), *words],
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env=environment | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"},
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return answer.stdout


def lines(root: Path, *words: str, given: bytes | None = None) -> list[str]:
    """Return the lines that git prints; none where it fails."""
    answer = ask(root, *words, given=given) or b""
    return answer.decode("utf-8", "replace").splitlines()
