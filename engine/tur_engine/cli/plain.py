"""The plainest command lines of what agents call all the time, read without the library that reads all others.

It takes a tenth of a cold start. The options are those that the commands declare to it, and a line is read here only
where both are sure to read the same: known options by their long names, each with a value that is no option, once
unless it may be repeated, and one text at most. Everything else is left to it: help, mistakes, numbers, `--`.
"""

from __future__ import annotations

import errno
import inspect
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

COMMANDS = {"guard": "guard", "learn": "learn", "note": "note", "recall": "recall"}
"""Which module has which command, under its own name."""
_COMPLETING = "_TUR_COMPLETE"
_FLAG, _VALUE, _VALUES = "flag", "value", "values"
_KINDS: dict[Any, str] = {bool: _FLAG, str: _VALUE, str | None: _VALUE, list[str] | None: _VALUES}


class Option(NamedTuple):
    """How a parameter is given on the command line."""

    parameter: str
    kind: str


_SHARED = {
    "--json": Option("json", _FLAG),
    "--store": Option("store", _VALUE),
    "--as": Option("speaker", _VALUE),
}


class _Declared:
    """Stands for typer where a command's parameters are read: keeps the names of an option, nothing else."""

    @staticmethod
    def Option(*names: str, **_: object) -> tuple[str, ...]:  # noqa: N802
        return names

    @staticmethod
    def Argument(**_: object) -> tuple[str, ...]:  # noqa: N802
        return ()


def plainly(arguments: Sequence[str]) -> Callable[[], int] | None:
    """Return what the command line asks for; None where it is not plain."""
    if not arguments or arguments[0] not in COMMANDS or _COMPLETING in os.environ:
        return None
    name = arguments[0]
    command: Callable[..., int] = getattr(import_module(f".{COMMANDS[name]}", __package__), name)
    given = read(command, arguments[1:])
    return None if given is None else lambda: _run(command, given)


def read(command: Callable[..., int], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of a command's parameters, its own and the shared ones; None where the line is not plain."""
    known, defaults, text = _parameters(command)
    given: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            if not word or text in given:
                return None
            given[text] = word
            continue
        name, joined, value = word.partition("=")
        option = known.get(name)
        if option is None or (option.kind != _VALUES and option.parameter in given):
            return None
        if option.kind == _FLAG:
            if joined:
                return None
            given[option.parameter] = True
            continue
        value = value if joined else next(left, "")
        if not value or value.startswith("-"):
            return None
        if option.kind == _VALUES:
            given.setdefault(option.parameter, []).append(value)
        else:
            given[option.parameter] = value
    return defaults | given if text in defaults | given and _storable(words) else None


def _parameters(command: Callable[..., int]) -> tuple[dict[str, Option], dict[str, Any], str]:
    """Return a command's options by their long names, what each parameter is where it is not given, and which one is
    the text."""
    known, text = dict(_SHARED), ""
    defaults: dict[str, Any] = {"json": False, "store": None, "speaker": None}
    for parameter in list(inspect.signature(command, eval_str=True, locals={"typer": _Declared}).parameters.values())[
        1:
    ]:
        declared = parameter.annotation
        (names,) = declared.__metadata__
        if parameter.default is not inspect.Parameter.empty:
            defaults[parameter.name] = parameter.default
        if not names:
            text = parameter.name
        elif (kind := _KINDS.get(declared.__origin__)) is not None:
            known[names[0]] = Option(parameter.name, kind)
    return known, defaults, text


def _storable(words: Sequence[str]) -> bool:
    """False where an argument was no UTF-8."""
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        return False
    return True


def _run(command: Callable[..., int], given: dict[str, Any]) -> int:
    """Run the command, and end as the library would where it is cut short."""
    from .call import Call, Shared
    from .ending import INTERRUPTED

    call = Call.of(Shared("tur", False, None, None), given)
    try:
        return command(call, **given)
    except KeyboardInterrupt:
        return INTERRUPTED
    except EOFError:
        call.out.message("\n")
        return INTERRUPTED
    except OSError as error:
        if error.errno == errno.EPIPE:  # nobody reads any more
            return 1
        raise
