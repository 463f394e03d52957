"""`tur`: the command line of agents and people."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        arguments = list(sys.argv[1:] if argv is None else argv)
        if arguments and arguments[0] in ("--version", "-V"):
            from .. import __version__, printed

            return printed("tur", f"tur {__version__} (tur-tui)\n")
        if arguments[:1] == ["status"] and "--short" in arguments:
            from .short import at_once

            if (code := at_once(arguments[1:])) is not None:
                return code
        from .program import run
        from .quick import program_for

        program = program_for(arguments)
    except KeyboardInterrupt:  # before anything was begun
        return 130
    return run(program, "tur", arguments)


def script() -> None:
    """Run the command line of this process, and end it."""
    from .alone import alone

    alone(_begun)


def _begun() -> int:
    from .ahead import begin

    try:
        begin(sys.argv[1:])
    except KeyboardInterrupt:
        return 130
    return main()


if __name__ == "__main__":
    script()
