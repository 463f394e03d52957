"""A memory's history as a file: Markdown to read and to paste, or a picture. What agents wrote stays text in both."""

from __future__ import annotations

from collections.abc import Sequence

from tur_engine.records import Belief, LifeStep, Lineage
from tur_engine.text import visible

from ..drawing.wording import standing, when
from .exporting import inert, picture, row
from .remembering_life import branches, happened, telling


def as_markdown(belief: Belief, life: Sequence[LifeStep], lineage: Lineage) -> str:
    """The memory, its life as a table and its lineage as a list."""
    memory = belief.memory
    quoted = "\n".join(f"    {line}" for line in visible(memory.content).split("\n"))
    rows = [f"# History of {memory.short_id}", "", quoted, ""]
    rows += [f"- id: {belief.id}", f"- status: {inert(standing(belief))}", f"- scope: {inert(str(memory.scope))}"]
    rows += [f"- by: {inert(str(memory.author))}, {when(memory.occurred_at)}", "", "## Life", ""]
    rows += ["| event | when | | by | what happened | why |", "|---|---|---|---|---|---|"]
    for step in life:
        entry = step.entry
        cells = (str(entry.seq), when(entry.at), happened(step)[1], str(entry.actor), entry.summary, entry.reason)
        rows.append(row(cells))
    if lineage.descents:
        rows += ["", "## Lineage", ""]
        for each in branches(lineage):
            depth = len(each.stem) // 3
            how = f"{each.how}: " if each.how else ""
            said = inert(each.belief.memory.content)
            rows.append(f"{'  ' * depth}- {how}{each.belief.memory.short_id}, {inert(standing(each.belief))}: {said}")
    return "\n".join(rows) + "\n"


def as_svg(belief: Belief, life: Sequence[LifeStep], lineage: Lineage) -> str:
    """The same as a picture of plain text."""
    return picture(telling(belief, life, lineage), f"History of {belief.memory.short_id}")
