"""What agents write is shown on the admin screen, never obeyed."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from tests.ui.governing import IVO, MARA, StandIn, belief, key, proposal
from tests.ui.making import MOMENT
from tests.ui.reviewer import reviewing
from tests.ui.stage import HOSTILE
from tur_engine.records import Author, AuthorKind, Objection, ProposalKind, Signature, SignedEntry

DANGER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
NASTY = (
    "title \x1b]0;x\x07 bell [/b] [@click=app.quit]here[/] \u202egnihton\u202c pass\u200bword",
    "数据库迁移由 Alembic 执行，每天两次。" * 30,
    "word" * 2500,
    "word " * 2000,
    HOSTILE,
)


def hostile(text: str) -> StandIn:
    """A proposal whose every part says it; past the gate's own checks."""
    name = Author.model_construct(kind=AuthorKind.AGENT, name=text[:300])
    memory = belief(text, approved=False, author=name)
    objection = Objection(belief=memory, probability=0.7, sentence=text, blocks=False)
    signature = Signature(key_id=IVO.id, name=text[:300], seq=1, at=MOMENT, valid=False, reason=text)
    kinds = (ProposalKind.ADOPT, ProposalKind.RETIRE, ProposalKind.PROMOTE)
    made = [
        proposal(
            f"{kind} {text}",
            kind,
            memory=belief(f"{kind} {text}", approved=False, author=name, core_type=text, derived_principle=text),
            replaces=[memory] if kind is ProposalKind.ADOPT else [],
            promotes=memory if kind is ProposalKind.PROMOTE else None,
            reason=text,
            by=name,
            seq=number,
        ).model_copy(update={"signatures": (signature,)})
        for number, kind in enumerate(kinds)
    ]
    governor = StandIn(made, keys=[MARA, key(text[:300] or "x", here=True, seq=3)], objections=[objection])
    governor.dependants = (memory,)
    governor.log = [
        SignedEntry(
            seq=9, at=MOMENT, act="approve", key_id=IVO.id, name=text[:300], subject=text, reason=text, valid=False
        )
    ]
    return governor


@pytest.mark.parametrize("text", NASTY, ids=lambda text: text[:4])
async def test_hostile_text_is_shown_and_not_obeyed(text: str) -> None:
    governor = hostile(text)
    async with reviewing(governor, (80, 24)) as person:
        seen = [person.text]
        for pressed in ("n", "space", "n", "v", "g", "w", "R", "shift+tab"):
            await person.press(pressed)
            seen.append(person.text)
            assert all(cell_len(row) <= 80 for row in person.text.splitlines())
        await person.press("escape")
        await person.unlock()
        for pressed in ("A", "end", "escape", "R"):
            await person.press(pressed)
            seen.append(person.text)
        assert person.app.is_running
        assert not DANGER.search("".join(seen).replace("\n", ""))
        assert governor.asked == []
    if text is NASTY[0]:
        assert any("‹U+001B›" in each and "[/b]" in each for each in seen)
        assert any("[@click=app.quit]" in each and "‹RLO›" in each for each in seen)
