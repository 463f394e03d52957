"""One text read once: tokens with spans into the stored text, clauses, sentences."""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from ..records import Span
from ..text import fold
from .words import content, root, stem

_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_LETTERS = "a-zß-ʯͰ-῿"  # of scripts that part words by blanks


@cache
def _token(ascii: bool) -> re.Pattern[str]:
    """Compiled for the texts at hand: what ASCII has none of takes longer than a hundred readings."""
    cjk, letters = ("", "a-z") if ascii else (rf"(?P<cjk>[{_CJK}])|", _LETTERS)
    return re.compile(
        rf"{cjk}(?P<number>(?<![{letters}\d])v(?=\d)\d+(?:\.\d+)*|\d{{4}}-\d\d-\d\d(?!\d)"
        r"|\d+(?:[.,:]\d+)+(?:-(?:rc|alpha|beta)\.?\d*)?|\d+)"
        rf"|(?P<code>(?<![{letters}\d)])(?:~|\.{{1,2}})?/[{letters}\d_.@%*+-]+"
        rf"(?:/[{letters}\d_.@%*{{}}+-]*)*(?<![.,])"  # paths
        rf"|[{letters}][{letters}\d_]*(?:\.[{letters}][{letters}\d_]+)+(?=[^{letters}\d_]|$)"  # yarn.lock
        rf"|[{letters}]+(?:-[{letters}]+)*-\d+[a-z]*\b(?![.:]\d)"  # eu-west-1, utf-8
        rf"|[{letters}\d]+_[{letters}\d_]+"  # snake_case
        r"|[a-z][a-z0-9]*(?:\+\+|\#)(?!\w)"  # c++, c#
        r"|(?<!\w)\.[a-z][a-z0-9_-]+)"  # .env
        rf"|(?P<word>[{letters}]{{2,}}(?=\d+\.\d)|[{letters}][{letters}\d]*(?:'[{letters}\d]+)?)"
        r"|(?P<sign>>=|<=|!=|==|->|=>|[<>=~%$€£°:±+\#])"
    )


_BREAK = re.compile(r"[.!?;\n]+(?=\s|$)|[。！？；]|\n")
_COMMA = re.compile(r"[,:()\[\]，、：]|\s-+\s")
_LEADS = frozenset(
    """but and while whereas because so which who unless except until although though since if when once after before
    aber und während weil ausser wenn pero y mientras porque salvo si cuando mais et tandis sauf quand""".split()
)


class Token(NamedTuple):
    """A word, number, code or sign of a text, folded, with its span in the stored text."""

    text: str
    stem: str
    start: int
    end: int
    kind: str
    """`word`, `number`, `code`, `cjk` or `sign`."""
    clause: int
    sentence: int
    name: bool
    """Written as a name: a capital inside a sentence, capitals within, or code."""
    capital: bool
    """Begins with a capital letter, wherever it stands."""
    content: bool
    """Carries meaning of its own: no sign, no function word."""


def _fold_with_places(text: str) -> tuple[str, list[int] | None]:
    """Return the folded characters and, unless they are one to one, the place each came from."""
    if text.isascii():
        return text.lower().replace("`", "'"), None
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        folded = char.lower() if char.isascii() else (" " if char.isspace() else fold(char))
        out.append(folded)
        places.extend([place] * len(folded))
    return "".join(out), places


class Reading:
    """A text and what was read off it; shared by all pairs it takes part in. Get one with `read`."""

    def __init__(self, text: str) -> None:
        self.text = text
        """The stored text: every span points into it."""
        self.folded = fold(text)
        self.matched, self._places = _fold_with_places(text)
        """Folded character by character; `tokens` were cut from it."""
        self.sentence_ends: list[str] = []
        self.tokens: tuple[Token, ...] = tuple(self._cut())

    def place(self, token: Token) -> int:
        """Return the index of one of this text's tokens."""
        return self._index[id(token)]

    @cached_property
    def _index(self) -> dict[int, int]:
        return {id(token): i for i, token in enumerate(self.tokens)}

    def span(self, start: int, end: int) -> Span:
        """Turn a span of `matched` into one of the stored text."""
        if self._places is None:
            return start, end
        if not self._places:
            return 0, 0
        return self._places[start], self._places[end - 1] + 1

    def _cut(self) -> list[Token]:
        tokens: list[Token] = []
        clause = sentence = 0
        last = 0
        first_in_sentence = True
        for match in _token(self.matched.isascii()).finditer(self.matched):
            gap = self.matched[last : match.start()]
            if last and gap and not gap.isspace():
                if end := _BREAK.search(gap if gap[-1:].isspace() else gap + " "):
                    self.sentence_ends.append(end.group()[0])
                    clause, sentence, first_in_sentence = clause + 1, sentence + 1, True
                elif _COMMA.search(gap):
                    clause += 1
            elif last and "\n" in gap:
                self.sentence_ends.append("\n")
                clause, sentence, first_in_sentence = clause + 1, sentence + 1, True
            last = match.end()
            start, stop = self.span(match.start(), match.end())
            kind = match.lastgroup or "word"
            raw = match.group()
            if kind == "sign":
                tokens.append(Token(raw, raw, start, stop, kind, clause, sentence, False, False, False))
                if raw == ":":
                    clause += 1
                continue
            shown = self.text[start:stop]
            words = [raw]
            if kind == "word" and ("'" in raw or not raw.isascii() or raw.endswith("nt") or raw == "cannot"):
                words = _words(raw)
            if words and words[0] in _LEADS and tokens and tokens[-1].clause == clause:
                clause += 1
            capital, rest = shown[:1].isupper(), shown[1:]
            inner = not rest.islower() and any(c.isupper() for c in rest)
            name = kind == "code" or inner or (capital and not first_in_sentence)
            for word in words:
                base = stem(word) if kind == "word" else word
                says = content(word)
                tokens.append(Token(word, base, start, stop, kind, clause, sentence, name, capital, says))
            first_in_sentence = False
        tail = self.matched[last:].strip()
        self.sentence_ends.append(tail[0] if tail else "")
        return tokens

    @cached_property
    def words(self) -> tuple[Token, ...]:
        """The tokens that carry meaning: no function words, no signs."""
        return tuple(t for t in self.tokens if t.content)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of `words`."""
        return frozenset(t.stem for t in self.words)

    @cached_property
    def roots(self) -> frozenset[str]:
        """Roots of `stems`."""
        return frozenset(root(s) for s in self.stems)

    @cached_property
    def by_sentence(self) -> dict[int, frozenset[str]]:
        """Stems of meaning by sentence."""
        found: dict[int, set[str]] = {}
        for token in self.words:
            found.setdefault(token.sentence, set()).add(token.stem)
        return {number: frozenset(stems) for number, stems in found.items()}

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Every token's folded text, signs left out: for phrase look-ups."""
        return tuple(t.text for t in self.tokens if t.kind != "sign")

    @cached_property
    def line(self) -> str:
        """The tokens joined by single blanks, blanks at both ends: ` the port is 8080 `."""
        return " " + " ".join(self.spoken) + " "


@lru_cache(maxsize=4096)
def _words(raw: str) -> list[str]:
    folded = fold(raw)
    if folded.endswith("'s"):
        folded = folded[:-2]
    words = re.findall(r"[^\W_]+", folded)
    return [part for word in words for part in (("can", "not") if word == "cannot" else (word,))]


@lru_cache(maxsize=16384)
def read(text: str) -> Reading:
    """Return the reading of a text, kept for the next pair."""
    return Reading(text)
