"""`tur-adm`: what only people do."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in ("--version", "-V"):
        from ..version import __version__

        print(f"tur-adm {__version__} (tur-tui)")
        return 0
    from .adm_app import app
    from .program import run

    return run(app, "tur-adm", arguments)


if __name__ == "__main__":
    sys.exit(main())
