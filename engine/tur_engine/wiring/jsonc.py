"""JSON as people keep it, comments and trailing commas included: where each part stands in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_SPACE = re.compile(r"[ \t\r\n]+")
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_DEEPEST = 200


class NotJson(ValueError):
    """The text is not JSON; says at which line and why."""


class Part(NamedTuple):
    """One value of the text."""

    start: int
    end: int
    value: Any
    children: tuple[Child, ...] = ()
    """Of an object or array."""


class Child(NamedTuple):
    """A member of an object, or an item of an array."""

    start: int
    """Where its key begins, or the item."""
    part: Part
    key: str | None = None
    comma: int | None = None
    """Where the comma after it stands."""

    @property
    def end(self) -> int:
        return self.part.end


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    depth: int = field(default=0)

    def fail(self, why: str) -> NotJson:
        return NotJson(f"line {self.text.count(chr(10), 0, self.at) + 1}: {why}")

    def skip(self) -> None:
        """Pass over white space and comments."""
        while True:
            if match := _SPACE.match(self.text, self.at):
                self.at = match.end()
            elif self.text.startswith("//", self.at):
                self.at = _or_end(self.text, "\n", self.at)
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                if end < 0:
                    raise self.fail("a comment is not closed")
                self.at = end + 2
            else:
                return

    def whole(self) -> Part:
        self.at = 1 if self.text.startswith("\ufeff") else 0
        self.skip()
        if self.at == len(self.text):
            raise self.fail("nothing stands in it")
        part = self.value()
        self.skip()
        if self.at < len(self.text):
            raise self.fail("something follows the end of the JSON")
        return part

    def value(self) -> Part:
        start = self.at
        sign = self.text[start : start + 1]
        if sign in ("{", "["):
            return self._container(start, "}" if sign == "{" else "]")
        if sign == '"':
            text = self.string()
            return Part(start, self.at, text)
        if match := _SCALAR.match(self.text, start):
            self.at = match.end()
            return Part(start, self.at, json.loads(match.group()))
        raise self.fail("a value is missing" if sign in ("", ",", "}", "]") else f"{sign!r} begins no JSON value")

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.fail("a text in quotes does not end, or holds a control character")
        try:
            text = json.loads(match.group())
        except ValueError:
            raise self.fail("a text in quotes has an escape that JSON does not know") from None
        self.at = match.end()
        return str(text)

    def _container(self, start: int, close: str) -> Part:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.fail(f"it is nested deeper than {_DEEPEST} levels")
        self.at += 1
        children = tuple(self._children(close))
        self.at += 1
        self.depth -= 1
        value: Any
        if close == "}":
            value = {child.key: child.part.value for child in children}
        else:
            value = [child.part.value for child in children]
        return Part(start, self.at, value, children)

    def _children(self, close: str) -> Iterator[Child]:
        self.skip()
        while not self.text.startswith(close, self.at):
            start, key = self.at, None
            if close == "}":
                if not self.text.startswith('"', start):
                    raise self.fail("a name in quotes is missing")
                key = self.string()
                self.skip()
                if not self.text.startswith(":", self.at):
                    raise self.fail(f"a colon is missing after {key!r}")
                self.at += 1
                self.skip()
            part = self.value()
            self.skip()
            comma = self.at if self.text.startswith(",", self.at) else None
            yield Child(start, part, key, comma)
            if comma is not None:
                self.at += 1
                self.skip()
            elif not self.text.startswith(close, self.at):
                raise self.fail(f"a comma or {close!r} is missing")


def parse(text: str) -> Part:
    """Read a text. Raises NotJson."""
    return _Reader(text).whole()


def blank(text: str) -> bool:
    """True where nothing but white space stands; a comment is something."""
    return not text.strip(" \t\r\n")


def member(part: Part, key: str) -> Child | None:
    """Return the member of that name; of several the last, which is the one that counts."""
    return next((child for child in reversed(part.children) if child.key == key), None)


def end_of_line(text: str, at: int) -> int:
    """Return where the line's end stands, past blanks and the comments on it; `at` where something else follows."""
    reader = at
    while reader < len(text) and text[reader] not in "\r\n":
        if text[reader] in " \t":
            reader += 1
        elif text.startswith("//", reader):
            reader = _or_end(text, "\n", reader)
            return reader - 1 if text[reader - 1 : reader] == "\r" else reader
        elif text.startswith("/*", reader) and "\n" not in text[reader : (end := text.find("*/", reader + 2) + 2)]:
            reader = end
        else:
            return at
    return reader


def _or_end(text: str, sign: str, at: int) -> int:
    found = text.find(sign, at)
    return len(text) if found < 0 else found
