"""One marked block at the end of a TOML file: put there, found again and taken out, every other byte as it stands."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

BEGIN = "# >>> tur setup codex (taken out by: tur setup codex --remove)"
END = "# <<< tur setup codex"
_BLOCK = re.compile(r"(?P<gap>\r?\n|)" + re.escape(BEGIN) + r"\r?\n.*?" + re.escape(END) + r"(?:\r?\n|\Z)", re.DOTALL)


class NotToml(ValueError):
    """The text is not TOML; says where."""


def parse(text: str) -> dict[str, Any]:
    """Read a text. Raises NotToml."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(str(error)) from None


def put(text: str, lines: list[str]) -> str:
    """Return the text with the block at its end; an older block gives way. Raises NotToml where it does not fit in.

    One line end more than the text had stands before the block, so that taking it out restores the text.
    """
    text = without(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([BEGIN, *lines, END]) + newline
    whole = text + newline + block
    parse(whole)
    return whole


def made(lines: list[str]) -> str:
    """Return a file of the block alone."""
    return "\n".join([BEGIN, *lines, END]) + "\n"


def without(text: str) -> str:
    """Return the text without the block and the line end that came with it."""
    return _BLOCK.sub("", text, count=1)


def block_of(text: str) -> str:
    """Return the block as it stands; "" where there is none."""
    match = _BLOCK.search(text)
    return match.group().lstrip("\r\n") if match else ""


def table(name: str, values: dict[str, Any], *, array: bool = False) -> list[str]:
    """Return a table of plain values as lines."""
    head = f"[[{name}]]" if array else f"[{name}]"
    return [head, *(f"{key} = {_shown(value)}" for key, value in values.items())]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_shown(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_shown(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)
