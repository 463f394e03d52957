"""What a person types behind `/`, read into the engine's filter.

Words are looked for in the text; `kind:held`, `type:fact`, `by:claude`, `in:src/api`
(the scope) and `is:open` narrow further.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from tur_engine.records import EventKind, FeedFilter, MemoryType

_KEYS = ("kind", "type", "by", "in", "is")
FAMILIES = ("drift", "guard")
"""Kinds of what stands among the events and is none."""


def read_filter(typed: str) -> tuple[FeedFilter, str | None]:
    """The filter, and a sentence for the first word that could not be used (which is then left out)."""
    words: list[str] = []
    kinds: set[EventKind] = set()
    of_type: MemoryType | None = None
    agent, scope, open_conflicts = "", "", False
    problem: str | None = None
    for word in typed.split():
        key, colon, value = word.partition(":")
        if not colon or key not in _KEYS:
            words.append(word)
        elif not value:
            continue  # still being typed
        elif key == "kind":
            if value in set(EventKind):
                kinds.add(EventKind(value))
            elif value not in FAMILIES:
                problem = problem or unknown("kind", value, [*EventKind, *FAMILIES])
        elif key == "type":
            if value in set(MemoryType):
                of_type = MemoryType(value)
            else:
                problem = problem or unknown("type", value, list(MemoryType))
        elif key == "by":
            agent = value
        elif key == "in":
            scope = value
        elif value == "open":
            open_conflicts = True
        else:
            problem = problem or unknown("is", value, ["open"])
    return (
        FeedFilter(
            text=" ".join(words),
            kinds=frozenset(kinds),
            agent=agent,
            type=of_type,
            scope=scope,
            open_conflicts=open_conflicts,
        ),
        problem,
    )


def families(typed: str) -> frozenset[str]:
    """Which kinds of what is no event are asked for by name: `kind:guard`."""
    return frozenset(name for name in FAMILIES if f"kind:{name}" in typed.split())


def only_families(typed: str) -> bool:
    """True where nothing but such kinds is asked for, and no event fits."""
    return bool(families(typed)) and not read_filter(typed)[0].kinds


def unknown(key: str, value: str, allowed: Sequence[str]) -> str:
    """Say of a word that cannot be used how it goes on, or what is spelt most like it."""
    if begun := [word for word in allowed if word.startswith(value)]:
        return f"{key}:{value}... goes on as {', '.join(begun)}."
    near = get_close_matches(value, allowed, n=1)
    hint = f" (did you mean {near[0]}?)" if near else f"; use one of {', '.join(allowed)}"
    return f"No {key} is called {value}{hint}."
