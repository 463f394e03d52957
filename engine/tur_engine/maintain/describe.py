"""Effects in plain sentences: the same words for a preview and for what was done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..ledger import Reads
from ..ledger.effects import Effect as RawEffect
from ..records import ConflictState, Effect, Memory
from ..text import counted, excerpt

_VERBS = {
    "active": "becomes active",
    "superseded": "becomes superseded",
    "refuted": "is refuted",
    "retracted": "is retracted",
    "held": "is held again",
}
_EDGES = {
    "superseded_by": "is superseded by",
    "refuted_by": "is refuted by",
    "competes_with": "competes with",
    "depends_on": "depends on",
    "refines": "refines",
}
_NAMED = 3
"""Conflicts that are named where more are settled."""
_LOST = {"superseded_by": "superseded", "refuted_by": "refuted"}


def describe(
    reads: Reads,
    effects: Sequence[RawEffect],
    extra: Mapping[str, Memory] | None = None,
    *,
    decided: Collection[str] = (),
    somewhere: str | None = None,
    names: dict[str, tuple[str, str]] | None = None,
) -> tuple[Effect, ...]:
    """Return the effects for people. `extra` names memories that are not stored yet; `?` is a merged text.

    A memory that falls and the edge to what it lost to are one effect; so are the conflicts that are settled along with
    those that are `decided`. `somewhere` is the scope that stands in
    a preview for the one a person has yet to give. `names` are ids and words by digest, kept from one call to the next.
    """
    known = {} if names is None else names
    fallen = {(e["digest"], e["to"]) for e in effects if e["op"] == "status"}
    winners: dict[tuple[str, str], list[str]] = {}
    for e in effects:
        if e["op"] == "edge" and e["on"] and (loser := (e["source"], _LOST.get(e["type"], ""))) in fallen:
            winners.setdefault(loser, []).append(e["target"])

    def name(digest: str) -> tuple[str, str]:
        if digest == "?":
            return "", "the merged text"
        if digest not in known:
            memory = (extra or {}).get(digest)
            if memory is None:
                mid = reads.mid(digest)
                assert mid is not None
                memory = reads.memory(mid)
            short = f"{memory.type}-{reads.shortest(digest)}"
            known[digest] = memory.id, f'{short} "{excerpt(memory.content, 48)}"'
        return known[digest]

    made = []
    for effect in effects:
        match effect["op"]:
            case "status":
                subject, words = name(effect["digest"])
                verb = _VERBS.get(effect["to"], f"becomes {effect['to']}")
                if effect["from"] == "held" and effect["to"] == "active":
                    verb = "is admitted"
                elif effect["to"] == "active":
                    verb = "is active again"
                elif over := winners.get((effect["digest"], effect["to"])):
                    verb = f"is {effect['to']} by {' and '.join(name(target)[1] for target in over)}"
                made.append(
                    Effect(
                        subject=subject,
                        change="status",
                        before=effect["from"],
                        after=effect["to"],
                        sentence=f"{words} {verb}",
                    )
                )
            case "suspect":
                subject, words = name(effect["digest"])
                verb = "becomes suspect, it rests on what falls" if effect["on"] else "is no longer suspect"
                made.append(
                    Effect(subject=subject, change="suspect", after=str(effect["on"]), sentence=f"{words} {verb}")
                )
            case "edge" if effect["on"] and (effect["source"], _LOST.get(effect["type"], "")) not in winners:
                subject, source = name(effect["source"])
                target = name(effect["target"])[1]
                verb = _EDGES.get(effect["type"], effect["type"].replace("_", " "))
                made.append(
                    Effect(
                        subject=subject,
                        change="edge",
                        after=effect["type"],
                        sentence=f"{source} {verb} {target}",
                    )
                )
            case "scope":
                subject, words = name(effect["digest"])
                where = "holds only where you say" if effect["to"] == somewhere else f"holds in {effect['to']} only"
                made.append(
                    Effect(
                        subject=subject,
                        change="scope",
                        before=effect["from"],
                        after=effect["to"],
                        sentence=f"{words} {where}",
                    )
                )
            case "memory":
                subject, words = name(effect["digest"])
                made.append(Effect(subject=subject, change="new", after=effect["status"], sentence=f"{words} comes in"))
            case _:
                pass
    if decided:
        made += _settled_too([str(e["conflict"]) for e in effects if e["op"] == "state" and _settles(e, decided)])
    return tuple(made)


def _settles(effect: RawEffect, decided: Collection[str]) -> bool:
    return effect["to"] == ConflictState.RESOLVED and effect["conflict"] not in decided


def _settled_too(others: Sequence[str]) -> list[Effect]:
    """One effect for all the conflicts that are settled along with another."""
    if not others:
        return []
    named = [f"conflict-{cid[:8]}" for cid in others[:_NAMED]]
    more = f" and {len(others) - _NAMED:,} more" if len(others) > _NAMED else ""
    verb = "is" if len(others) == 1 else "are"
    return [
        Effect(
            subject=f"conflict-{others[0]}",
            change="conflict",
            after=str(ConflictState.RESOLVED),
            sentence=f"{counted(len(others), 'other conflict')} {verb} settled with it ({', '.join(named)}{more})",
        )
    ]
