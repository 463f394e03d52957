"""RECORD through the gate: intents with `contradicts`, and objects as content (Akashik 6.3; CONTRACTS 8)."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from ..errors import BadInput, DiskFull, StoreBusy
from ..ontology import EdgeType
from ..records import Confidence, Draft, LearnResult, MemoryType, OnConflict, Outcome, Relation, Scalar, Status
from ..records.fields import SCOPING_KEYS
from ..records.memory import check_scalar
from ..text import excerpt
from .detect import described
from .envelope import Envelope
from .refusal import Code, Refused, not_one_of

if TYPE_CHECKING:
    from ..engine import Engine

KEYS = ("mode", "type", "content", "intent", "confidence", "relations")
GENERATED = ("id", "epoch", "source", "status")
TYPES = {
    "finding": MemoryType.FACT,
    "observation": MemoryType.FACT,
    "decision": MemoryType.PREFERENCE,
    "question": MemoryType.FACT,
    "intention": MemoryType.FACT,
    "assumption": MemoryType.FACT,
    "constraint": MemoryType.FACT,
    "contradiction": MemoryType.FACT,
    "synthesis": MemoryType.INSIGHT,
    "correction": MemoryType.FACT,
    "human_directive": MemoryType.PREFERENCE,
}
"""The protocol's eleven types. An agent's directive binds nobody: what binds is proposed and signed."""
RELATIONS = {"contradicts": EdgeType.CONTRADICTS, "depends_on": EdgeType.DEPENDS_ON, "elaborates": EdgeType.REFINES}
"""Relations that have force here; the other six are kept as descriptive edges under their own names."""
_HELD = "it is held, and not believed until a person decides"
OTHERS = ("supports", "supersedes", "caused_by", "answers", "blocks", "informs")


EPOCH = "akashik epoch"
"""What a unit's provenance calls the epoch it was recorded at."""
_LATEST = 1000


def highest_epoch(engine: Engine) -> int:
    """Return the highest epoch that the latest units of a ledger were recorded at; 0 where none names one."""
    told = (each.memory.provenance.get(EPOCH, "") for each in engine.memories(status=tuple(Status), limit=_LATEST))
    return max((int(epoch) for epoch in told if epoch.isascii() and epoch.isdecimal() and len(epoch) < 17), default=0)


def record(engine: Engine, message: Envelope, epoch: int) -> dict[str, Any]:
    """Take a unit in and return the bare response; `memory_unit` shows what the field made of it. Raises Refused."""
    payload = message.payload
    _check_keys(payload)
    mode = payload.get("mode")
    if mode not in ("draft", "committed"):
        raise not_one_of("mode", mode, ["draft", "committed"])
    kind = payload.get("type")
    if kind not in TYPES:
        raise not_one_of("type", kind, list(TYPES), Code.INVALID_TYPE)
    purpose = _intent(payload.get("intent"))
    confidence = _confidence(payload.get("confidence"), required=mode == "committed")
    draft = _draft(engine, message, kind, purpose, confidence, epoch)
    if mode == "draft":
        return _drafted(engine, message, draft, epoch)
    try:
        result = engine.learn(draft, on_conflict=OnConflict.ALLOW)
    except DiskFull as error:
        raise Refused(Code.STORAGE_FULL, str(error), "make room and send it again") from None
    except (StoreBusy, TimeoutError) as error:
        raise Refused(Code.DETECTION_TIMEOUT, f"{error}; nothing was stored", "send it again") from None
    return _answered(engine, message, result, epoch)


def _check_keys(payload: dict[str, Any]) -> None:
    if set_by_agent := [name for name in GENERATED if name in payload]:
        raise Refused(
            Code.INVALID_PAYLOAD,
            f"RECORD carries {', '.join(set_by_agent)}, which the field generates",
            f"leave out {', '.join(GENERATED)}",
        )
    if extra := sorted(set(payload) - set(KEYS)):
        raise Refused(Code.INVALID_PAYLOAD, f"RECORD has no {', '.join(extra)}", f"its fields are {', '.join(KEYS)}")


