"""What the palette offers: actions of the screen in front, themes, memories; and in which order for what is typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tur_engine.records import Belief, Status
from tur_engine.text import excerpt, visible

from ..actions import Action, with_keys
from ..drawing.wording import standing

SHORTEST: Final = 2
"""Characters from which memories are looked for."""
_ALIKE: Final = 75.0
"""Percent from which a misspelt name is taken for what was meant."""
_LONGEST: Final = 400
_WORD: Final = re.compile(r"[\w+#-]+")


@dataclass(frozen=True, slots=True)
class Offer:
    """One row of the palette; what it is for stands in exactly one of action, theme and ref."""

    name: str
    detail: str = ""
    key: str = ""
    action: Action | None = None
    theme: str = ""
    ref: str = ""
    """The full digest of a memory."""
    struck: bool = False
    """True for a memory that fell."""


def action_offer(action: Action) -> Offer:
    """An action, with the key that would do the same."""
    return Offer(action.label, with_keys(action.help), action.shown.split()[0], action=action)


def theme_offer(name: str, current: str) -> Offer:
    """A theme by its name."""
    return Offer(f"Theme {name}", "The one that is shown now." if name == current else "", theme=name)


def memory_offer(belief: Belief) -> Offer:
    """A memory; its text is made harmless."""
    memory, live = belief.memory, belief.status.live
    text = excerpt(visible(memory.content, newlines=False), _LONGEST)
    struck = not live and belief.status not in (Status.HELD, Status.PENDING)
    return Offer(memory.short_id, text if live else f"({standing(belief)}) {text}", ref=memory.digest, struck=struck)


class Palette:
    """The offers of one opening of the palette, ordered anew with each letter."""

    def __init__(self, actions: Iterable[Action], themes: Sequence[str] = (), current: str = "") -> None:
        self.actions = [action_offer(each) for each in actions]
        self.themes = [theme_offer(name, current) for name in themes]
        self.typed = ""
        self._memories: Sequence[Offer] = ()
        self._found_for = ""

    @property
    def looks_for(self) -> str:
        """What memories are to be looked for by; "" for none."""
        return self.typed if len(self.typed) >= SHORTEST else ""

    def type(self, typed: str) -> None:
        """Take what stands in the field now."""
        self.typed = " ".join(typed.split())

    def take_memories(self, typed: str, found: Iterable[Belief]) -> bool:
        """Take what was found; False where something else is typed by now."""
        if typed != self.typed:
            return False
        self._memories, self._found_for = [memory_offer(each) for each in found], typed
        return True

    def offers(self) -> list[Offer]:
        """What fits what is typed: actions by name, then by sentence, themes, memories, names that are only like it."""
        if not self.typed:
            return list(self.actions)
        words = [word.casefold() for word in _WORD.findall(self.typed)]
        named: list[Offer] = []
        told: list[Offer] = []
        themes: list[Offer] = []
        alike: list[Offer] = []
        for each in (*self.actions, *self.themes):
            names = f"{each.name} {each.action.id if each.action else ''}"
            if _begin(words, names):
                (named if each.action else themes).append(each)
            elif _begin(words, f"{names} {each.detail}"):
                told.append(each)
            elif _like(self.typed, each.name):
                alike.append(each)
        # While a longer word is typed, what was found for its beginning stays until the answer is there.
        memories = self._memories if self.looks_for and self.typed.startswith(self._found_for) else ()
        return [*named, *told, *themes, *memories, *alike]


def _begin(words: Sequence[str], text: str) -> bool:
    """Whether each of the words begins one of the text."""
    known = [word for each in _WORD.findall(text.casefold()) for word in (each, *each.split("-"), *each.split("_"))]
    return bool(words) and all(any(each.startswith(word) for each in known) for word in words)


def _like(typed: str, name: str) -> bool:
    from rapidfuzz import fuzz  # only who types pays for it

    return len(typed) > SHORTEST and fuzz.ratio(typed.casefold(), name.casefold()) >= _ALIKE
