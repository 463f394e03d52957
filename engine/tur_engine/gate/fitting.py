"""A draft's place in the belief graph: its node type, and edges whose ends fit (EP-0126, tiers 1 to 3)."""

from __future__ import annotations

from pathlib import Path

from .. import ontology
from ..errors import BadInput
from ..ledger import Reads
from ..ontology.signatures import misfit
from ..records import Draft, Relation


def fitted(reads: Reads, draft: Draft, store: Path) -> Draft:
    """Return the draft with edges by their kept names and full digests. Raises BadInput, UnknownId, AmbiguousId.

    A new memory has no edge that ends in it yet, so none of its own can close a circle.
    """
    if not draft.relations and draft.node_type is None:
        return draft
    from ..govern.persona import declared

    persona = declared(store)
    given = None if draft.node_type is None else ontology.node_name(draft.node_type, persona.node_types)
    kind = ontology.node_type_of(draft.type, given)
    relations: dict[Relation, None] = {}
    for relation in draft.relations:
        name = ontology.normalise_edge_type(relation.type, persona.edge_types)
        mid = reads.find_memory(relation.target)
        memory = reads.memory(mid)
        if wrong := misfit(name, kind, ontology.node_type_of(memory.type, memory.node_type)):
            raise BadInput(f"{wrong} ({memory.short_id}); use another edge type, or give the node type it has")
        relations[Relation(type=name, target=memory.digest)] = None
    named = None if given == ontology.node_type_of(draft.type) else given
    return draft.model_copy(update={"relations": tuple(relations), "node_type": named})
