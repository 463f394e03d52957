"""The agent of the demo, a process of its own: `python -m tur_tui.demo.agent --store PATH`.

It learns the news of the sample project, one memory every few seconds, and holds what the gate stops. It ends with
its script, or with the process that started it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Outcome

from .learning import draft, news
from .memories import CLAUDE, NEWS, Line


def main(arguments: list[str] | None = None) -> int:
    """Learn the script; exit 0 at its end, 1 where the store cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m tur_tui.demo.agent", allow_abbrev=False)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--pause", type=float, default=4.0, metavar="SECONDS", help="between two memories")
    parser.add_argument("--steps", type=int, default=len(NEWS), metavar="N", help="how many memories to learn")
    parser.add_argument("--after", type=int, default=0, metavar="EVENT", help="wait until the ledger holds this event")
    options = parser.parse_args(arguments)
    parent = os.getppid()
    try:
        with Engine.open(options.store, actor=CLAUDE) as engine:
            if options.after and not wait_for(engine, options.after, parent):
                return 0
            for line, result in news(engine, NEWS[: options.steps]):
                print(told(line, result.outcome), flush=True)
                if line is not NEWS[options.steps - 1] and not rest(options.pause, parent):
                    break
    except TurError as error:
        print(f"{CLAUDE.name}: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader is gone, and with it the reason to go on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def told(line: Line, outcome: Outcome) -> str:
    """One line of what the agent did, for whoever reads its output."""
    answer = {Outcome.CONFLICT: "stopped at the gate", Outcome.DUPLICATE: "known already"}
    return f'{line.author.name} learns "{line.text}": {answer.get(outcome, outcome.value)}'


def wait_for(engine: Engine, event: int, parent: int) -> bool:
    """Load the models, then wait for the event; False where the process that started this one is gone before."""
    engine.check(draft(NEWS[0], {}))
    while engine.head() < event:
        if not rest(0.1, parent):
            return False
    return True


def rest(seconds: float, parent: int) -> bool:
    """Wait; False as soon as the process that started this one is gone."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if os.getppid() != parent:
            return False
        time.sleep(min(left, 0.25))
    return os.getppid() == parent


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(130) from None
