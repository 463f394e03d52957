"""What falls with a memory: everything live that rests on it, directly or not, becomes suspect (CONTRACTS 7).

Suspect, not retired: the ground is gone, the claim may still be true. A person or a new support decides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from ..records import Status
from .view import View

FALLEN = (Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)


def suspects_of(view: View, fallen: str, spared: Collection[str] = ()) -> list[str]:
    """Return the digests to be marked, nearest first. Cost grows with what is affected."""
    return [digest for digest in _resting_on(view, fallen, spared) if not view.suspected(digest, fallen)]


def shaken(view: View, arriving: str, at: Callable[[str], Status], grounds: Collection[str]) -> list[tuple[str, str]]:
    """Return (memory, cause) for one that comes in, or back, onto ground that fell meanwhile; dependants included.

    `at` says where a memory stands once the event has happened.
    """
    causes: dict[str, None] = {}
    for ground in grounds:
        if at(ground) in FALLEN:
            causes[ground] = None
        elif at(ground) is Status.ACTIVE:
            causes.update(dict.fromkeys(view.causes(ground)))
    above = [arriving, *_resting_on(view, arriving, ())] if causes else []
    return [(digest, cause) for cause in causes for digest in above if not view.suspected(digest, cause)]


def _resting_on(view: View, digest: str, spared: Collection[str]) -> Iterator[str]:
    found: set[str] = {digest, *spared}
    frontier = [digest]
    while frontier:
        below = dict.fromkeys(d for above in frontier for d in view.dependants(above) if d not in found)
        found.update(below)
        yield from below
        frontier = list(below)
