"""What holds at a place, cut to a budget: what an agent reads before it starts."""

from __future__ import annotations

from ..text import excerpt, visible
from .base import Record
from .memory import Belief, Status

CHARACTERS_A_TOKEN = 4


def reckoned(text: str) -> int:
    """About how many tokens a text takes: four ASCII characters are one, and so is any other character.

    A rough measure that needs no tokenizer. English runs to a little less, code to more; Chinese comes out about right.
    """
    wide = sum(not character.isascii() for character in text)
    return -(-(len(text) - wide) // CHARACTERS_A_TOKEN) + wide


def contested_by(other: Belief) -> str:
    """Say what contests a memory, in one line."""
    return f"contested by {other.memory.short_id} ({other.status}): {excerpt(other.memory.content, 400)}"


class ContextItem(Record):
    """One memory that holds."""

    belief: Belief
    store: str | None = None
    """The other store it is an invariant of, where it is not of this one."""
    others: tuple[Belief, ...] = ()
    """What contests it and is held."""

    @property
    def line(self) -> str:
        """As an agent reads it: the text, a prefix of the id, and what else must be known."""
        memory = self.belief.memory
        marks = [memory.short_id, *([str(memory.scope)] if memory.scope.path or memory.scope.branch else [])]
        if self.store:
            marks.append(f"of the store at {self.store}")
        if self.belief.status is Status.SUSPECT:
            marks.append("suspect: what it depends on fell")
        if self.belief.contested or self.belief.pending:
            marks.append("contested")
        return f"- {visible(memory.content, newlines=False)} [{', '.join(marks)}]"

    @property
    def lines(self) -> list[str]:
        """The line, and below it what contests the memory and is held."""
        return [self.line, *(f"  {contested_by(other)}" for other in self.others)]

    @property
    def tokens(self) -> int:
        return sum(reckoned(line) + 1 for line in self.lines)


class WorkingContext(Record):
    """What holds at a place: invariants first, then the newest; contested memories with their other side."""

    invariants: tuple[ContextItem, ...]
    memories: tuple[ContextItem, ...]
    budget: int
    more: bool
    """True where memories that hold here were left out for the budget's sake."""

    @property
    def tokens(self) -> int:
        """About how many tokens `text` takes; invariants are never left out, so it may pass the budget."""
        return reckoned(self.text)

    @property
    def text(self) -> str:
        """All of it, for a prompt; empty where nothing holds."""
        lines = []
        if self.invariants:
            lines += ["Laid down by people; never act against these:", *(item.line for item in self.invariants)]
        if self.memories:
            lines += ["Believed:", *(line for item in self.memories for line in item.lines)]
        if self.more:
            lines.append("More is remembered; recall finds it.")
        return "\n".join(lines)
