"""A conflict as a file: Markdown to read and to paste, or a picture. What agents wrote stays text in both."""

from __future__ import annotations

from tur_engine.records import Belief

from ..drawing.wording import content, standing
from .exporting import COLUMNS, inert, picture, row
from .telling import Account, told


def as_markdown(account: Account) -> str:
    """The two texts, why they clash, what each verb would do, and what happened so far."""
    conflict = account.conflict
    assert conflict is not None
    rows = [f"# {conflict.id}", ""]
    rows += [
        f"{conflict.probability:.0%} likely that the two cannot both hold; {conflict.conflict_type}, found by "
        f"{conflict.detected_by} evidence. State: {conflict.state}.",
        "",
    ]
    for title, side in (("Existing", conflict.incumbent), ("New", conflict.challenger)):
        rows += _side(title, side)
    rows += ["## Why", ""]
    rows += [
        f"- {each.weight:+.2f} {inert(each.kind)}: {inert(each.sentence)}"
        for each in sorted(conflict.evidence, key=lambda piece: -abs(piece.weight))
    ] or ["- no evidence is recorded"]
    if account.previews:
        rows += ["", "## What each verb would do", "", "| verb | effects |", "|---|---|"]
        for preview in account.previews.values():
            effects = "; ".join(each.sentence for each in preview.effects) or "nothing changes"
            said = effects if preview.allowed else f"not possible. {preview.reason}"
            rows.append(row((preview.verb, said)))
    rows += ["", "## So far", "", "| event | by | what happened | why |", "|---|---|---|---|"]
    for entry in account.history:
        rows.append(row((str(entry.seq), str(entry.actor), entry.summary, entry.reason)))
    return "\n".join(rows) + "\n"


def as_svg(account: Account) -> str:
    """The same as a picture of plain text."""
    return picture(told(account, COLUMNS - 2), account.conflict.id[:17] if account.conflict else "memory")


def _side(title: str, belief: Belief) -> list[str]:
    memory = belief.memory
    quoted = [f"    {line}" for line in content(memory).split("\n")]
    facts = f"{belief.id}, {standing(belief)}, scope {memory.scope}, by {memory.author}"
    return [f"## {title}", "", *quoted, "", inert(facts), ""]
