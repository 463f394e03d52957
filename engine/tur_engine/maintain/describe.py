"""Effects in plain sentences: the same words for a preview and for what was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ledger import Reads
from ..ledger.effects import Effect as RawEffect
from ..records import Effect, Memory
from ..text import excerpt

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


def describe(
    reads: Reads, effects: Sequence[RawEffect], extra: Mapping[str, Memory] | None = None
) -> tuple[Effect, ...]:
    """Return the effects for people. `extra` names memories that are not stored yet; `?` is a merged text."""
    known = dict(extra or {})

    def name(digest: str) -> tuple[str, str]:
        if digest == "?":
            return "", "the merged text"
        memory = known.get(digest)
        if memory is None:
            mid = reads.mid(digest)
            assert mid is not None
            memory = known.setdefault(digest, reads.memory(mid))
        short = f"{memory.type}-{reads.shortest(digest)}"
        return memory.id, f'{short} "{excerpt(memory.content, 48)}"'

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
            case "edge" if effect["on"]:
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
                made.append(
                    Effect(
                        subject=subject,
                        change="scope",
                        before=effect["from"],
                        after=effect["to"],
                        sentence=f"{words} holds in {effect['to']} only",
                    )
                )
            case "memory":
                subject, words = name(effect["digest"])
                made.append(Effect(subject=subject, change="new", after=effect["status"], sentence=f"{words} comes in"))
            case _:
                pass
    return tuple(made)
