"""What stands under a memory's text: type, scope, author, age, confidence, status, fields, source. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from tur_engine.records import Belief, Memory
from tur_engine.text import visible

from ..drawing.wording import age_in_words, scalar, standing


class Fact(NamedTuple):
    """One line about a memory; `differs` where the other side says something else."""

    label: str
    value: str
    differs: bool = False


def belief_facts(belief: Belief, other: Belief | None, moment: datetime) -> list[Fact]:
    """The lines about one side, compared with the other side's."""
    mine, theirs = _lines(belief, moment), dict(_lines(other, moment)) if other else {}
    return [
        Fact(label, value, other is not None and label != "age" and theirs.get(label) != value) for label, value in mine
    ]


def in_short(facts: Sequence[Fact]) -> list[tuple[str, bool]]:
    """The facts as words that follow one another, for small panes: most values need no label. And: it differs."""
    plain = {"type", "scope", "author", "age", "status"}
    return [(fact.value if fact.label in plain else f"{fact.label} {fact.value}", fact.differs) for fact in facts]


def _lines(belief: Belief, moment: datetime) -> list[tuple[str, str]]:
    memory = belief.memory
    lines = [
        ("type", memory.type.value + (", invariant" if belief.approved else "")),
        ("scope", visible(str(memory.scope), newlines=False)),
        ("author", visible(str(memory.author), newlines=False)),
        ("age", _age(memory, moment)),
        ("confidence", _confidence(memory)),
        ("status", standing(belief)),
    ]
    if memory.scope != memory.declared_scope:
        lines.append(("declared", visible(str(memory.declared_scope), newlines=False)))
    if memory.topic:
        lines.append(("topic", visible(memory.topic, newlines=False)))
    lines += [(visible(name, newlines=False), scalar(value)) for name, value in memory.fields.items()]
    if source := _source(memory):
        lines.append(("source", source))
    return lines


def _age(memory: Memory, moment: datetime) -> str:
    words = age_in_words(memory.occurred_at, moment)
    if abs(memory.recorded_at - memory.occurred_at) > timedelta(hours=1):
        words += f", recorded {age_in_words(memory.recorded_at, moment)}"
    return words


def _confidence(memory: Memory) -> str:
    reasoning = visible(memory.confidence.reasoning, newlines=False)
    return f"{memory.confidence.score:.2f}" + (f" ({reasoning})" if reasoning else "")


def _source(memory: Memory) -> str:
    file = memory.provenance.get("file", "")
    line = memory.provenance.get("line", "")
    return visible(f"{file}:{line}" if file and line else file, newlines=False)
