"""DETECT: `list` what is known, `check` one unit, `scan` them all (Akashik 6.5; CONTRACTS 8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import AmbiguousId, BadInput, ReadOnlyStore
from ..records import Belief, Conflict, ConflictState, ConflictType, DetectedBy, FieldClash
from .refusal import Code, Refused, not_one_of
from .states import resolution

if TYPE_CHECKING:
    from ..engine import Engine

MODES = ("check", "scan", "list")
KEYS = ("mode", "target_id", "filter")
FILTERS = ("status", "types", "involving_agents")
AT_LEVEL_1 = (DetectedBy.EXPLICIT, DetectedBy.MECHANICAL)


class Wanted(NamedTuple):
    """A filter: an empty condition holds for every conflict."""

    status: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()

    def admits(self, state: str, kind: str, sides: Iterable[Belief]) -> bool:
        """True where every condition holds."""
        if (self.status and state not in self.status) or (self.types and kind not in self.types):
            return False
        return not self.agents or any(agents_of(side) & self.agents for side in sides)


def detect(engine: Engine, payload: dict[str, Any], *, level: int, sdk_compat: bool = False) -> dict[str, Any]:
    """Return the bare response. Raises Refused."""
    mode, target, wanted = _read(payload)
    if mode == "list":
        known_now = engine.conflicts(all=True)
        return _response([_conflict(c, level) for c in known_now if _is_wanted(c, level, wanted)], 0, 0)
    before = {conflict.id for conflict in engine.conflicts(all=True)}
    only: str | None = None
    if mode == "check":
        assert target is not None
        only = _unit(engine, target).id
    clashes = _compared(engine, level, sdk_compat, only)
    if only is None and level > 1 and not engine.read_only:
        engine.introspect(workers=1)
    known = {conflict.id: conflict for conflict in engine.conflicts(all=True)}
    stored = [c for c in known.values() if only is None or only in (c.incumbent.id, c.challenger.id)]
    shown = [_conflict(c, level) for c in stored if _is_wanted(c, level, wanted)]
    for clash in clashes:
        found = known.get(clash.conflict_id)
        if found is not None and (_at(found, level) or not found.state.open):
            continue  # it is shown as it is stored; or it is settled, and does not come back
        if wanted.admits("detected", "factual", (clash.incumbent, clash.challenger)):
            shown.append(_bare(clash, level))
    new = {*known, *(clash.conflict_id for clash in clashes)} - before
    return _response(shown, _live(engine) if only is None else 1, len(new))


def _live(engine: Engine) -> int:
    counts = engine.status().memories
    return sum(count for state, count in counts.items() if state.live)


def agents_of(side: Belief) -> set[str]:
    """Return the names that the author of a unit goes by."""
    author = side.memory.author
    named = side.memory.provenance.get("akashik agent")
    return {str(author), author.name, *([named] if named else [])}


def _read(payload: dict[str, Any]) -> tuple[str, str | None, Wanted]:
    if extra := sorted(set(payload) - set(KEYS)):
        raise Refused(Code.INVALID_PAYLOAD, f"DETECT has no {', '.join(extra)}", f"its fields are {', '.join(KEYS)}")
    mode = payload.get("mode")
    if mode not in MODES:
        raise not_one_of("mode", mode, list(MODES))
    target = payload.get("target_id")
    if target is not None and not isinstance(target, str):
        raise Refused(Code.INVALID_PAYLOAD, "target_id is neither text nor null", "give the id of a unit")
    if mode == "check" and not target:
        raise Refused(Code.INVALID_PAYLOAD, "check has no target_id", "name the unit that is to be checked")
    return mode, target, _filter(payload.get("filter"))


def _filter(given: object) -> Wanted:
    if given is None:
        return Wanted()
    if not isinstance(given, dict):
        raise Refused(Code.INVALID_PAYLOAD, "filter is no object", f"give an object with {', '.join(FILTERS)}")
    if extra := sorted(set(given) - set(FILTERS)):
        raise Refused(Code.INVALID_PAYLOAD, f"filter has no {', '.join(extra)}", f"its fields are {', '.join(FILTERS)}")
    lists: dict[str, frozenset[str]] = {}
    for name in FILTERS:
        values = given.get(name)
        values = [] if values is None else values
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise Refused(Code.INVALID_PAYLOAD, f"filter.{name} is no list of texts", "give a list, or leave it out")
        lists[name] = frozenset(values)
    for name, known in (("status", list(ConflictState)), ("types", list(ConflictType))):
        for value in sorted(lists[name]):
            if value not in known:
                raise not_one_of(f"filter.{name}", value, [str(each) for each in known])
    return Wanted(lists["status"], lists["types"], lists["involving_agents"])


def _unit(engine: Engine, target: str) -> Belief:
    try:
        return engine.memory(target)
    except AmbiguousId as error:
        raise Refused(Code.UNIT_NOT_FOUND, str(error), "give more of the id") from None
    except BadInput as error:
        raise Refused(Code.UNIT_NOT_FOUND, str(error), "name a unit as RECORD or recall gave it") from None


def _compared(engine: Engine, level: int, sdk_compat: bool, ref: str | None) -> list[FieldClash]:
    """Compare fields; at level 2 what is new is kept, so that the next scan finds nothing new."""
    if level > 1 and not sdk_compat:
        try:
            return engine.compare_fields(ref, write=True)
        except ReadOnlyStore:
            pass
    return engine.compare_fields(ref, null_differs=sdk_compat)


def _at(conflict: Conflict, level: int) -> bool:
    """True where a field of this level knows of the conflict: level 1 reads no meaning."""
    return level > 1 or conflict.detected_by in AT_LEVEL_1


def _is_wanted(conflict: Conflict, level: int, wanted: Wanted) -> bool:
    sides = (conflict.incumbent, conflict.challenger)
    return _at(conflict, level) and wanted.admits(conflict.state, conflict.conflict_type, sides)


def _conflict(conflict: Conflict, level: int) -> dict[str, Any]:
    """Return a stored conflict; `unit_a` is the older side."""
    mechanical = conflict.detected_by is DetectedBy.MECHANICAL
    shown: dict[str, Any] = {}
    if level > 1 or not mechanical:
        shown |= {"id": conflict.id, "type": conflict.conflict_type.value, "status": conflict.state.value}
    shown |= {
        "unit_a": conflict.incumbent.id,
        "unit_b": conflict.challenger.id,
        "description": _description(conflict),
        "detected_by": conflict.detected_by.value,
    }
    if mechanical:
        shown["conflicting_fields"] = sorted(conflict.conflicting_fields)
    if (settled := resolution(conflict)) is not None and "id" in shown:
        shown["resolution"] = settled
    return shown


def _description(conflict: Conflict) -> str:
    """What the recorder said of the contradiction, else the strongest reason."""
    for speaker, other in ((conflict.challenger, conflict.incumbent), (conflict.incumbent, conflict.challenger)):
        if said := speaker.memory.provenance.get(described(other.memory.digest)):
            return said
    return conflict.reason or "The two cannot both hold."


def described(digest: str) -> str:
    """The provenance key under which a `contradicts` relation's description is kept."""
    return f"contradicts {digest[:32]}"


def _bare(clash: FieldClash, level: int) -> dict[str, Any]:
    """Return a pair that is not stored: level 1, a store that cannot be written to, the SDK's null."""
    older, newer = clash.incumbent.memory, clash.challenger.memory
    differing = "; ".join(f"{name}: {older.fields[name]!r} and {newer.fields[name]!r}" for name in clash.fields)
    shown: dict[str, Any] = {}
    if level > 1:
        shown |= {"id": clash.conflict_id, "type": "factual", "status": "detected"}
    return shown | {
        "unit_a": older.id,
        "unit_b": newer.id,
        "description": f"Fields differ: {differing}",
        "detected_by": DetectedBy.MECHANICAL.value,
        "conflicting_fields": sorted(clash.fields),
    }


def _response(conflicts: list[dict[str, Any]], units: int, new: int) -> dict[str, Any]:
    return {
        "status": "ok",
        "conflicts": conflicts,
        "scan_coverage": {"units_scanned": units, "new_conflicts_found": new},
    }
