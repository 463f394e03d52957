"""A program's commands, and the reading of a command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from ..errors import BadInput
from ..unfit import wanted
from .call import Shared
from .dashes import advice_on_error, advice_on_value
from .ending import USAGE, Misused, ended
from .output import Output
from .shared import AsOption, StoreOption

HELP = ["-h", "--help"]


def new(program: str, summary: str, *, people_only: bool = False) -> typer.Typer:
    """Make the program: no markup in what it prints, shared options before the command's name."""
    app = typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": HELP},
    )

    def root(
        ctx: typer.Context,
        store: StoreOption = None,
        speaker: AsOption = None,
        version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    ) -> None:
        if version:
            from ..version import __version__

            typer.echo(f"{program} {__version__} (tur-tui)")
            raise typer.Exit
        if ctx.invoked_subcommand is None:
            Output(program).message(ctx.get_help())
            raise typer.Exit(USAGE)
        ctx.obj = Shared(program, people_only, store, speaker)

    app.callback(invoke_without_command=True, help=summary)(root)
    return app


def family(summary: str, *, alone: bool = False) -> typer.Typer:
    """Make a family of commands. Called by its name only it prints its help; with `alone` its callback decides."""
    return typer.Typer(
        help=summary, rich_markup_mode=None, no_args_is_help=not alone, context_settings={"help_option_names": HELP}
    )


def run(app: typer.Typer, program: str, arguments: Sequence[str]) -> int:
    """Run one command line. Returns the exit code (CONTRACTS 4); raises nothing."""
    return ended(reading(app, program, arguments), program, arguments)


def reading(app: typer.Typer, program: str, arguments: Sequence[str]) -> Callable[[], object]:
    """Return what reads one command line and does what it says."""
    return lambda: _read(app, program, arguments)


def _read(app: typer.Typer, program: str, arguments: Sequence[str]) -> object:
    """Read the command line and do what it says. Raises Misused where it says nothing that can be done."""
    if f"_{program}_COMPLETE".replace("-", "_").upper() in os.environ:  # a shell asks what may follow
        from typer.completion import get_completion_inspect_parameters

        get_completion_inspect_parameters()  # registers the shells
    try:
        return typer.main.get_command(app).main(args=list(arguments), prog_name=program, standalone_mode=False)
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except typer.TyperException as error:
        said = _sentence(_choices(error) or _in_our_words(error) or error.format_message())
        told = [said, _sentence(advice_on_error(error, arguments)), f"See {_help(program, error)}"]
        raise Misused(" ".join(filter(None, told))) from error
    except BadInput as error:
        if type(error) is not BadInput or not (advice := advice_on_value(arguments)):
            raise
        raise BadInput(f"{_sentence(str(error))} {advice}") from error


def _choices(error: typer.TyperException) -> str | None:
    """Say what may follow a family that was called by its name only; None for other errors."""
    context = getattr(error, "ctx", None)
    if context is None or type(error).__name__ != "NoArgsIsHelpError":
        return None
    commands = getattr(context.command, "commands", {})
    *others, last = [name for name, command in commands.items() if not command.hidden]
    return f"{context.command_path} needs a command behind it: {', '.join(others)}{' or ' if others else ''}{last}"


def _sentence(text: str) -> str:
    text = text.rstrip()
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


def _in_our_words(error: typer.TyperException) -> str | None:
    """A value that an option cannot take, without the validator's words; None for other errors."""
    from pydantic import ValidationError

    cause = error.__cause__
    if not isinstance(error, typer.BadParameter) or error.param is None or not isinstance(cause, ValidationError):
        return None
    first = cause.errors()[0]
    if (fit := wanted(first)) is None:
        return None
    return f"{error.param.opts[0]} cannot be {str(first['input'])!r}; it takes {fit}"


def _help(program: str, error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"{context.command_path if context is not None else program} --help"
