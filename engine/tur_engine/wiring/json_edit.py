"""Puts values into JSON and takes them out again, leaving every other byte as it stands.

What is put in can be taken out without a record of what was there before: a container that the edit made begins its
first element on a new line, one that was there and empty has it right behind the bracket.
"""

from __future__ import annotations

import json
from typing import Any

from .jsonc import Child, Part, blank, end_of_line, member, parse

_NARROW = 100
"""Columns up to which an object of plain values stays on one line."""


class WrongKind(ValueError):
    """A value has another kind than the edit needs; says which."""


def find(root: Part, path: tuple[str, ...]) -> Part | None:
    """Return the object or array at a path of names; None where it is not there."""
    part = root
    for key in path:
        child = member(part, key) if isinstance(part.value, dict) else None
        if child is None:
            return None
        part = child.part
    return part


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """Make the member at a path this value; `path` ends in a name that is not there yet. Raises WrongKind, NotJson."""
    return _into(text, path[:-1], path[-1], value)


def add(text: str, path: tuple[str, ...], item: Any) -> str:
    """Append an item to the array at a path, which is made where it is missing. Raises WrongKind, NotJson."""
    return _into(text, path, None, item)


def take_out(text: str, path: tuple[str, ...], item: Any = None) -> str | None:
    """Take out the member at a path, or the last equal item of the array there, and the containers made for it.

    Returns the text as it was before; None where nothing but the edit was in it. A text without the element is
    returned as it is.
    """
    root = parse(text)
    steps, wanted = list(path), item
    while True:
        *above, last = steps if wanted is None else [*steps, ""]
        holder = find(root, tuple(above))
        if holder is None:
            return text
        child = (
            member(holder, last)
            if wanted is None
            else next((each for each in reversed(holder.children) if each.part.value == wanted), None)
        )
        if child is None:
            return text
        if not _is_hollow_without(text, holder, child):
            return _cut(text, holder, child)
        if not above:
            around = text[: holder.start].removeprefix("\ufeff") + text[holder.end :]
            return None if blank(around) else _cut(text, holder, child)
        steps, wanted = above, None


def _into(text: str, path: tuple[str, ...], key: str | None, value: Any) -> str:
    root = parse(text)
    there = root
    if not isinstance(root.value, dict):
        raise WrongKind("it holds no object in braces")
    for depth, name in enumerate(path):
        child = member(there, name)
        if child is None:
            made = [value] if key is None else {key: value}
            for inner in reversed(path[depth + 1 :]):
                made = {inner: made}
            return _insert(text, there, name, made)
        there = child.part
        kind: type = list if key is None and depth == len(path) - 1 else dict
        if not isinstance(there.value, kind):
            shown = ".".join(path[: depth + 1])
            raise WrongKind(f"{shown} is no {'array in brackets' if kind is list else 'object in braces'}")
    return _insert(text, there, key, value)


def _insert(text: str, holder: Part, key: str | None, value: Any) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if not holder.children:
        indent = _indent_at(text, holder.start) + unit
        shown = _shown(key, value, indent, unit, newline)
        return text[: holder.start + 1] + shown + text[holder.start + 1 :]
    last = holder.children[-1]
    after = last.end if last.comma is None else last.comma + 1
    trailing = "" if last.comma is None else ","
    if not _on_own_line(text, last):
        shown = _shown(key, value, _indent_at(text, holder.start) + unit, unit, newline)
        return text[:after] + ("" if trailing else ",") + f" {shown}{trailing}" + text[after:]
    indent = _indent_at(text, last.start)
    line = f"{newline}{indent}{_shown(key, value, indent, unit, newline)}{trailing}"
    end = end_of_line(text, after)
    return text[: last.end] + ("" if trailing else ",") + text[last.end : end] + line + text[end:]


def _cut(text: str, holder: Part, child: Child) -> str:
    at = holder.children.index(child)
    end = child.end if child.comma is None else child.comma + 1
    if at == 0:
        if len(holder.children) > 1:
            end = holder.children[1].start
        return text[: child.start] + text[end:]
    before = holder.children[at - 1]
    start = _before_blanks(text, child.start)
    if child.comma is None and before.comma is not None:  # it was the last: the comma came with it
        return text[: before.comma] + text[before.comma + 1 : start] + text[end:]
    return text[:start] + text[end:]


def _is_hollow_without(text: str, holder: Part, child: Child) -> bool:
    """True where the edit made this container for this element alone."""
    if len(holder.children) > 1 or not _on_own_line(text, child):
        return False
    end = child.end if child.comma is None else child.comma + 1
    return blank(text[holder.start + 1 : child.start]) and blank(text[end : holder.end - 1])


def _on_own_line(text: str, child: Child) -> bool:
    begin = text.rfind("\n", 0, child.start)
    return begin >= 0 and not text[begin + 1 : child.start].strip(" \t")


def _before_blanks(text: str, at: int) -> int:
    """Return where the blanks before an element begin, and the line end before them."""
    while at and text[at - 1] in " \t":
        at -= 1
    if at and text[at - 1] == "\n":
        at -= 2 if text[at - 2 : at] == "\r\n" else 1
    return at


def _indent_at(text: str, at: int) -> str:
    begin = text.rfind("\n", 0, at) + 1
    line = text[begin:at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """Return one step of indentation as this file has it."""
    for line in text.splitlines():
        inner = line[: len(line) - len(line.lstrip(" \t"))]
        if inner and line.strip():
            return "\t" if inner[0] == "\t" else inner if len(inner) <= 8 else "  "
    return "  "


def _shown(key: str | None, value: Any, indent: str, unit: str, newline: str) -> str:
    shown = rendered(value, indent, unit, newline)
    return shown if key is None else f"{json.dumps(key, ensure_ascii=False)}: {shown}"


def rendered(value: Any, indent: str = "", unit: str = "  ", newline: str = "\n") -> str:
    """Return a value as JSON; what holds only plain values stays on one line where it is short."""
    plain = json.dumps(value, ensure_ascii=False)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    flat = all(not isinstance(each, dict | list) for each in inner)
    if not inner or (flat and len(plain) <= _NARROW):
        return plain
    deeper = indent + unit
    if isinstance(value, dict):
        lines = [_shown(key, each, deeper, unit, newline) for key, each in value.items()]
    else:
        lines = [rendered(each, deeper, unit, newline) for each in value]
    open_, close = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{open_}{newline}" + f",{newline}".join(deeper + line for line in lines) + f"{newline}{indent}{close}"
