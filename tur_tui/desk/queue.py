"""The desk: the queue of open conflicts, where the person stands in it, what was settled in this sitting.

A plain class without a widget. The engine decides the order of the queue and the truth of every state; the desk
only decides which conflict is in front of the person.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tur_engine.records import Conflict, ResolutionResult, Verb

from .grouping import groups


@dataclass(frozen=True)
class Settled:
    """One decision of this sitting."""

    conflict: Conflict
    """As it stood afterwards."""
    verb: Verb
    seq: int
    """The event that undo is to take back."""


@dataclass(frozen=True)
class Change:
    """What a fresh queue brought."""

    arrived: tuple[Conflict, ...] = ()
    gone: tuple[Conflict, ...] = ()
    """Settled by somebody else, as far as the desk knows."""


class Desk:
    """Queue, position, and the undo stack of one sitting."""

    def __init__(self) -> None:
        self._queue: list[Conflict] = []
        self._current: str | None = None
        self._deferred: dict[str, None] = {}
        self._marked: set[str] = set()
        self._groups: dict[str, int] = {}
        self._settled: list[Settled] = []
        self._undone = 0

    @property
    def queue(self) -> tuple[Conflict, ...]:
        """Open conflicts, in the order `n` walks them."""
        return tuple(self._queue)

    @property
    def current(self) -> Conflict | None:
        """The conflict in front of the person."""
        return None if self._current is None else self.get(self._current)

    @property
    def settled(self) -> tuple[Settled, ...]:
        """What was settled in this sitting and not undone, oldest first."""
        return tuple(self._settled)

    @property
    def last_settled(self) -> Settled | None:
        """What undo takes back next."""
        return self._settled[-1] if self._settled else None

    @property
    def undone(self) -> int:
        """The event of this sitting's last undo; undoing that brings the decision back. 0 where there was none."""
        return self._undone

    @property
    def place(self) -> int:
        """Place of the current conflict in the queue, from 1; 0 for none."""
        place = self._place(self._current)
        return 0 if place is None else place + 1

    @property
    def beside(self) -> tuple[Conflict, ...]:
        """Those that one step leads to: the next, then the one before."""
        place = self._place(self._current)
        if place is None:
            return ()
        steps = (self._queue[(place + by) % len(self._queue)] for by in (1, -1))
        return tuple({each.id: each for each in steps if each.id != self._current}.values())

    @property
    def counter(self) -> str:
        """`3 of 17, 2 settled`."""
        where = f"{self.place} of {len(self._queue)}" if self._queue else "no open conflict"
        return f"{where}, {len(self._settled)} settled"

    @property
    def marked(self) -> tuple[Conflict, ...]:
        """Those marked for one verb, in the order of the queue."""
        return tuple(each for each in self._queue if each.id in self._marked)

    def mark(self) -> Conflict | None:
        """Mark the current conflict, or take its mark away, and step on; the one that was in front."""
        current = self.current
        if current is not None:
            self._marked ^= {current.id}
            self._step(1)
        return current

    def mark_group(self) -> int:
        """Mark all that is about the subject of the current conflict, or take those marks away; how many there are."""
        ids = {each.id for each in self.group}
        self._marked = self._marked - ids if ids <= self._marked else self._marked | ids
        return len(ids)

    def clear_marks(self) -> bool:
        """Take every mark away; False where there was none."""
        had, self._marked = bool(self._marked), set()
        return had

    @property
    def group(self) -> tuple[Conflict, ...]:
        """The open conflicts about the same subject as the current one, itself among them."""
        if self._current not in self._groups:
            return ()
        number = self._groups[self._current]
        return tuple(each for each in self._queue if self._groups[each.id] == number)

    def load(self, conflicts: Iterable[Conflict]) -> Change:
        """Take the engine's queue. The current conflict stays current as long as it is open.

        Where it is gone, its place in the queue decides who is next.
        """
        before, place = self._queue, self._place(self._current)
        self._queue = self._ordered(conflicts)
        ids, known = {each.id for each in self._queue}, {each.id for each in before}
        self._deferred = {id_: None for id_ in self._deferred if id_ in ids}
        self._marked &= ids
        if self._current not in ids:
            first = self._queue[0].id if self._queue else None
            self._current = self._successor(before, place, ids) or first
        return Change(
            arrived=tuple(each for each in self._queue if each.id not in known),
            gone=tuple(each for each in before if each.id not in ids),
        )

    def get(self, conflict_id: str) -> Conflict | None:
        """The open conflict of this id."""
        place = self._place(conflict_id)
        return None if place is None else self._queue[place]

    def select(self, conflict_id: str) -> bool:
        """Put this conflict in front; False where it is not in the queue."""
        if self._place(conflict_id) is None:
            return False
        self._current = conflict_id
        return True

    def next(self) -> Conflict | None:
        """Step to the next open conflict, from the last to the first."""
        return self._step(1)

    def previous(self) -> Conflict | None:
        """Step to the one before, from the first to the last."""
        return self._step(-1)

    def defer(self) -> Conflict | None:
        """Leave the current one for later: to the end of the queue, and on to the next. Nothing is written."""
        current = self.current
        if current is None:
            return None
        following = self._after(current.id)
        self._deferred.pop(current.id, None)
        self._deferred[current.id] = None
        self._queue = self._ordered(self._queue)
        self._current = following or current.id
        return self.current

    def take_settled(self, result: ResolutionResult, queue: Iterable[Conflict]) -> Change:
        """A verb was done: remember it and move on.

        A candidate's other pairs come first, since nothing changes before all of them are settled.
        """
        decided = result.conflict.id
        self._settled.append(Settled(result.conflict, Verb(result.verb), result.seq))
        if self._current == decided:
            waiting = next((id_ for id_ in result.waiting if self._place(id_) is not None), None)
            self._current = waiting or self._after(decided) or decided
        return self.load(queue)

    def take_batch(self, results: Iterable[ResolutionResult], queue: Iterable[Conflict]) -> Change:
        """One verb was done on several: remember each, so that undo takes them back one by one."""
        self._settled += [Settled(each.conflict, Verb(each.verb), each.seq) for each in results]
        self._marked.clear()
        return self.load(queue)

    def take_undone(self, result: ResolutionResult, queue: Iterable[Conflict]) -> Change:
        """An undo was done: forget the decision and select what came back.

        Where several conflicts come back, the one between the two memories that were decided on.
        """
        self._undone = result.seq
        decided = self._settled.pop().conflict if self._settled else result.conflict
        change = self.load(queue)
        back = [each for each in self._queue if each.id in (*result.reopened, result.conflict.id)]
        back.sort(key=lambda each: _sides(each) != _sides(decided))
        if back:
            self._current = back[0].id
        return change

    def _step(self, by: int) -> Conflict | None:
        place = self._place(self._current)
        if place is None:
            return None
        self._current = self._queue[(place + by) % len(self._queue)].id
        return self.current

    def _place(self, conflict_id: str | None) -> int | None:
        return next((i for i, each in enumerate(self._queue) if each.id == conflict_id), None)

    def _after(self, conflict_id: str) -> str | None:
        place = self._place(conflict_id)
        if place is None or len(self._queue) < 2:
            return None
        return self._queue[(place + 1) % len(self._queue)].id

    def _ordered(self, conflicts: Iterable[Conflict]) -> list[Conflict]:
        """The engine's order, with what is about one subject together at the place of its first.

        Then those already given a verb that waits for its siblings; then the deferred.
        """
        listed = list(conflicts)
        self._groups = groups(listed)
        ranks = {id_: rank for rank, id_ in enumerate(self._deferred)}
        return sorted(
            listed,
            key=lambda each: (
                each.id in ranks,
                ranks.get(each.id, 0),
                each.chosen is not None,
                self._groups[each.id],
            ),
        )

    @staticmethod
    def _successor(before: list[Conflict], place: int | None, open_now: set[str]) -> str | None:
        """Whoever followed the one that is gone and is still open; else the first of those before it."""
        if place is None:
            return None
        return next((each.id for each in (*before[place:], *before[:place]) if each.id in open_now), None)


def _sides(conflict: Conflict) -> tuple[str, str]:
    return conflict.incumbent.id, conflict.challenger.id
