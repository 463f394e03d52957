"""What differs between two texts, line by line and word by word. Pure: no screen, no store.

Lines are paired by the words they share, then compared word by word (CJK character by character). Everything
is bounded: texts of repeated words, where difflib turns quadratic, are compared by counting instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import accumulate
from typing import Final

from tur_engine.text import visible

Span = tuple[int, int]
"""Start and end in characters."""

_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯\U00020000-\U0003134f"
_TOKEN: Final = re.compile(
    r"‹[A-Z0-9+]{2,9}›"  # a mark that stands for a hidden character
    rf"|[{_CJK}]"
    r"|\d+(?:[.,:]\d+)*"  # 3.11 and 09:30 are one word
    rf"|(?:(?![{_CJK}\d])\w)(?:(?![{_CJK}])\w)*(?:['’](?!\W)\w+)?(?:\+\+|\#(?!\w))?"
    r"|\s+"
    r"|."
)
_LARGEST_TABLE: Final = 300_000
"""Most pairs of equal tokens that difflib is given: some 0.1 s."""
_WINDOW: Final = 24
"""How many lines ahead a line looks for its partner."""
_ALIKE: Final = 0.45
"""Share of common words from which two lines are one line changed."""
_ISLAND: Final = 3
"""Most characters that an accidental agreement has."""
_REWRITTEN: Final = 0.2
"""Share below which marking single words would mark everything."""


class Kind(StrEnum):
    """How the two sides of a pair of lines relate."""

    EQUAL = "equal"
    CHANGED = "changed"
    REWRITTEN = "rewritten"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text: where it starts in it, and the spans (within the line) that the other side lacks."""

    text: str
    start: int
    marks: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lines that stand side by side; one of them may be missing."""

    kind: Kind
    left: Line | None
    right: Line | None


def words(text: str) -> list[str]:
    """The text cut into tokens; joined they are the text again."""
    found: list[str] = []
    for token in _TOKEN.findall(text.replace("\n", " ")):
        if found and (_is_mark(token[0]) or (_is_mark(found[-1][-1]) and token[0].isalpha())):
            found[-1] += token  # a combining mark stays with its letter, and does not end a word
        else:
            found.append(token)
    return found


def word_marks(left: str, right: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans of each text that the other one lacks, with accidental agreements in between swallowed."""
    a, b = words(left), words(right)
    changes = _join_islands(_opcodes(a, b), a, b)
    at_a, at_b = list(accumulate(map(len, a), initial=0)), list(accumulate(map(len, b), initial=0))
    ours = (_trim(left, at_a[i], at_a[j]) for i, j, _, _ in changes)
    theirs = (_trim(right, at_b[k], at_b[m]) for _, _, k, m in changes)
    return tuple(span for span in ours if span), tuple(span for span in theirs if span)


def likeness(left: str, right: str) -> float:
    """Share of words that two lines have in common, 0 to 1 (Dice, case folded)."""
    return _dice(_bag(left), _bag(right)) if left != right else 1.0


def compare(left: str, right: str) -> list[Pair]:
    """The two texts as pairs of lines; an empty text has no line."""
    a, b = _lines(left), _lines(right)
    pairs: list[Pair] = []
    for tag, i, j, k, m in _opcodes([line.text for line in a], [line.text for line in b]):
        if tag == "equal":
            pairs += [Pair(Kind.EQUAL, *both) for both in zip(a[i:j], b[k:m], strict=True)]
        else:
            pairs += _pair_block(a[i:j], b[k:m])
    return pairs


def visible_spans(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """The text as it is shown, and the spans moved to it: marks such as ‹RLO› are longer than what they show."""
    text = text.replace("\r\n", "\n")
    shown = visible(text)
    if shown == text:
        at: Sequence[int] = range(len(text) + 1)
    else:
        at = list(accumulate((len(visible(char)) for char in text), initial=0))
    last = len(text)
    kept = [(at[min(a, last)], at[min(b, last)]) for a, b in spans if 0 <= a < b]
    return shown, tuple(sorted({span for span in kept if span[0] < span[1]}))


def _is_word(token: str) -> bool:
    return len(token) > 2 and token[0].isalnum()


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _lines(text: str) -> list[Line]:
    lines: list[Line] = []
    start = 0
    for line in text.split("\n") if text else ():
        lines.append(Line(line, start))
        start += len(line) + 1
    return lines


def _bag(text: str) -> Counter[str]:
    return Counter(word for word in words(text.casefold()) if word[0].isalnum())


def _dice(a: Counter[str], b: Counter[str]) -> float:
    total = a.total() + b.total()
    return 2 * (a & b).total() / total if total else 0.0


def _table_size(a: Sequence[str], b: Sequence[str]) -> int:
    ours, theirs = Counter(a), Counter(b)
    return sum(count * theirs[word] for word, count in ours.items())


def _opcodes(a: list[str], b: list[str]) -> list[tuple[str, int, int, int, int]]:
    if _table_size(a, b) <= _LARGEST_TABLE:
        return [*SequenceMatcher(None, a, b, autojunk=False).get_opcodes()]
    return list(_by_counting(a, b))


def _by_counting(a: list[str], b: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Equal ends, and between them everything as one change: linear, for texts of repeated words."""
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    if head:
        yield "equal", 0, head, 0, head
    if head < len(a) - tail or head < len(b) - tail:
        yield "replace", head, len(a) - tail, head, len(b) - tail
    if tail:
        yield "equal", len(a) - tail, len(a), len(b) - tail, len(b)


def _join_islands(
    opcodes: list[tuple[str, int, int, int, int]], a: list[str], b: list[str]
) -> list[tuple[int, int, int, int]]:
    """The changes; an agreement of a sign or a tiny word between two larger ones is an accident and joins them."""

    def size(change: tuple[int, int, int, int]) -> int:
        i, j, k, m = change
        return max(sum(map(len, a[i:j])), sum(map(len, b[k:m])))

    changes: list[tuple[int, int, int, int]] = []
    for tag, i, j, k, m in opcodes:
        if tag == "equal":
            continue
        change = (i, j, k, m)
        while changes:
            before = changes[-1]
            island = "".join(a[before[1] : change[0]]).strip()
            if len(island) > min(_ISLAND, size(before), size(change)) or any(map(_is_word, words(island))):
                break
            change = (before[0], change[1], before[2], change[3])
            changes.pop()
        changes.append(change)
    return changes


def _trim(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def _pair_block(left: list[Line], right: list[Line]) -> Iterator[Pair]:
    """Lines that changed between two equal stretches, each with the first later line that is like it."""
    if len(left) == len(right) == 1:
        yield _changed(left[0], right[0])
        return
    bags = [_bag(line.text) for line in right]
    taken = 0
    for line in left:
        ahead, own = right[taken : taken + _WINDOW], _bag(line.text)
        near = bags[taken : taken + _WINDOW]
        found = next((n for n, other in enumerate(near) if _dice(own, other) >= _ALIKE), None)
        if found is None:
            yield Pair(Kind.REMOVED, line, None)
            continue
        for other in ahead[:found]:
            yield Pair(Kind.ADDED, None, other)
        yield _changed(line, ahead[found])
        taken += found + 1
    for other in right[taken:]:
        yield Pair(Kind.ADDED, None, other)


def _changed(left: Line, right: Line) -> Pair:
    if likeness(left.text, right.text) < _REWRITTEN:
        return Pair(Kind.REWRITTEN, left, right)
    ours, theirs = word_marks(left.text, right.text)
    return Pair(Kind.CHANGED, Line(left.text, left.start, ours), Line(right.text, right.start, theirs))
