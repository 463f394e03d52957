"""`tur-mcp`: serves over standard input and output until the harness closes them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser


def main(argv: Sequence[str] | None = None) -> int:
    """Serve, and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in ("--version", "-V"):
        from ..version import __version__

        print(f"tur-mcp {__version__} (tur-tui)")
        return 0
    options = parser().parse_args(arguments)
    from pathlib import Path

    from .. import whereabouts
    from ..errors import TurError
    from ..text import visible
    from .server import serve
    from .visit import Visit

    if sys.stdin is None or sys.stdout is None:
        if sys.stderr is not None:
            print(
                "tur-mcp: a harness speaks to it over standard input and output; one of them is closed", file=sys.stderr
            )
        return 1
    store = Path(options.store) if options.store else None
    try:
        whereabouts.find(store)
    except TurError as error:  # every call will say so; whoever wrote the configuration should hear it now
        print(f"tur-mcp: {visible(str(error))}", file=sys.stderr, flush=True)
    try:
        serve(Visit(store, options.speaker))
    except KeyboardInterrupt:
        return 130
    except TurError as error:
        print(f"tur-mcp: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def parser() -> ArgumentParser:
    """The command line's grammar."""
    import argparse

    made = argparse.ArgumentParser(
        prog="tur-mcp",
        description="Serve learn, recall and the rest to a harness, over standard input and output.",
        epilog="The store is opened by the first call, and founded by the first learn where there is none.",
    )
    made.add_argument("--store", metavar="PATH", help="the store: a ledger.db, a .tur folder or the folder above it")
    made.add_argument(
        "--as",
        dest="speaker",
        metavar="NAME",
        help="the agent's name; without it, what the harness calls itself",
    )
    made.add_argument("--version", action="store_true", help="print the version")
    return made


if __name__ == "__main__":
    sys.exit(main())
