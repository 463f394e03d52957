"""What to read before starting: what holds at a place, within a budget."""

from __future__ import annotations

from ..errors import BadInput
from ..ledger import Reads
from ..probe.recall import holds, shadowed, waiting
from ..records import Belief, ContextItem, Scope, Status, WorkingContext
from ..text import counted
from .serving import Serving

_PAGE = 200
_AT_MOST = 2000
"""Memories looked at; beyond them a budget that is still not full stays so."""
_SMALLEST = 12
"""Tokens under which no memory fits."""
_HEADINGS = 24


class Recalling(Serving):
    """What to read before starting."""

    def context(
        self,
        *,
        path: str | None = None,
        branch: str | None = None,
        budget: int = 2000,
        session: str | None = None,
    ) -> WorkingContext:
        """Return what holds for a folder and branch, about `budget` tokens of it, with all the invariants first.

        Newest memories come first after them; a contested one brings its other side, below it where that is held.
        What is superseded, held for itself or shadowed by a narrower memory is not among them. With a `session` ("" for
        one without a name) it is noted that the actor was handed them. Raises BadInput; StoreError where a store above
        cannot be read.
        """
        if budget < 1:
            raise BadInput(f"a budget of {counted(budget, 'token')} holds nothing; give 50 or more")
        here = Scope(path=path or None, branch=branch or None)
        invariants = self._above_in_force(here)
        with self._reads() as (_, reads):
            approved = [belief for mid in reads.approved_rows() if holds(belief := reads.belief(mid), here)]
            invariants += [ContextItem(belief=belief) for belief in approved]
            left = budget - _HEADINGS - sum(item.tokens for item in invariants)
            memories, more = _newest(reads, here, left)
            self._note_served(reads, [*approved, *(item.belief for item in memories)], session)
        return WorkingContext(invariants=tuple(invariants), memories=tuple(memories), budget=budget, more=more)

    def _above_in_force(self, here: Scope) -> list[ContextItem]:
        above = self._gate.above
        return [
            ContextItem(belief=reads.belief(memory.seq), store=str(path))
            for path, _, reads, _, invariants in (above.standing(here) if above is not None else ())
            for memory in invariants
        ]


def _newest(reads: Reads, here: Scope, left: int) -> tuple[list[ContextItem], bool]:
    chosen: dict[str, ContextItem] = {}
    after, looked, more = 0, 0, False
    while page := reads.with_status((Status.ACTIVE, Status.SUSPECT), limit=_PAGE, after=after):
        for mid in page:
            group = _with_other_sides(reads, mid, here, chosen)
            cost = sum(item.tokens for item in group)
            if cost > left:
                more = True
                continue
            left -= cost
            chosen.update((item.belief.memory.digest, item) for item in group)
        after, looked = page[-1], looked + len(page)
        if left < _SMALLEST or looked >= _AT_MOST:
            more = more or bool(reads.with_status((Status.ACTIVE, Status.SUSPECT), limit=1, after=after))
            break
    return list(chosen.values()), more


def _with_other_sides(reads: Reads, mid: int, here: Scope, chosen: dict[str, ContextItem]) -> list[ContextItem]:
    """The memory, where it belongs here and is not there yet, and what it is contested by."""
    first = reads.belief(mid)
    if first.memory.digest in chosen or not _belongs(reads, first, here):
        return []
    group = [first]
    for digest in first.contested_by:
        other = reads.mid(digest)
        if other is not None and digest not in chosen and reads.status(other).live:
            belief = reads.belief(other)
            if _belongs(reads, belief, here):
                group.append(belief)
    return [ContextItem(belief=belief, others=waiting(reads, belief, here)) for belief in group]


def _belongs(reads: Reads, belief: Belief, here: Scope) -> bool:
    unfit = belief.approved or belief.memory.redacted
    return not unfit and holds(belief, here) and not shadowed(reads, belief, here)
