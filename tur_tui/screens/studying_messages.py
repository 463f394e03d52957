"""What comes back where the verbs' effects on a conflict, and its surroundings, are worked out."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from ..desk.studies import Question, Study


@dataclass
class Studied(Message):
    """What there is to know about a conflict: the verbs' effects and the surroundings."""

    question: Question
    study: Study


@dataclass
class Unstudied(Message):
    """It could not be worked out: one sentence."""

    sentence: str
    question: Question
