"""What `tur-tui demo` does: found the sample store, start the agent, open the workbench or tell the story."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tur_engine import here
from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.text import visible

from ..printing import print_lines
from ..start import on_terminal, person, run_workbench
from .learning import learn
from .memories import REMEMBERED
from .story import tell


def run(*, keep: Path | None = None, theme: str | None = None) -> int:
    """The demo; returns the exit code."""
    try:
        with _place(keep) as root, Engine.init(root, actor=person(), nested=True) as engine:
            return _on_screen(engine, theme) if on_terminal() else tell(engine, agent=start_agent)
    except TurError as error:
        print(f"tur-tui demo: {visible(str(error), newlines=False)}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"tur-tui demo: {error.filename or keep}: {error.strerror}", file=sys.stderr)
        return 1


def _on_screen(engine: Engine, theme: str | None) -> int:
    total = len(REMEMBERED)
    engine.stamped = False  # the repository that the person happens to stand in has no part in the story
    print_lines([f"Sample store {engine.path}"])
    # The agent starts first: it loads its models while these are learned, and speaks up as soon as the desk is there.
    agent = start_agent(engine.path, "--pause", "4", "--after", str(engine.head() + total))
    try:
        learn(
            engine,
            REMEMBERED,
            progress=lambda done: print(f"\rLearning {done} of {total} memories", end="", flush=True),
        )
        print(". An agent goes on learning; the workbench opens.")
        # What is exported stays when the sample store goes.
        return run_workbench(engine, theme=theme, here=engine.root, exports=here())
    finally:
        stop_agent(agent)


def start_agent(store: Path, *options: str, told: bool = False) -> subprocess.Popen[str]:
    """Start the agent process on the store; with `told` its output can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "tur_tui.demo.agent", "--store", str(store), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if told else subprocess.DEVNULL,
        stderr=subprocess.STDOUT if told else subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


def stop_agent(agent: subprocess.Popen[str]) -> None:
    """End the agent; a learn in progress is one transaction and leaves nothing half-written."""
    agent.terminate()
    try:
        agent.wait(timeout=5)
    except subprocess.TimeoutExpired:
        agent.kill()
        agent.wait()
    if agent.stdout:
        agent.stdout.close()


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with TemporaryDirectory(prefix="tur-demo-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
        return
    keep.mkdir(parents=True, exist_ok=True)
    yield keep
    print_lines([f"The sample store stays in {keep}; open it again with: tur-tui --store {keep}"])
