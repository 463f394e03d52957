"""A program whose processes never finish what they hold: `python -m tests.introspect.holding`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from tur_engine.introspect.hands import hands


def begin() -> Callable[[int], int]:
    """Return what says who it is, and holds on."""

    def hold(piece: int) -> int:
        print(os.getpid(), flush=True)
        time.sleep(3600)
        return piece

    return hold


def main() -> None:
    """Let two processes hold."""
    try:
        with hands(2, begin, range(8)) as made:
            list(made)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
