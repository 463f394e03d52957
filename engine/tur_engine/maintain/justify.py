"""A memory confirmed on other grounds: one more justification, and any whole one is enough (CONTRACTS 7)."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..ledger import Reads
from ..ledger.effects import Effect, edge
from ..ontology import EdgeType
from ..ontology.signatures import ACYCLIC, told_cycle
from ..records import Relation
from .labels import with_marks
from .view import View


def another_justification(reads: Reads, mid: int, relations: Sequence[Relation]) -> list[Effect]:
    """Return the effects of a confirmation's grounds; none where the memory has this justification already.

    Raises BadInput where a ground rests on the memory itself.
    """
    view = View(reads)
    digest = reads.digest(mid)
    supports = [r for r in relations if view.supports(r.type)]
    known: dict[int, set[tuple[str, str]]] = {}
    for number, kind, ground in view.grounds(digest):
        if kind != EdgeType.REFINES:
            known.setdefault(number, set()).add((kind, ground))
    if not supports or {(r.type, r.target) for r in supports} in known.values():
        return []
    for relation in supports:
        _refuse_circle(reads, mid, relation)
    return with_marks(view, [edge(digest, r.target, r.type) for r in supports], justifies=True)


def _refuse_circle(reads: Reads, mid: int, relation: Relation) -> None:
    target = reads.mid(relation.target)
    assert target is not None
    if target == mid:
        raise BadInput(f"{reads.memory(mid).short_id} says this already and cannot rest on itself; name another ground")
    if relation.type in ACYCLIC and (way := reads.path_between(target, mid, (relation.type,))):
        names = [reads.memory(each).short_id for each in (mid, *way)]
        raise BadInput(f"{told_cycle(relation.type, names)}; name another ground")
