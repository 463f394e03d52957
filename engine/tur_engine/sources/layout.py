"""A Markdown text as a parser lays it out: its blocks, and what in them is no more than text.

The parser takes time with the square of a line's length, and of a paragraph's brackets, so of both there is a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 20_000
"""Characters of a line above which nothing in it is read."""
_TANGLED, _UNCLOSED = 10_000_000, 60
"""Brackets times characters of a paragraph, and brackets without an end, above which it is not read either."""
_RAW = {
    "<!--": "-->", "<?": "?>", "<![cdata[": "]]>", "<pre": "</pre>", "<script": "</script>", "<style": "</style>",
    "<textarea": "</textarea>",
}  # fmt: skip
"""Openings of raw HTML that runs to its own end, over empty lines and all."""
FENCE = "code fence"
Left = list[tuple[int, str]]
"""Lines that were not read, counted from 1, and why."""


class Raw(NamedTuple):
    """Lines that are shown or hidden as they are: a code fence, a comment. Lines counted from 1."""

    first: int
    last: int
    what: str
    closed: bool
    """False where all that follows belongs to it; what stands in a list or quote ends with that."""


def tokens_of(text: str, left: Left) -> list[Token]:
    """Return the tokens of a text; what is too long in it has no content, and stands in `left`."""
    parser = _parser()
    env: dict[str, object] = {}
    tokens = _blocks(parser, text, env, left)
    for token in tokens:
        if token.type != "inline":
            continue
        token.children = []
        size = len(token.content)
        brackets = token.content.count("[")
        if size * brackets > _TANGLED or brackets - token.content.count("]") > _UNCLOSED:
            left.append((_line(token), "the paragraph holds too many brackets to be read"))
        else:
            parser.inline.parse(token.content, parser, env, token.children)
    left.sort()
    return tokens


def raw_parts(text: str) -> Iterator[Raw]:
    """Yield the fences and the raw HTML of a text, in order; a mark in them is no mark."""
    text = text.removeprefix("\ufeff") + "\n"
    for token in _blocks(_parser(), text, {}, []):
        if token.map is None:
            continue
        first, last = token.map[0] + 1, token.map[1]
        if token.type == "fence":
            yield Raw(first, last, FENCE, token.level > 0 or _is_closed(token))
        elif token.type == "html_block":
            folded = token.content.strip().lower()
            end = next((end for begin, end in _RAW.items() if folded.startswith(begin)), "")
            comment = "comment" if folded.startswith("<!--") else "HTML block"
            yield Raw(first, last, comment, token.level > 0 or end in folded)


def without_fences(text: str) -> str:
    """Return a text (LF) with its code fences, and the lines that are too long to be read, left empty."""
    lines = [line if len(line) <= LONGEST else "" for line in text.split("\n")]
    for part in raw_parts(text):
        if part.what == FENCE:
            lines[part.first - 1 : part.last] = [""] * (part.last - part.first + 1)
    return "\n".join(lines)


_MOST = f"at most {LONGEST:,} are"


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": 60}).enable("table").disable("inline")


def _blocks(parser: MarkdownIt, text: str, env: dict[str, object], left: Left) -> list[Token]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for at, line in enumerate(lines):
        if len(line) > LONGEST:
            left.append((at + 1, f"the line is too long to be read ({len(line):,} characters, {_MOST})"))
            lines[at] = ""
    return parser.parse("\n".join(lines), env)


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _is_closed(fence: Token) -> bool:
    """Tell whether a fence has its closing line: that line is no content, so the content is two lines shorter."""
    assert fence.map is not None
    return fence.map[1] - fence.map[0] - fence.content.count("\n") >= 2
