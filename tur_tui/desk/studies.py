"""What was worked out about the conflicts near the one in front, so that a key shows it at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tur_engine.records import Conflict, Neighbourhood, Preview, Verb

MOST: Final = 16
"""Conflicts that are remembered; the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a study is about: a conflict as it stands, and how far around it."""

    conflict: str
    revision: int
    radius: int


@dataclass(frozen=True, slots=True)
class Study:
    """What each verb would do, and what is around the two sides."""

    previews: Mapping[Verb, Preview]
    neighbourhood: Neighbourhood


class Studies:
    """Answers by question. One question is asked at a time; what failed is asked again when it comes to the front."""

    def __init__(self) -> None:
        self._known: dict[Question, Study | None] = {}
        self.asked: Question | None = None
        """On its way."""

    def of(self, conflict: Conflict, radius: int) -> Study | None:
        """What is known about the conflict."""
        return self._known.get(question(conflict, radius))

    def again(self, conflict: Conflict, radius: int) -> None:
        """Let what failed be asked once more."""
        asked = question(conflict, radius)
        if asked in self._known and self._known[asked] is None:
            del self._known[asked]

    def next(self, conflicts: tuple[Conflict, ...], radius: int) -> Conflict | None:
        """The first of these to work out now; None where all are known, or one is on its way."""
        if self.asked is not None:
            return None
        return next((each for each in conflicts if question(each, radius) not in self._known), None)

    def take(self, asked: Question, study: Study | None) -> bool:
        """Take an answer, None where there is none; False for one to a question of before `forget`: it is not kept."""
        if asked != self.asked:
            return False
        self.asked = None
        self._known[asked] = study
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return True

    def forget(self) -> None:
        """The ledger moved: nothing holds any more."""
        self._known.clear()
        self.asked = None


def question(conflict: Conflict, radius: int) -> Question:
    """The question that a study of this conflict answers."""
    return Question(conflict.id, conflict.revision, radius)