def _intent(intent: object) -> str:
    purpose = intent.get("purpose") if isinstance(intent, dict) else None
    if not isinstance(purpose, str) or not purpose.strip():
        raise Refused(Code.MISSING_INTENT, "the unit has no intent.purpose", "say in a sentence what it is for")
    return purpose


def _confidence(given: object, *, required: bool) -> Confidence:
    given = {} if given is None else given
    if not isinstance(given, dict):
        raise Refused(Code.INVALID_CONFIDENCE, "confidence is no object", "give score and reasoning")
    score, reasoning = given.get("score"), given.get("reasoning")
    if score is not None and (
        isinstance(score, bool)
        or not isinstance(score, (int, float))
        or not math.isfinite(score)
        or not 0 <= score <= 1
    ):
        raise Refused(Code.INVALID_CONFIDENCE, f"confidence.score is {score!r}", "give a number from 0 to 1")
    if required and (score is None or not isinstance(reasoning, str) or not reasoning.strip()):
        raise Refused(
            Code.MISSING_CONFIDENCE,
            "a committed unit needs confidence.score and confidence.reasoning",
            "give both, or record a draft",
        )
    lists = {name: given.get(name) or [] for name in ("evidence", "assumptions")}
    for name, texts in lists.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise Refused(Code.INVALID_CONFIDENCE, f"confidence.{name} is no list of texts", "give a list, or nothing")
    try:
        return Confidence(
            score=1.0 if score is None else score,
            reasoning=reasoning if isinstance(reasoning, str) else "",
            evidence=tuple(lists["evidence"]),
            assumptions=tuple(lists["assumptions"]),
        )
    except BadInput as error:
        raise Refused(Code.INVALID_CONFIDENCE, str(error), "send plain text") from None


def structured(content: dict[str, Any]) -> tuple[str, str | None, dict[str, Scalar]]:
    """Return text, topic and fields of an object: its scoping key and its primitive members. Raises BadInput.

    Members that are objects or lists are in the text only: DETECT never compares them.
    """
    fields = {
        name: check_scalar(name, value)
        for name, value in content.items()
        if value is None or isinstance(value, (bool, int, float, str))
    }
    named = (value for key in SCOPING_KEYS if isinstance(value := fields.get(key), str) and value.strip())
    topic = next(named, None)
    told = [
        f"{name} = {json.dumps(value, ensure_ascii=False, sort_keys=True)}"
        for name, value in content.items()
        if not (name in SCOPING_KEYS and value == topic)
    ]
    text = f"{topic}: {', '.join(told)}" if topic and told else topic or ", ".join(told)
    return text, topic, fields


def _draft(engine: Engine, message: Envelope, kind: str, purpose: str, confidence: Confidence, epoch: int) -> Draft:
    content = message.payload.get("content")
    topic: str | None = None
    fields: dict[str, Scalar] = {}
    provenance = {"akashik type": kind, "akashik purpose": excerpt(purpose, 1000), EPOCH: str(epoch)}
    if message.agent_id not in (engine.actor.name, str(engine.actor)):
        provenance["akashik agent"] = excerpt(message.agent_id, 1000)
    try:
        if isinstance(content, dict):
            content, topic, fields = structured(content)
        if not isinstance(content, str):
            raise BadInput("content is neither text nor an object")
        relations = _relations(engine, message.payload.get("relations"), provenance)
        return Draft(
            content=content,
            type=TYPES[kind],
            topic=topic or ("constraint" if kind == "constraint" else None),
            fields=fields,
            relations=relations,
            author=engine.actor,
            confidence=confidence,
            session=message.session_id or None,
            provenance=provenance,
        )
    except BadInput as error:
        raise Refused(Code.INVALID_PAYLOAD, str(error), "send what can be kept") from None


