"""Cuts a Markdown text into statements: sentences of paragraphs, items of lists, cells of tables.

Headings give the subject. Code blocks are kept out unless they are the statement: the command that a sentence with a
colon announces, or one that carries its own comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .layout import Left, tokens_of
from .sentences import Sentence, announced, inline_text, negated, plain_label, sentences, wordless, worth

if TYPE_CHECKING:
    from markdown_it.token import Token

_SHELLS = frozenset({"", "sh", "bash", "shell", "zsh", "console", "shell-session", "powershell", "ps1", "text", "cmd"})
_LONGEST_COMMAND = 160
_TREE = re.compile("[│├└─┌┐]")
_TELLING = frozenset(
    """description purpose notes note what meaning value details explanation rule usage use comment does command
    beschreibung zweck wert bedeutung regel befehl""".split()
)


class Piece(NamedTuple):
    """One statement: the line it starts on (counted from 1) and what stands above it."""

    line: int
    text: str
    subject: str
    kind: str = "rule"
    key: str = ""


@dataclass
class _Cutter:
    headings: list[tuple[int, str]] = field(default_factory=list)
    intros: list[str] = field(default_factory=list)
    """What announces the list at each depth; "" where nothing does."""
    leading: str = ""
    """The last paragraph, where it ends with a colon."""
    fresh_item: bool = False
    wordless: list[int] = field(default_factory=list)
    """Lines that say something to nobody: single letters and numbers."""

    @property
    def subject(self) -> str:
        told = [text for level, text in self.headings if level > 1] or [text for _, text in self.headings]
        return " > ".join(told)

    @property
    def heading(self) -> str:
        return self.headings[-1][1] if self.headings and self.headings[-1][0] > 1 else ""

    def head(self, level: int, text: str) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, text))
        self.leading = ""

    def say(self, sentence: Sentence, *, item: bool) -> Iterator[Piece]:
        text = sentence.text
        if item:
            intro = next((intro for intro in reversed(self.intros) if intro), "")
            text = announced(text, intro, self.heading)
        elif negated(self.heading):
            text = announced(text, "", self.heading)
        if worth(text):
            yield Piece(sentence.line, text, self.subject)
        elif wordless(text):
            self.wordless.append(sentence.line)


def cut(text: str, left: Left | None = None) -> list[Piece]:
    """Return the statements of a Markdown text in order; what could not be read of it is added to `left`."""
    left = [] if left is None else left
    tokens = tokens_of(text, left)
    cutter = _Cutter()
    pieces: list[Piece] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        match token.type:
            case "heading_open":
                level = int(token.tag[1:])
                cutter.head(level, plain_label(" ".join(s.text for s in sentences(*inline_text(tokens[at + 1])))))
                at += 2
            case "bullet_list_open" | "ordered_list_open":
                cutter.intros.append(cutter.leading)
                cutter.leading = ""
            case "bullet_list_close" | "ordered_list_close":
                cutter.intros.pop()
                cutter.leading = ""
            case "list_item_open":
                cutter.fresh_item = True
                cutter.leading = ""
            case "inline":
                pieces += _paragraph(cutter, token, _next_type(tokens, at))
            case "fence" | "code_block":
                pieces += _code(cutter, token)
            case "table_open":
                end = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
                pieces += _table(cutter, tokens[at:end])
                at = end
        at += 1
    left += [(line, "holds no words to weigh") for line in cutter.wordless]
    return pieces


def _next_type(tokens: list[Token], at: int) -> str:
    return tokens[at + 2].type if at + 2 < len(tokens) else ""


def _paragraph(cutter: _Cutter, token: Token, follows: str) -> Iterator[Piece]:
    found = sentences(*inline_text(token))
    if not found:
        return
    item = bool(cutter.intros)
    last = found[-1].text
    opens = follows.endswith("list_open") or follows in ("fence", "code_block", "table_open")
    is_label = follows.endswith("list_open") and item and len(last.split()) <= 3 and not last.endswith((".", "!"))
    cutter.leading = ""
    if (last.endswith(":") and opens) or is_label:
        cutter.leading = last.rstrip(":").strip()
        found = found[:-1]
    for sentence in found:
        yield from cutter.say(sentence, item=item)
    cutter.fresh_item = False


def _code(cutter: _Cutter, token: Token) -> Iterator[Piece]:
    """Yield the command that a sentence announces, and the commands that carry a comment."""
    leading, cutter.leading = cutter.leading, ""
    language = token.info.split()[0].strip("{}").lower() if token.info.split() else ""
    if language not in _SHELLS or token.map is None:
        return
    first = token.map[0] + (2 if token.type == "fence" else 1)
    rows = [(first + i, row.strip().removeprefix("$ ")) for i, row in enumerate(token.content.split("\n"))]
    rows = [(line, row) for line, row in rows if row]
    if len(rows) > 40 or any(_TREE.search(row) for _, row in rows):
        return
    if leading and len(rows) == 1 and not rows[0][1].startswith("#") and len(rows[0][1]) <= _LONGEST_COMMAND:
        yield Piece(first, f"{leading}: `{rows[0][1]}`", cutter.subject, "command", leading)
        return
    comment = ""
    for line, row in rows:
        if row.startswith("#"):
            comment = row.lstrip("# ").rstrip(":")
            continue
        command, mark, aside = row.partition(" #")
        told = aside.strip() if mark else comment
        if told and len(command) <= _LONGEST_COMMAND and worth(told + " x"):
            yield Piece(line, f"{told[:1].upper()}{told[1:]}: `{command.strip()}`", cutter.subject, "command", told)
        comment = ""


def _table(cutter: _Cutter, tokens: list[Token]) -> Iterator[Piece]:
    """Yield one statement a cell beside the first: `row header: cell`."""
    rows: list[tuple[int, list[str]]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append((token.map[0] + 1 if token.map else 1, []))
        elif token.type == "inline" and rows:
            rows[-1][1].append(" ".join(s.text for s in sentences(*inline_text(token))))
    if len(rows) < 2:
        return
    header = rows[0][1]
    for line, cells in rows[1:]:
        for name, cell in zip(header[1:], cells[1:], strict=False):
            key = name.strip().lower()
            if not cell.strip() or not cells[0].strip():
                continue
            silent = not key or _TELLING & set(key.split())
            text = f"{cells[0]}: {cell}" if silent else f"{cells[0]} {key}: {cell}"
            if worth(text):
                yield Piece(line, text, cutter.subject, "cell", cells[0])
