"""An agent in a process of its own: reads one JSON command a line, answers with one JSON object a line.

Run as a script by the tests of races and kills. `--plain` gives it minds that need no model.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tur_engine.engine import Engine
from tur_engine.errors import TurError
from tur_engine.records import Author, Draft, OnConflict, Verb

Answer = dict[str, Any]


class Agent:
    """Keeps the store it was last told to use open."""

    def __init__(self, name: str) -> None:
        self._author = Author.parse(f"agent:{name}")
        self._engine: Engine | None = None

    def open(self, store: str | None = None, home: str = "") -> Answer:
        """Open a store; without one, the user's own (in `home`), founded where it is missing."""
        if home:
            os.environ["TUR_HOME"] = home
        self._engine = Engine.open(Path(store) if store else None, actor=self._author, create=True)
        status = self._engine.status()
        return {"founded": self._engine.founded, "store": status.store_id, "path": status.path}

    def learn(self, text: str, on_conflict: str = "hold") -> Answer:
        assert self._engine is not None
        result = self._engine.learn(Draft(content=text, author=self._author), on_conflict=OnConflict(on_conflict))
        return {"outcome": result.outcome, "id": result.id, "conflicts": [r.conflict.id for r in result.conflicts]}

    def resolve(self, conflict: str, verb: str, revision: int) -> Answer:
        assert self._engine is not None
        return {"seq": self._engine.resolve(conflict, Verb(verb), revision=revision, reason="in a race").seq}

    def stream(self, start: int) -> Answer:
        """Learn, contradict and settle for ever; every done thing is told at once."""
        assert self._engine is not None
        for number in range(start, start + 1_000_000):
            subject = f"room {number}"
            tell({"learned": self.learn(f"{subject}: painted blue")["id"], "number": number})
            held = self.learn(f"{subject}: painted red")
            tell({"learned": held["id"], "number": number})
            for conflict in held["conflicts"][:1]:
                self._engine.resolve(conflict, Verb.SUPERSEDE, reason="painted over", whole_case=True)
                tell({"settled": conflict, "number": number})
        return {}


def tell(answer: Answer) -> None:
    """Answer with one line."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def obey(agent: Agent, command: Answer) -> Answer:
    """Carry one command out, at the moment it names."""
    do: Callable[..., Answer] = getattr(agent, command.pop("do"))
    at = command.pop("at", 0.0)
    while time.time() < at:
        pass
    started = time.time()
    try:
        answer = do(**command)
    except TurError as error:
        answer = {"error": error.code, "message": str(error)}
    return {**answer, "from": started, "to": time.time()}


def main() -> None:
    if "--plain" in sys.argv:
        import pytest

        from tests import standins

        standins.install(pytest.MonkeyPatch())
    agent = Agent(sys.argv[1])
    for line in sys.stdin:
        tell(obey(agent, json.loads(line)))


if __name__ == "__main__":
    main()
