"""The event by which a draft comes into the ledger, in whatever standing; or by which it is only noted."""

from __future__ import annotations

from typing import Any

from ..ledger import NewEvent, Reads
from ..ledger.bodies import body
from ..ledger.effects import Effect, arrive, edge
from ..maintain.labels import with_marks
from ..maintain.view import View
from ..ontology import EdgeType
from ..records import Author, EventKind, Status
from .finding import Deliberation


def arrival(
    reads: Reads,
    kind: EventKind,
    found: Deliberation,
    actor: Author,
    status: Status,
    vector: bytes | None,
) -> NewEvent:
    """Return the event: record, vector, edges, doubts, and one conflict for each clash (a proposal opens none)."""
    encoded = found.encoded
    bodies = list(encoded.bodies)
    embedding_ref = ""
    if vector is not None:
        bodies.append(body(vector))
        embedding_ref = bodies[-1].ref
    effects: list[Effect] = [arrive(encoded.digest, status, embedding_ref)]
    drawn = [r for r in encoded.draft.relations if r.type != EdgeType.CONTRADICTS]
    effects += [edge(encoded.digest, relation.target, relation.type) for relation in drawn]
    effects = with_marks(View(reads), effects)  # on ground that fell already it is suspect from the first
    for clash in found.clashes if status is not Status.PENDING else ():
        effect, packed = clash.opening(encoded.digest)
        effects.append(effect)
        bodies.append(packed)
    data: dict[str, Any] = {"memory": encoded.data, "effects": effects}
    return NewEvent(kind, actor, data, bodies).because("; ".join(found.kept) if status is Status.HELD else "")


def offered(kind: EventKind, actor: Author, found: Deliberation, about: str) -> NewEvent:
    """Return the event of a text that is not stored as a memory: it confirms one, or was rejected for one."""
    text = body(found.encoded.draft.content)
    return NewEvent(kind, actor, {"about": [about], "offered_ref": text.ref, "effects": []}, [text])


def turned_away(actor: Author, found: Deliberation, why: str) -> NewEvent:
    """Return the event of a text that was rejected for an invariant of another store."""
    text = body(found.encoded.draft.content)
    data: dict[str, Any] = {"about": [], "offered_ref": text.ref, "effects": []}
    return NewEvent(EventKind.REJECTED, actor, data, [text]).because(why)


def late(reads: Reads, found: Deliberation, actor: Author) -> NewEvent:
    """Return the event that puts a held candidate's conflicts with later invariants before people."""
    assert found.existing is not None
    data: dict[str, Any] = {
        "conflict": found.late[0][0],
        "about": [reads.digest(found.existing)],
        "effects": [effect for _, effect, _ in found.late],
    }
    event = NewEvent(EventKind.ESCALATED, actor, data, [packed for _, _, packed in found.late])
    return event.because("an invariant that came into force since may stand against it")