def _relations(engine: Engine, given: object, provenance: dict[str, str]) -> tuple[Relation, ...]:
    """Return the relations; a description of a contradiction is kept with the unit. Raises Refused."""
    if given is None:
        return ()
    if not isinstance(given, list):
        raise Refused(Code.INVALID_PAYLOAD, "relations is no list", "give a list of {type, target_id, description}")
    found = []
    for each in given:
        name = each.get("type") if isinstance(each, dict) else None
        target = each.get("target_id") if isinstance(each, dict) else None
        if name not in RELATIONS and name not in OTHERS:
            raise not_one_of("relations[].type", name, [*RELATIONS, *OTHERS])
        if not isinstance(target, str) or not target:
            raise Refused(Code.INVALID_PAYLOAD, f"the relation {name} has no target_id", "name the unit it points at")
        try:
            memory = engine.memory(target).memory
        except BadInput as error:
            raise Refused(Code.UNIT_NOT_FOUND, str(error), "name a unit as RECORD or recall gave it") from None
        found.append(Relation(type=str(RELATIONS.get(name, name)), target=memory.id))
        if name == "contradicts" and isinstance(said := each.get("description"), str) and said.strip():
            provenance[described(memory.digest)] = excerpt(said, 1000)
    return tuple(found)


def _drafted(engine: Engine, message: Envelope, draft: Draft, epoch: int) -> dict[str, Any]:
    """A draft is a note: an event, never a side of a conflict."""
    result = engine.note(draft.content, session=message.session_id)
    unit = _unit(message, draft, f"draft-{result.seq}", "draft", epoch)
    return _accepted(f"draft-{result.seq}", epoch, [], unit, list(result.warnings))


def _answered(engine: Engine, message: Envelope, result: LearnResult, epoch: int) -> dict[str, Any]:
    if result.outcome is Outcome.INVARIANT and result.invariant is not None:
        from .. import payloads

        return {
            "status": "rejected",
            "memory_unit_id": None,
            "epoch": epoch,
            "conflicts_detected": [],
            "rejection_reason": payloads.invariant_error(result.invariant.memory.short_id),
        }
    if result.id is None:
        raise Refused(Code.INTERNAL_ERROR, f"the gate answered {result.outcome} without an id", "see `tur history`")
    held = result.outcome is Outcome.CONFLICT
    conflicts = [report.conflict.id for report in result.conflicts]
    belief = engine.memory(result.id)
    unit = _unit(message, belief.memory, belief.id, "contested" if held or belief.contested else "active", epoch)
    unit["source"]["timestamp"] = belief.memory.recorded_at.isoformat().replace("+00:00", "Z")
    return _accepted(result.id, epoch, conflicts, unit, [*result.warnings, *([_HELD] if held else [])])


def _accepted(id: str, epoch: int, conflicts: list[str], unit: dict[str, Any], warnings: list[str]) -> dict[str, Any]:
    """Return the response; `warnings` is ours, as `memory_unit` is."""
    return {
        "status": "accepted",
        "memory_unit_id": id,
        "epoch": epoch,
        "conflicts_detected": conflicts,
        "rejection_reason": None,
        "memory_unit": unit,
        "warnings": warnings,
    }


def _unit(message: Envelope, made: Any, id: str, status: str, epoch: int) -> dict[str, Any]:
    """Return the unit as the field keeps it (5.2); `fields` is ours."""
    from datetime import UTC, datetime

    intent = message.payload["intent"]
    return {
        "id": id,
        "mode": message.payload["mode"],
        "type": message.payload["type"],
        "content": made.content,
        "intent": {name: intent.get(name) for name in ("purpose", "task_id", "question")},
        "confidence": made.confidence.model_dump(mode="json"),
        "source": {
            "agent_id": message.agent_id,
            "agent_role": str(made.author.kind),
            "session_id": message.session_id,
            "timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        },
        "relations": [{"type": r.type, "target_id": r.target, "description": None} for r in made.relations],
        "status": status,
        "epoch": epoch,
        "fields": dict(made.fields),
    }
