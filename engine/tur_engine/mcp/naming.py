"""What the engine's sentences call by the command line's names, and a harness by a tool's."""

from __future__ import annotations

import re

_TOOLS = {
    r"`tur conflicts`": "list_conflicts",
    r"`tur history`": "history",
    r"`tur recall`": "recall",
    r"`tur-adm proposal submit`": "the tool propose",
    r"an ordinary memory goes by `tur-adm memory retract`": "learn with supersedes replaces an ordinary memory",
    r"`tur propose --supersedes (\S+)`": r"propose(content=..., reason=..., supersedes=['\1'])",
}
"""Commands that are tools too. Those that only people have keep their names, and so does the text of the seed."""


def as_tools(sentence: str) -> str:
    """Return a sentence of the engine with tools in place of commands."""
    for command, tool in _TOOLS.items():
        sentence = re.sub(command, tool, sentence)
    return sentence
