"""Starts agents in processes of their own and speaks with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOON = 0.01
"""Seconds from a command that all are to obey at once to the moment it names."""


class AgentProcess:
    """One agent; `ask` sends a command, `answer` waits for what it says."""

    def __init__(self, name: str, *, plain: bool = False) -> None:
        path = os.pathsep.join([str(ROOT), str(ROOT / "engine")])
        script = Path(__file__).with_name("agent_process.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script), name, *(["--plain"] if plain else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )

    def ask(self, **command: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the agent died"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def do(self, **command: Any) -> dict[str, Any]:
        """Ask and wait."""
        self.ask(**command)
        return self.answer()

    def listen(self) -> list[dict[str, Any]]:
        """Return the list that all it says from now on is added to, until it dies."""
        said: list[dict[str, Any]] = []

        def hear() -> None:
            assert self._process.stdout is not None
            for line in self._process.stdout:
                if line.endswith("\n"):  # a line cut short does not count
                    said.append(json.loads(line))

        self._listener = threading.Thread(target=hear)
        self._listener.start()
        return said

    def fell(self) -> None:
        """Kill it at once (SIGKILL) while it is listened to; all it said is in the list then."""
        self._process.kill()
        self._listener.join()
        self._end()

    def kill(self) -> list[dict[str, Any]]:
        """Kill it at once (SIGKILL); return what it had said and nobody had heard. A line cut short does not count."""
        self._process.kill()
        assert self._process.stdout is not None
        rest = self._process.stdout.read()
        self._end()
        return [json.loads(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]

    def end(self) -> None:
        """Let it go."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._end()

    def _end(self) -> None:
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()


@contextmanager
def agents(count: int, *, plain: bool = False) -> Iterator[list[AgentProcess]]:
    """Start so many agents; they end with the block."""
    started = [AgentProcess(f"agent {number}", plain=plain) for number in range(1, count + 1)]
    try:
        yield started
    finally:
        for agent in started:
            agent.end()


def at_once(everyone: Sequence[AgentProcess], commands: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let each agent do its command at the same instant; return their answers."""
    at = time.time() + SOON
    for agent, command in zip(everyone, commands, strict=True):
        agent.ask(**command, at=at)
    return [agent.answer() for agent in everyone]


def overlapped(answers: Sequence[dict[str, Any]]) -> bool:
    """True where no agent was done before another began."""
    began, ended = (float(pick(answer[side] for answer in answers)) for pick, side in ((max, "from"), (min, "to")))
    return began < ended
