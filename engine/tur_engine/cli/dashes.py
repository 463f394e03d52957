"""A text that begins with a dash is read as options: what to do stands beside the error."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import typer

from ..text import excerpt

_A_TEXT = re.compile(r"-[^=\s]*\s")
"""No option has a blank in its name."""
_TAKEN_APART = re.compile(r"-[A-Za-z]\s")
"""A text that passes for a short option and its value."""

_OF_MOMENTS = "A moment has no dash before it: an event's number stands alone, how long ago is written 2h, 1d or 1w."
_NAMES = {"TEXT", "QUERY"}
"""How the help names an argument that is a text."""


def advice_on_error(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """Return what to do with a text, or a number, that was taken for an option; empty where none was."""
    context, name = getattr(error, "ctx", None), getattr(error, "option_name", "")
    if context is not None and context.command.name == "diff" and re.fullmatch(r"-\d", name):
        return _OF_MOMENTS
    if context is None or not name.startswith("-") or not _takes_text(context):
        return ""
    text = next((word for word in _before_dashes(arguments) if _A_TEXT.match(word) and _begun_by(name, word)), "")
    if not text and getattr(error, "possibilities", None):  # a misspelt option
        return ""
    return _advice(context.command_path, text)


def _begun_by(option: str, word: str) -> bool:
    """Tell whether a word was read as this option; short ones are read out of the middle too."""
    return word.startswith(option) or (
        not word.startswith("--") and not option.startswith("--") and option[1:2] in word
    )


def advice_on_value(arguments: Sequence[str]) -> str:
    """Return the same advice where such a text passed for a short option with a value that it does not take."""
    words = _before_dashes(arguments)
    given = (word for before, word in pairwise(words) if not before.startswith("-"))
    text = next(filter(_TAKEN_APART.match, given), "")
    return _advice("", text) if text else ""


def _advice(command: str, text: str) -> str:
    import shlex

    words = shlex.quote(excerpt(text, 60)) if text else "TEXT"
    return f"A text that begins with a dash goes last, after --: {f'{command} -- {words}'.strip()}"


def _before_dashes(arguments: Sequence[str]) -> Sequence[str]:
    return arguments[: arguments.index("--")] if "--" in arguments else arguments


def _takes_text(context: typer.Context) -> bool:
    return any(_NAMES & set(re.findall("[A-Z]+", getattr(each, "metavar", None) or "")) for each in _arguments(context))


def _arguments(context: typer.Context) -> list[Any]:
    return [each for each in context.command.params if each.param_type_name == "argument"]
