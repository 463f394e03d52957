"""How the guard is asked and what it found, in words: the same for `tur guard` and for a harness's hook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..text import excerpt, visible

if TYPE_CHECKING:
    from ..records import GuardReport, GuardWarning

LONGEST = 1 << 20
"""Bytes of standard input that are read."""


def headline(warning: GuardWarning) -> str:
    """The clash in one line."""
    word = "Clashes with the invariant" if warning.binding else "Clashes with the constraint"
    memory = warning.belief.memory
    where = f" of the store at {visible(warning.store, newlines=False)}" if warning.store else ""
    return f'{word} {memory.short_id}{where}: "{excerpt(memory.content, 200)}"'


def left_out(report: GuardReport) -> Iterator[str]:
    """Yield what was not weighed, a sentence each; nothing where all was."""
    if report.left_out == 1:
        yield "1 more action was not weighed; ask about it by itself"
    elif report.left_out:
        yield f"{report.left_out:,} more actions were not weighed; ask about them by themselves"
    if report.rules_left_out:
        yield (
            f"each action was weighed against the {report.weighed:,} rules nearest to it; "
            f"{report.rules_left_out:,} more were not"
        )
