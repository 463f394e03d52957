"""Hypothesis strategies shared by tests: what may be stored, and what may not."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

from tur_engine.errors import BadInput
from tur_engine.records import Author, AuthorKind, Confidence, Draft, Level, MemoryType, Scope
from tur_engine.text import accept

CONTROLS = [chr(c) for c in (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)) if chr(c) != "\r"]
"""C0 and C1 without newline, tab and carriage return (which becomes a newline)."""

STEERING = [
    *("\u202e", "\u202a", "\u202b", "\u202c", "\u202d", "\u2066", "\u2067", "\u2068", "\u2069", "\u061c"),
    *("\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\u00ad", "\u2028", "\u2029"),
    *("\u034f", "\u115f", "\u3164", "\uffa0", "\ufe00", "\ufe0e", "\U000e0041", "\U000e0100", "\U0001d173"),
]
"""Characters that hide or reorder what is read: stored as they are, never obeyed."""


def is_accepted(text: str) -> bool:
    """True for what `accept` takes."""
    try:
        accept(text)
    except BadInput:
        return False
    return True


characters = st.one_of(
    st.characters(codec="utf-8", exclude_characters=CONTROLS),
    st.sampled_from("abcdeinstABC 0123456789.,:-_#+'’\n\t"),
    st.sampled_from(STEERING),
)
texts = st.text(characters, min_size=1, max_size=60).filter(is_accepted)
"""Any text that may be stored."""

anything = st.text(
    st.one_of(st.characters(), st.sampled_from(STEERING), st.sampled_from([*CONTROLS, "\r", "\n", "\t", "\ud800"])),
    max_size=60,
)
"""Any Python string, lone surrogates included."""

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20).filter(is_accepted)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(2**53) + 1, max_value=2**53 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)

_paths = st.lists(
    st.text(st.sampled_from("abAB01._@-: é"), min_size=1, max_size=8).filter(
        lambda part: part.strip() and part not in (".", "..") and part[1:2] != ":"
    ),
    min_size=1,
    max_size=4,
).map("/".join)
_branches = st.text(st.sampled_from("abAB01._/-:# é"), min_size=1, max_size=12).filter(is_accepted)
scopes = st.builds(
    Scope,
    level=st.sampled_from(Level),
    path=st.none() | _paths,
    branch=st.none() | _branches,
)

authors = st.builds(Author, kind=st.sampled_from(AuthorKind), name=names)
moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31), timezones=st.just(UTC))

drafts = st.builds(
    Draft,
    content=texts,
    type=st.sampled_from([kind for kind in MemoryType if kind is not MemoryType.CONCEPT]),
    scope=scopes,
    topic=st.none() | texts,
    fields=st.dictionaries(names, scalars, max_size=4),
    tags=st.lists(names, max_size=3).map(tuple),
    author=authors,
    occurred_at=st.none() | moments,
    confidence=st.builds(Confidence, score=st.floats(0, 1), reasoning=st.just("") | texts),
    session=st.none() | names,
    provenance=st.dictionaries(st.sampled_from(["repository", "branch", "file"]), names, max_size=2),
)
"""Drafts with every part filled, relations aside."""
