"""The program `tur-tui`. `--version` and `--help` answer before anything heavy is imported."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tur_engine import __version__, printed, tell_warnings_as

if TYPE_CHECKING:
    from tur_engine.engine import Engine
    from tur_engine.errors import TurError

NO_TERMINAL = (
    'tur-tui: the workbench needs a terminal on input, output and errors; without one use "tur conflicts" and '
    '"tur resolve".'
)

DUMB = (
    'tur-tui: TERM is "dumb": no screen can be drawn on it; "tur-tui list" and "tur-tui show ID" print the same, '
    '"tur resolve" decides.'
)

STORE = "a project or .tur folder, or a ledger.db"

NO_TERMINAL_FOR_SCAN = (
    'tur-tui: the scan screen needs a terminal on input, output and errors; without one use "tur scan".'
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 done, 1 no terminal or no store, 2 usage, 70 a fault of the program."""
    try:
        options = _parser().parse_args(arguments)
        tell_warnings_as("tur-tui")
        raise SystemExit(options.run(options))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        # Whoever read our output is gone; say no more, also not at interpreter exit.
        sys.stderr.close()
        raise SystemExit(1) from None
    except Exception as error:
        from tur_engine.errors import TurError

        if isinstance(error, TurError):
            raise SystemExit(_refused(error)) from None
        from .crash import EXIT_CODE, last_words, write_report

        print(last_words(error, write_report(error)), file=sys.stderr)
        raise SystemExit(EXIT_CODE) from None


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one sentence, and where help or version could not be written; argparse takes that for done."""

    def error(self, message: str) -> NoReturn:
        from tur_engine.text import visible

        self.exit(2, f"tur-tui: {visible(message, newlines=False)}; {self.prog} --help lists the options\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is not None and file is sys.stdout:
            if code := printed("tur-tui", message):
                self.exit(code)
        else:
            super()._print_message(message, file)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="tur-tui",
        description="Settle what agents' memories contradict each other about.",
        epilog="Keys: press ? in the workbench.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tur-tui {__version__}")
    parser.add_argument("--store", type=_path, metavar="PATH", help=STORE)
    parser.add_argument("--theme", metavar="NAME", help="the theme to start with")
    parser.add_argument("--read-only", action="store_true", help="look, but write nothing")
    parser.add_argument("--scan", action="store_true", help="the same as the command scan, on the folder you are in")
    parser.set_defaults(run=_workbench, path=None)
    also = parser.add_subparsers(title="also", metavar="COMMAND")
    scan = also.add_parser(
        "scan",
        help="what the rule files of a repository say against each other",
        description="Scans CLAUDE.md, AGENTS.md and their like, and shows what contradicts itself, the ledger where "
        "there is one, and the repository. Changes nothing, and needs no store.",
        allow_abbrev=False,
    )
    scan.add_argument("path", nargs="?", type=_path, metavar="PATH", help="a repository or a folder; here by default")
    scan.set_defaults(run=_scan)
    demo = also.add_parser(
        "demo",
        help="open on a sample store while an agent learns into it",
        description="A sample store, an agent process that learns into it, and the workbench on top. "
        "Where there is no terminal the same story is told as text.",
        allow_abbrev=False,
    )
    demo.add_argument("--keep", type=_path, metavar="DIR", help="make the sample store in DIR and leave it there")
    demo.add_argument("--theme", metavar="NAME", default=argparse.SUPPRESS, help="the theme to start with")
    demo.set_defaults(run=_demo)
    listed = also.add_parser(
        "list", help="print the open conflicts, in the workbench's order", description="No terminal is needed."
    )
    shown = also.add_parser(
        "show", help="print all about one conflict, memory or proposal", description="No terminal is needed."
    )
    shown.add_argument("id", metavar="ID", help="a conflict, a memory or a proposal, by id or the start of it")
    keys = also.add_parser(
        "keys", help="print every key of every screen, yours marked", description="No store and no terminal is needed."
    )
    settings = also.add_parser(
        "settings", help="print every setting, and check config.toml", description="No store and no terminal is needed."
    )
    for each, run in ((listed, _list), (shown, _show), (keys, _keys), (settings, _settings)):
        each.add_argument("--json", action="store_true", help="one JSON object")
        each.set_defaults(run=run)
    serve = also.add_parser(
        "serve",
        help="the workbench in a browser on this machine",
        description="Prints an address to open in a browser on this machine, and serves the workbench there until "
        "Ctrl-C. The address holds a secret; nobody without it sees anything.",
        allow_abbrev=False,
    )
    serve.add_argument("--port", type=_port, default=0, metavar="N", help="the port; a free one by default")
    serve.add_argument("--write", action="store_true", help="let the verbs in; without it the page is read-only")
    serve.set_defaults(run=_serve)
    for each in (listed, shown, serve, scan):
        each.add_argument("--store", type=_path, metavar="PATH", default=argparse.SUPPRESS, help=STORE)
    return parser


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("it is empty; leave it out, or say which")
    return Path(text)


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 0 to 65535")
    return int(text)


def _scan(options: argparse.Namespace) -> int:
    from .start import on_terminal

    if not on_terminal():
        print(NO_TERMINAL_FOR_SCAN, file=sys.stderr)
        return 1
    from .scanning import run_scan

    return run_scan(options.path, store=options.store, theme=options.theme)


def _workbench(options: argparse.Namespace) -> int:
    gc.disable()  # until the screen is there: nearly all that is made stays, and looking through it takes long
    from .start import dumb, on_terminal, run_workbench

    if options.scan:
        return _scan(options)
    if not on_terminal():
        print(DUMB if dumb() else NO_TERMINAL, file=sys.stderr)
        return 1
    return _on_store(options, lambda engine: run_workbench(engine, theme=options.theme))


def _on_store(options: argparse.Namespace, run: Callable[[Engine], int]) -> int:
    """Open the store, run, and close it; what goes wrong is one sentence and its exit code."""
    from tur_engine.engine import Engine
    from tur_engine.errors import TurError

    from .start import person

    try:
        with Engine.open(options.store, actor=person(), read_only=options.read_only) as engine:
            return run(engine)
    except TurError as error:
        return _refused(error)


def _refused(error: TurError) -> int:
    """Say what is in the way; the exit code."""
    from tur_engine.text import visible

    print(f"tur-tui: {visible(str(error), newlines=False)}", file=sys.stderr)
    return error.exit_code


def _list(options: argparse.Namespace) -> int:
    from .twins import list_conflicts

    return _on_store(options, lambda engine: list_conflicts(engine, as_json=options.json))


def _show(options: argparse.Namespace) -> int:
    from .twins import show

    return _on_store(options, lambda engine: show(engine, options.id, as_json=options.json))


def _keys(options: argparse.Namespace) -> int:
    from .configured import print_keys

    return print_keys(as_json=options.json)


def _settings(options: argparse.Namespace) -> int:
    from .configured import print_settings

    return print_settings(as_json=options.json)


def _serve(options: argparse.Namespace) -> int:
    from .serve import serve

    def run(engine: Engine) -> int:
        store = engine.path
        engine.close()  # each tab opens it for itself
        return serve(store, port=options.port, write=options.write, theme=options.theme)

    return _on_store(options, run)


def _demo(options: argparse.Namespace) -> int:
    from .demo import run

    return run(keep=options.keep, theme=options.theme)


if __name__ == "__main__":
    main()
