"""The script of memories, learned line by line through the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tur_engine.engine import Engine
from tur_engine.records import Author, Draft, LearnResult, OnConflict, Relation

from .memories import Line


@contextmanager
def speaking(engine: Engine, author: Author) -> Iterator[None]:
    """The sample project has several authors, and what is recorded names who recorded it."""
    usual, engine.actor = engine.actor, author
    try:
        yield
    finally:
        engine.actor = usual


def learn(engine: Engine, lines: Iterable[Line], progress: Callable[[int], None] | None = None) -> int:
    """Learn every line; return how many the gate committed. `progress` is told the count so far."""
    committed, ids = 0, dict[str, str]()
    for done, line in enumerate(lines, start=1):
        with speaking(engine, line.author):
            result = engine.learn(draft(line, ids), on_conflict=OnConflict.HOLD)
        if result.id:
            ids[line.text] = result.id
        committed += result.outcome == "committed"
        if progress:
            progress(done)
    return committed


def news(engine: Engine, lines: Iterable[Line]) -> Iterator[tuple[Line, LearnResult]]:
    """Learn one line a step and tell how the gate answered."""
    for line in lines:
        with speaking(engine, line.author):
            result = engine.learn(draft(line, {}), on_conflict=OnConflict.HOLD)
        yield line, result


def draft(line: Line, ids: dict[str, str]) -> Draft:
    """The memory that a line offers; `ids` names what was learned before it, by text."""
    relations = (Relation(type="depends_on", target=ids[line.rests_on]),) if line.rests_on else ()
    return Draft(
        content=line.text,
        type=line.type,
        scope=line.scope,
        author=line.author,
        relations=relations,
        session="tidewatch-demo",
    )
