"""`tur`: the command line of agents and people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence


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
        from .ending import ended
        from .plain import plainly

        command: Callable[[], object] | None = plainly(arguments)
        if command is None:
            from .program import reading
            from .quick import program_for

            command = reading(program_for(arguments), "tur", arguments)
    except KeyboardInterrupt:  # before anything was begun
        return 130
    return ended(command, "tur", arguments)


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
