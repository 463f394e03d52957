"""What a decision lets in stays held where an invariant, or a quarantine, stands against it (CONTRACTS 2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.effects import Effect
from ..records import Author, Scope
from .guard import Bar, Guard
from .plan import Plan


class LettingIn:
    """Decisions that may let held memories in."""

    def __init__(self, guard: Guard) -> None:
        """`guard` is the gate's word on every held memory that a decision would let in."""
        self.guard = guard

    def let_in(
        self,
        reads: Reads,
        replan: Callable[[Collection[str]], Plan],
        decided_by_people: str = "",
        guard: Guard | None = None,
    ) -> tuple[Plan, dict[str, list[Bar]]]:
        """Plan until nothing is let in that an invariant or a quarantine stands against.

        A person's verb on a candidate is the word that a quarantine, or a suspicion from another store, waits for.
        `guard` is asked in place of the gate: by a preview, which need not weigh the same memory for each verb.
        """
        barred: dict[str, list[Bar]] = {}

        def standing(digest: str, scope: Scope | None) -> list[Bar]:
            found = (guard or self.guard)(reads, digest, scope)
            return [bar for bar in found if not (bar.waivable and digest == decided_by_people)]

        while True:
            made = replan(barred)
            found = {
                digest: bars
                for digest, scope in made.admitted.items()
                if digest not in barred and (bars := standing(digest, scope))
            }
            barred |= found
            if not found:
                return made, barred


def refuse_quarantined(reads: Reads, actor: Author, verb: str) -> None:
    """Raise NotAllowed where the actor is quarantined."""
    if reads.quarantined(actor):
        raise NotAllowed(f"{actor} is quarantined; {verb} is for people until it is released")


def opened(bars: Mapping[str, Sequence[Bar]]) -> list[Effect]:
    """Return the conflicts that keep memories held."""
    return [effect for found in bars.values() for bar in found for effect in bar.effects]
