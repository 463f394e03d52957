"""Why a memory is believed: its support down to the premises, and how what fell was defeated (Doyle's well-founded
support). Each memory is told once, so shared grounds and circles in old data cost nothing more.
"""

from __future__ import annotations

from collections import deque

from ..ledger import Reads
from ..ledger.codec import unstamp
from ..ontology import EdgeType
from ..records import Defeat, Grounded, Justification, Relation, Support
from .cascade import FALLEN
from .labels import broken_grounds
from .view import View

MOST_TOLD = 400


def why(reads: Reads, mid: int, most: int = MOST_TOLD) -> Support:
    """Return the support of a memory, nearest first, at most so many memories."""
    view = View(reads)
    about = reads.digest(mid)
    nodes: dict[str, Grounded] = {}
    queue, seen = deque([about]), {about}
    left_out: set[str] = set()
    while queue:
        digest = queue.popleft()
        nodes[digest] = _grounded(reads, view, digest)
        for ground in grounds_of(nodes[digest]):
            if ground in seen or ground in left_out:
                continue
            if len(seen) < most:
                seen.add(ground)
                queue.append(ground)
            else:
                left_out.add(ground)
    return Support(about=about, nodes=tuple(nodes.values()), circles=_circles(nodes, about), left_out=len(left_out))


def grounds_of(node: Grounded) -> list[str]:
    """Return the digests that a memory rests on directly, in the order in which they are told."""
    told = [ground.target for each in node.justifications for ground in each.grounds]
    return list(dict.fromkeys([*told, *(relation.target for relation in node.beside)]))


def _grounded(reads: Reads, view: View, digest: str) -> Grounded:
    mid = reads.mid(digest)
    assert mid is not None
    belief = reads.belief(mid)
    broken = broken_grounds(view, digest)
    grounds: dict[int, list[Relation]] = {}
    beside = []
    for number, kind, target in view.grounds(digest):
        relation = Relation(type=kind, target=target)
        if kind == EdgeType.REFINES:
            beside.append(relation)
        else:
            grounds.setdefault(number, []).append(relation)
    beside += [Relation(type=kind, target=target) for kind, target in view.reached(digest)]
    return Grounded(
        belief=belief,
        justifications=tuple(
            _justification(reads, number or mid, grounds[number], broken) for number in sorted(grounds)
        ),
        beside=tuple(dict.fromkeys(beside)),
        defeat=_defeat(reads, mid) if belief.status in FALLEN else None,
        reaffirmed=tuple(sorted(view.waived(digest))),
    )


def _justification(reads: Reads, seq: int, grounds: list[Relation], broken: set[str]) -> Justification:
    at, actor, data = reads.event(seq)
    by = reads.memory(seq).author if "memory" in data else actor
    whole = not any(ground.target in broken for ground in grounds)
    return Justification(seq=seq, by=by, at=unstamp(at), grounds=tuple(dict.fromkeys(grounds)), whole=whole)


def _defeat(reads: Reads, mid: int) -> Defeat:
    """How a memory fell: the decision behind it, also where an undo brought that back."""
    seq = origin = reads.stands_since(mid)
    while reads.kind(origin) == "undone" and "undoes" in reads.event(int(reads.event(origin)[2]["undoes"]))[2]:
        origin = int(reads.event(int(reads.event(origin)[2]["undoes"]))[2]["undoes"])
    at, actor, data = reads.event(origin)
    lost = reads.lost_to(mid)
    conflict = data.get("conflict")
    return Defeat(
        status=reads.status(mid),
        verb=str(data.get("decision", {}).get("verb") or reads.kind(origin)),
        by=actor,
        at=unstamp(at),
        reason=reads.reason(data),
        seq=seq,
        winner=reads.digest(lost[0]) if lost else None,
        conflict_id=f"conflict-{conflict}" if conflict else None,
    )


def _circles(nodes: dict[str, Grounded], about: str) -> tuple[tuple[str, str], ...]:
    """Steps that lead back to a memory on the way to it."""
    found: list[tuple[str, str]] = []
    done: set[str] = set()
    way = [about]
    left = [iter(grounds_of(nodes[about]))]
    while left:
        step = next(left[-1], None)
        if step is None:
            left.pop()
            done.add(way.pop())
        elif step in way:
            found.append((way[-1], step))
        elif step in nodes and step not in done:
            way.append(step)
            left.append(iter(grounds_of(nodes[step])))
    return tuple(dict.fromkeys(found))
