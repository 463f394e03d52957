"""The queue and one conflict without a screen: `tur-tui list` and `tur-tui show`, for pipes and for other programs."""

from __future__ import annotations

from typing import Any

from tur_engine.engine import Engine
from tur_engine.records import Belief, Conflict, Verb
from tur_engine.text import visible

from .desk.queue import Desk
from .desk.telling import Account, told
from .drawing.wording import counted
from .drawing.wrapping import fit
from .printing import print_json, print_lines, width_of_output


def list_conflicts(engine: Engine, *, as_json: bool = False) -> int:
    """Print the open conflicts in the order in which the workbench shows them; the exit code."""
    desk = Desk()
    desk.load(engine.conflicts())
    if as_json:
        print_json({"conflicts": [_row(each) for each in desk.queue], "total": len(desk.queue)})
        return 0
    if not desk.queue:
        print_lines(["No conflict is open."])
        return 0
    width = width_of_output()
    lines: list[str] = []
    for each in desk.queue:
        lines.append(f"{engine.short(each.id)}  {each.probability:4.0%}  {each.conflict_type}, {each.detected_by}")
        for word, side in (("existing", each.incumbent), ("new     ", each.challenger)):
            head = f"  {word}  {side.memory.short_id}  "
            lines.append(head + fit(visible(side.memory.content, newlines=False), width - len(head)))
    print_lines([*lines, f"{counted(len(desk.queue), 'open conflict')}; tur-tui show ID tells all about one."])
    return 0


def show(engine: Engine, ref: str, *, as_json: bool = False) -> int:
    """Print everything about a conflict or a memory. Raises UnknownId, AmbiguousId, BadInput."""
    account = _account(engine, ref)
    if as_json:
        print_json(_whole(account))
    else:
        print_lines(list(told(account, width_of_output())))
    return 0


def _account(engine: Engine, ref: str) -> Account:
    found = engine.full_id(ref)
    kind = found.partition("-")[0]
    if kind != "conflict":
        memory = engine.proposal(found).memory if kind == "proposal" else engine.memory(found)
        return Account(engine.history(memory.id), memory=memory)
    conflict = engine.conflict(found)
    previews = {verb: engine.preview(conflict.id, verb) for verb in Verb} if conflict.state.open else {}
    exposed = engine.exposure(conflict.id).sentence
    return Account(engine.history(conflict.id), conflict=conflict, previews=previews, exposed=exposed)


def _row(conflict: Conflict) -> dict[str, Any]:
    """The shape of `tur conflicts --json` (CONTRACTS 4)."""
    return {
        "conflict_id": conflict.id,
        "revision": conflict.revision,
        "state": str(conflict.state),
        "conflict_type": str(conflict.conflict_type),
        "detected_by": str(conflict.detected_by),
        "probability": conflict.probability,
        "incumbent": _side(conflict.incumbent),
        "challenger": _side(conflict.challenger),
    }


def _side(belief: Belief) -> dict[str, Any]:
    memory = belief.memory
    return {
        "id": belief.id,
        "content": memory.content,
        "type": str(memory.type),
        "scope": str(memory.scope),
        "status": str(belief.status),
    }


def _whole(account: Account) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if account.conflict:
        made |= _row(account.conflict)
        made["evidence"] = [
            {"kind": each.kind, "weight": each.weight, "sentence": each.sentence} for each in account.conflict.evidence
        ]
        made["previews"] = {
            str(each.verb): [effect.sentence for effect in each.effects] if each.allowed else each.reason
            for each in account.previews.values()
        }
        made["exposed"] = account.exposed
    if account.memory:
        made["memory"] = _side(account.memory)
    made["events"] = [each.model_dump(mode="json") for each in account.history]
    return made
