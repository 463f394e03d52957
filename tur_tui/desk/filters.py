"""What a person types behind `/`, read into the engine's filter.

Words are looked for in the text; `kind:held`, `type:fact`, `by:claude` and `is:open` narrow further.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from tur_engine.records import EventKind, FeedFilter, MemoryType

_KEYS = ("kind", "type", "by", "is")


def read_filter(typed: str) -> tuple[FeedFilter, str | None]:
    """The filter, and a sentence for the first word that could not be used (which is then left out)."""
    words: list[str] = []
    kinds: set[EventKind] = set()
    of_type: MemoryType | None = None
    agent, open_conflicts = "", False
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
            else:
                problem = problem or _unknown("kind", value, list(EventKind))
        elif key == "type":
            if value in set(MemoryType):
                of_type = MemoryType(value)
            else:
                problem = problem or _unknown("type", value, list(MemoryType))
        elif key == "by":
            agent = value
        elif value == "open":
            open_conflicts = True
        else:
            problem = problem or _unknown("is", value, ["open"])
    return (
        FeedFilter(
            text=" ".join(words),
            kinds=frozenset(kinds),
            agent=agent,
            type=of_type,
            open_conflicts=open_conflicts,
        ),
        problem,
    )


def _unknown(key: str, value: str, allowed: Sequence[str]) -> str:
    if begun := [word for word in allowed if word.startswith(value)]:
        return f"{key}:{value}... goes on as {', '.join(begun)}."
    near = get_close_matches(value, allowed, n=1)
    hint = f" (did you mean {near[0]}?)" if near else f"; use one of {', '.join(allowed)}"
    return f"No {key} is called {value}{hint}."
