"""`tur-adm`: what only people do."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        arguments = list(sys.argv[1:] if argv is None else argv)
        if arguments and arguments[0] in ("--version", "-V"):
            from .. import __version__, printed

            return printed("tur-adm", f"tur-adm {__version__} (tur-tui)\n")
        from .adm_app import app
        from .program import run
    except KeyboardInterrupt:  # before anything was begun
        return 130
    return run(app, "tur-adm", arguments)


def script() -> None:
    """Run the command line of this process, and end it."""
    from .alone import alone

    alone(main)


if __name__ == "__main__":
    script()
