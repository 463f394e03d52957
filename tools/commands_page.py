"""Writes docs/commands.md from the programs: `python tools/commands_page.py > docs/commands.md`."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import typer

from tur_engine.cli.adm_app import app as tur_adm
from tur_engine.cli.app import app as tur
from tur_engine.mcp.__main__ import parser as tur_mcp

HEAD = """\
# Commands

<!-- Made by tools/commands_page.py; a test compares the two. Edit the programs, not this page. -->

Answers go to stdout, messages to stderr. With `--json` the answer is one JSON object, at any width of the
terminal; what a harness runs (`tur hook`, `tur guard --hook`) answers in the harness's form all the same. Colour and
questions appear on terminals only; `NO_COLOR` is honoured.

| exit code | meaning |
|---|---|
| 0 | done; also already known, proposed, committed as contested, aborted |
| 1 | error: the store cannot serve, the conflict moved, a rule forbids it |
| 2 | usage, or a value that cannot be used |
| 3 | a conflict is held, or `--on-conflict fail` stopped it |
| 4 | clash with an invariant |
| 5 | the ledger does not verify, or the file is no store |
| 130 | Ctrl-C |

A batch ends with the gravest of 5, 4, 3 and 1.

**Which store**: the nearest `.tur/ledger.db` here or above, else `$TUR_HOME`, else your own in `~/.tur`, made
by the first `learn`, which says so. `--store` names another. A `$HOME` or `$TUR_HOME` that is empty or relative
counts as none. An account without a home has no store of its own, no keys and no witness: what needs one says so and
ends with 2, all else goes on.

**Who speaks**: `agent:NAME` without a terminal, `human:NAME` on one (and with `tur-adm`), NAME being the login
name; `--as` says otherwise.

**On a clash**: `--on-conflict`, else `TUR_ON_CONFLICT`, else `on_conflict` in the store's `.tur/config.toml`,
else `ask` on a terminal and `allow` with a warning elsewhere.
"""
SHARED = {"json", "store", "speaker", "help", "version"}


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for name, app in (("tur", tur), ("tur-adm", tur_adm)):
        parts += _program(name, typer.main.get_command(app))
    parts += _server(tur_mcp())
    return "\n".join(parts)


def _program(name: str, program: Any) -> Iterator[str]:
    yield f"## {name}\n\n{inspect.cleandoc(program.help)}\n"
    commands = dict(_leaves(name, program))
    shared = {parameter.name: parameter for command in commands.values() for parameter in command.params}
    rows = [_parameter(shared[word]) for word in ("json", "store", "speaker")]
    yield "Every command takes these too; `--store` and `--as` may also stand before its name:\n"
    yield _table(rows)
    for path, command in commands.items():
        own = [parameter for parameter in command.params if parameter.name not in SHARED]
        places = [
            parameter.metavar if parameter.required else f"[{_name(parameter)}]"
            for parameter in own
            if parameter.param_type_name == "argument"
        ]
        yield f"### {path}\n\n{inspect.cleandoc(command.help)}\n"
        yield f"    {' '.join([path, *places, '[options]'])}\n"
        if own:
            yield _table([_parameter(parameter) for parameter in own])


def _leaves(path: str, group: Any) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _leaves(f"{path} {name}", command)
        else:
            yield f"{path} {name}", command


def _parameter(parameter: Any) -> tuple[str, str]:
    if parameter.param_type_name == "argument":
        flags = _name(parameter)
    else:
        flags = ", ".join(sorted(parameter.opts, key=len))
        flags += "" if parameter.is_flag else f" {parameter.metavar}"
    default = parameter.default
    shown = f" Default: `{default}`." if isinstance(default, str | int | float) and default not in ("", False) else ""
    return flags, f"{parameter.help}{shown}"


def _name(argument: Any) -> str:
    """An argument's name without the brackets that say it may be left out: `[PATH]...` is PATH..."""
    return str(argument.metavar).replace("[", "").replace("]", "")


def _server(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## {parser.prog}\n\n{parser.description} {parser.epilog}\n"
    rows = []
    for action in parser._actions:
        if action.dest != "help":
            flags = ", ".join(action.option_strings) + (f" {action.metavar}" if action.metavar else "")
            words = action.help or ""
            rows.append((flags, f"{words[:1].upper()}{words[1:]}."))
    yield _table(rows)
    yield "Its tools are described in [mcp.md](mcp.md).\n"


def _table(rows: list[tuple[str, str]]) -> str:
    lines = [f"| `{_bar(flags)}` | {_bar(words)} |" for flags, words in rows]
    return "| | |\n|---|---|\n" + "\n".join(lines) + "\n"


def _bar(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
