"""Runs a program's commands: every failure becomes one sentence and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from ..errors import AmbiguousId, GraphRefused, StaleRevision, TurError
from ..logged import tell_as
from ..text import visible
from ..unfit import wanted
from .call import AsOption, Shared, StoreOption
from .output import Output, Unanswered, silence
from .stopping import Terminated

INTERRUPTED = 130
USAGE = 2
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
    out = Output(program)
    if sys.stdout is None:  # a closed descriptor: `tur list >&-`
        return _refuse(
            out, False, "error", "standard output is closed, so there is nowhere to answer; nothing was done", 1
        )
    if f"_{program}_COMPLETE".replace("-", "_").upper() in os.environ:  # a shell asks what may follow
        from typer.completion import get_completion_inspect_parameters

        get_completion_inspect_parameters()  # registers the shells
    tell_as(program)
    wants_json = "--json" in (arguments[: arguments.index("--")] if "--" in arguments else arguments)
    try:
        code = typer.main.get_command(app).main(args=list(arguments), prog_name=program, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except TurError as error:
        return _refuse(out, wants_json, error.code, str(error), error.exit_code, _extra(error))
    except (KeyboardInterrupt, typer.Abort):
        out.message("")
        return INTERRUPTED
    except Terminated as ended:
        return ended.exit_code
    except typer.TyperException as error:
        sentence = (_in_our_words(error) or error.format_message()).rstrip()
        stop = "" if sentence.endswith((".", "?", "!")) else "."
        return _refuse(out, wants_json, "usage", f"{sentence}{stop} See {_help(program, error)}", USAGE)
    except Unanswered as error:
        return _refuse(out, False, "error", f"the answer could not be written: {error}; {error.done}", 1)
    except UnicodeDecodeError as error:
        sentence = f"the input is not {error.encoding.upper()} at byte {error.start + 1}; send it as UTF-8"
        return _refuse(out, wants_json, "bad_input", sentence, USAGE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _refuse(out, wants_json, "error", f"{where}{error.strerror or error}", 1)
    except Exception as error:
        if os.environ.get("TUR_DEBUG"):
            raise
        sentence = (
            f"a fault in this program stopped it ({type(error).__name__}: {error}). "
            "Nothing was half-written; set TUR_DEBUG=1 to see where"
        )
        return _refuse(out, wants_json, "internal", sentence, 1)
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except OSError:  # said already, where there was somewhere to say it
                silence(stream)


def _extra(error: TurError) -> dict[str, object]:
    if isinstance(error, StaleRevision):
        return {"current_revision": error.current}
    if isinstance(error, AmbiguousId):
        return {"matches": list(error.matches)}
    if isinstance(error, GraphRefused):
        return {"faults": list(error.faults)}
    return {}


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


def _refuse(
    out: Output,
    wants_json: bool,
    code: str,
    sentence: str,
    exit_code: int,
    extra: dict[str, object] | None = None,
) -> int:
    if code == "invariant_violation":
        out.message(visible(sentence))  # the seed's text stands as it is, without the program's name before it
    else:
        faults = (extra or {}).get("faults")
        listed = [f"- {fault}" for fault in faults] if isinstance(faults, list) else []
        out.say(visible(sentence.removesuffix("".join(f"\n{each}" for each in listed)), newlines=False))
        for each in listed:
            out.message(visible(each, newlines=False))
    if wants_json:
        from .. import payloads

        with suppress(Unanswered):  # the sentence is on stderr
            out.json(payloads.failure(code, sentence, extra))
    return exit_code
