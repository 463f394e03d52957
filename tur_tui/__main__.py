"""The program `tur-tui`. `--version` and `--help` answer before anything heavy is imported."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from tur_engine import __version__

NO_TERMINAL = (
    'tur-tui: the workbench needs a terminal on input, output and errors; without one use "tur conflicts" and '
    '"tur resolve".'
)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 done, 1 no terminal or no store, 2 usage, 70 a fault of the program."""
    options = _parser().parse_args(arguments)
    try:
        raise SystemExit(options.run(options))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        # Whoever read our output is gone; say no more, also not at interpreter exit.
        sys.stderr.close()
        raise SystemExit(1) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tur-tui",
        description="Settle what agents' memories contradict each other about.",
        epilog="Keys: press ? in the workbench.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tur-tui {__version__}")
    parser.add_argument("--store", type=Path, metavar="PATH", help="a project or .tur folder, or a ledger.db")
    parser.add_argument("--theme", metavar="NAME", help="the theme to start with")
    parser.add_argument("--read-only", action="store_true", help="look, but write nothing")
    parser.set_defaults(run=_workbench)
    demo = parser.add_subparsers(title="also", metavar="demo").add_parser(
        "demo",
        help="open on a sample store while an agent learns into it",
        description="A sample store, an agent process that learns into it, and the workbench on top. "
        "Where there is no terminal the same story is told as text.",
        allow_abbrev=False,
    )
    demo.add_argument("--keep", type=Path, metavar="DIR", help="make the sample store in DIR and leave it there")
    demo.add_argument("--theme", metavar="NAME", default=argparse.SUPPRESS, help="the theme to start with")
    demo.set_defaults(run=_demo)
    return parser


def _workbench(options: argparse.Namespace) -> int:
    from .start import on_terminal, person, run_workbench

    if not on_terminal():
        print(NO_TERMINAL, file=sys.stderr)
        return 1
    from tur_engine.engine import Engine
    from tur_engine.errors import TurError
    from tur_engine.text import visible

    try:
        engine = Engine.open(options.store, actor=person(), read_only=options.read_only)
    except TurError as error:
        print(f"tur-tui: {visible(str(error), newlines=False)}", file=sys.stderr)
        return error.exit_code
    with engine:
        return run_workbench(engine, theme=options.theme)


def _demo(options: argparse.Namespace) -> int:
    from .demo import run

    return run(keep=options.keep, theme=options.theme)


if __name__ == "__main__":
    main()
