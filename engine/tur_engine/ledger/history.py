"""Events told to people: one line each, bodies filled in, ids kept."""

from __future__ import annotations

import json
from typing import Any

from ..errors import BadInput
from ..records import EventKind, HistoryEntry
from ..text import counted, excerpt
from .codec import author_of, unstamp
from .effects import proposals_of
from .sifting import Sifting

_PAST = {
    "supersede": "superseded",
    "refute": "refuted",
    "merge": "merged",
    "force": "kept both",
    "scope_branch": "branched",
    "dismiss": "dismissed",
    "abort": "aborted",
}


class Narrator(Sifting):
    """Turns stored events into history entries as of one view of the ledger."""

    def entry(self, seq: int) -> HistoryEntry:
        """Return event `seq` as people read it. Raises BadInput where there is none (yet)."""
        row = self._db.execute("SELECT at, actor, kind, json FROM events WHERE seq=?", (seq,)).get
        if row is None or seq > self._reads.now:
            raise BadInput(f"there is no event {seq}; the history ends at {self._reads.last_event()}")
        at, actor, kind, payload = row
        data: dict[str, Any] = json.loads(payload)["data"]
        digests = self._digests(seq, data)
        ids = tuple(self._id(d) for d in digests)
        conflict = self._conflict(data)
        kind = EventKind(kind)
        about_conflict = kind in (EventKind.RESOLVED, EventKind.CHOSEN, EventKind.UNDONE, EventKind.ESCALATED)
        return HistoryEntry(
            seq=seq,
            at=unstamp(at),
            actor=author_of(actor),
            kind=kind,
            subject=(f"conflict-{conflict}" if about_conflict and conflict else ids[0] if ids else _proposal_id(data)),
            reason=self._reads.reason(data),
            summary=self._summary(kind, data, digests),
            conflict_id=f"conflict-{conflict}" if conflict else None,
            memory_ids=ids,
        )

    def _digests(self, seq: int, data: dict[str, Any]) -> list[str]:
        """Memories an event is about: sides of its conflict first, then what it brings in or moves."""
        found: dict[str, None] = {}
        effects = data.get("effects", [])
        for effect in effects:
            if effect["op"] == "memory":
                found[effect["digest"]] = None
        if "decision" in data and (cid := data.get("conflict")) and self._reads.has_conflict(cid):
            for side in self._reads.sides(cid):
                found[self._reads.digest(side)] = None
        for effect in effects:
            if effect["op"] == "open":
                found[effect["record"]["incumbent"]] = None
                found[effect["record"]["challenger"]] = None
            elif "digest" in effect:
                found[effect["digest"]] = None
            elif effect["op"] == "edge" and "memory" not in data and "decision" not in data:
                found[effect["source"]] = found[effect["target"]] = None
        for name in data.get("about", ()):
            if self._reads.mid(name) is not None:
                found[name] = None
        return list(found)

    def _conflict(self, data: dict[str, Any]) -> str | None:
        if cid := data.get("conflict"):
            opened = [e["conflict"] for e in data.get("effects", []) if e["op"] == "open"]
            return str(opened[0] if "undoes" in data and opened else cid)
        opened = [e["conflict"] for e in data.get("effects", []) if e["op"] == "open"]
        return opened[0] if opened else None

    def _id(self, digest: str) -> str:
        mid = self._reads.mid(digest)
        return digest if mid is None else f"{self._reads.memory(mid).type}-{digest}"

    def _quote(self, digest: str, width: int = 60) -> str:
        mid = self._reads.mid(digest)
        return "?" if mid is None else f'"{excerpt(self._reads.memory(mid).content, width)}"'

    def _summary(self, kind: EventKind, data: dict[str, Any], digests: list[str]) -> str:
        quote = self._quote
        match kind:
            case EventKind.FOUNDED:
                return "the store was founded"
            case EventKind.LEARNED:
                opened = [e for e in data["effects"] if e["op"] == "open"]
                extra = f", contested by {quote(opened[0]['record']['incumbent'], 40)}" if opened else ""
                if "memory" not in data and digests:
                    contested = any(self._reads.conflicts_of(m) for m in [self._reads.mid(digests[0])] if m is not None)
                    return f"admitted {quote(digests[0])}{', still contested' if contested else ''}"
                return f"learned {quote(digests[0])}{extra}" if digests else "learned"
            case EventKind.HELD:
                opened = [e for e in data["effects"] if e["op"] == "open"]
                more = f" and {len(opened) - 1} more" if len(opened) > 1 else ""
                against = f": clashes with {quote(opened[0]['record']['incumbent'], 40)}{more}" if opened else ""
                if not opened and (why := self._reads.reason(data)):
                    against = f": {why}"
                return f"held {quote(digests[0])}{against}"
            case EventKind.PROPOSED:
                return self._proposed(data, digests)
            case EventKind.SIGNED:
                return f"signed {self._asked(data)}, more signatures are needed"
            case EventKind.APPROVED:
                return f"approved {self._asked(data)}"
            case EventKind.DECLINED:
                return f"rejected {self._asked(data)}"
            case EventKind.CONFIRMED:
                grounds = [e for e in data["effects"] if e["op"] == "edge"]
                how = "said again on other grounds" if grounds else "said again"
                return f"confirmed {quote(data['about'][0])}, {how}"
            case EventKind.NOTED:
                text = self._reads.text(data.get("text_ref", ""))
                return f'noted "{excerpt(text or "[redacted]", 60)}"'
            case EventKind.REJECTED:
                text = self._reads.text(data.get("offered_ref", ""))
                offered = excerpt(text or "[redacted]", 40)
                if not data["about"]:  # an invariant of another store
                    return f'rejected "{offered}": {self._reads.reason(data)}'
                return f'rejected "{offered}": contradicts invariant {quote(data["about"][0], 40)}'
            case EventKind.RESOLVED | EventKind.CHOSEN | EventKind.UNDONE | EventKind.ESCALATED:
                return self._decision(kind, data)
            case EventKind.ENROLLED | EventKind.REVOKED:
                key = next(e for e in data["effects"] if e["op"] == "key")
                verb = "may sign from now on" if key["on"] else "may sign no more"
                return f"{excerpt(key['name'], 40)} {verb} (key-{key['key'][:8]})"
            case EventKind.POLICY:
                tiers = next(e["quorum"] for e in data["effects"] if e["op"] == "policy")
                return f"signatures needed: axiom {tiers['axiom']}, core {tiers['core']}"
            case EventKind.QUARANTINED | EventKind.RELEASED:
                author = next(e["author"] for e in data["effects"] if e["op"] == "quarantine")
                held = "what it writes is only held" if kind is EventKind.QUARANTINED else "it writes freely again"
                return f"{kind} {excerpt(author, 60)}: {held}"
            case EventKind.MAPPED:
                return f"mapped {_mapped(data)} drawn"
            case EventKind.PERSONA:
                return f"approved the persona file with digest {data['statement']['subject'][:12]}"
            case EventKind.RELABELLED:
                marks = len({e["digest"] for e in data["effects"]})
                told = [f"{excerpt(name, 30)} passes doubt on" for name in data["gained"]]
                told += [f"{excerpt(name, 30)} no longer does" for name in data["lost"]]
                return f"{', '.join(told)}: marks of {counted(marks, 'memory', 'memories')} changed"
            case EventKind.RESTORED:
                return f"the store was restored from a backup of {counted(data['statement']['size'], 'event')}"
            case EventKind.RETRACTED | EventKind.REDACTED:
                gone = [e["digest"] for e in data["effects"] if e["op"] in ("status", "redact")]
                return f"{kind} {quote(gone[-1] if kind is EventKind.REDACTED else gone[0])}"
            case EventKind.DETECTED:
                return self._detected(data["effects"])
            case EventKind.REAFFIRMED:
                return f"reaffirmed {quote(digests[0])}"
            case _:
                return f"{kind} {quote(digests[0])}" if digests else str(kind)

    def _detected(self, effects: list[dict[str, Any]]) -> str:
        """What a pass over the whole store found: a conflict that it opened, else an edge that it drew."""
        for effect in effects:
            if effect["op"] == "open":
                one, other = (self._quote(effect["record"][side], 40) for side in ("challenger", "incumbent"))
                return f"found that {one} contradicts {other}"
        drawn = next(effect for effect in effects if effect["op"] == "edge")
        return f"found that {self._quote(drawn['source'], 40)} {drawn['type']} {self._quote(drawn['target'], 40)}"

    def _drew(self, data: dict[str, Any]) -> str | None:
        """What a graph or a pass had drawn, where an undo is about that."""
        while "undoes" in data:
            kind, _, data = (self._reads.kind(data["undoes"]), *self._reads.event(data["undoes"])[1:])
            if kind == EventKind.MAPPED:
                return _mapped(data)
            if kind == EventKind.DETECTED:
                return self._detected(data["effects"])
        return None

    def _proposed(self, data: dict[str, Any], digests: list[str]) -> str:
        (filed,) = proposals_of("proposed", data)
        said = self._quote(filed["digest"])
        if filed["kind"] == "retire":
            return f"proposed to retire {said}"
        instead = " and ".join(self._quote(digest, 40) for digest in filed["replaces"])
        more = f" in place of {instead}" if instead else ""
        return f"proposed {said}{' as a core memory' if filed['promotes'] else ''}{more}"

    def _asked(self, data: dict[str, Any]) -> str:
        """What a proposal asks for; an approval of format 1 names the memory alone."""
        proposal = data.get("statement", {}).get("subject", "")
        if not self._reads.has_proposal(proposal):
            return self._quote(next((e["digest"] for e in data["effects"] if "digest" in e), ""))
        filed = self._reads.filed(proposal)
        said = self._quote(self._reads.digest(filed.mid))
        instead = " and ".join(self._quote(digest, 40) for digest in filed.replaces)
        more = f" in place of {instead}" if instead else ""
        return f"the retirement of {said}" if filed.kind == "retire" else f"{said}{more}"

    def _decision(self, kind: EventKind, data: dict[str, Any]) -> str:
        if kind is EventKind.ESCALATED and "decision" not in data:
            opened = next(e["record"] for e in data["effects"] if e["op"] == "open")
            invariant, candidate = self._quote(opened["incumbent"], 40), self._quote(opened["challenger"], 40)
            return f"escalated to people: {candidate} may contradict {invariant}, which came into force since"
        if (drew := self._drew(data)) is not None:
            again = self._reads.kind(int(data["undoes"])) == EventKind.UNDONE
            return f"{'restored' if again else 'undone'}: {drew}"
        if "decision" not in data:  # a reaffirmation taken back, or restored
            marked = [e for e in data["effects"] if e["op"] == "suspect"]
            state = "suspect again" if marked and marked[0]["on"] else "reaffirmed again"
            return f"undone: {self._quote(marked[0]['digest'])} is {state}" if marked else "undone"
        incumbent, challenger = (
            self._quote(self._reads.digest(side), 40) for side in self._reads.sides(data["conflict"])
        )
        verb = data["decision"]["verb"]
        told = {
            "supersede": f"{incumbent} superseded by {challenger}",
            "refute": f"{challenger} refuted, {incumbent} holds",
            "merge": f"{incumbent} and {challenger} merged",
            "force": f"kept both {incumbent} and {challenger}",
            "scope_branch": f"{incumbent} and {challenger} scoped apart",
            "dismiss": f"no conflict between {incumbent} and {challenger}",
            "abort": f"{challenger} withdrawn",
        }[verb]
        if kind is EventKind.UNDONE:
            again = self._reads.kind(int(data["undoes"])) == EventKind.UNDONE
            return f"{'restored' if again else 'undone'}: {told}"
        if kind is EventKind.CHOSEN:
            return f"chosen, waits for the rest of the case: {told}"
        if kind is EventKind.ESCALATED:
            return f"escalated to people, {_PAST[verb]} was asked for: {challenger} against {incumbent}"
        return told


def _proposal_id(data: dict[str, Any]) -> str:
    """Of a signature on a retirement: it changes no memory yet."""
    statement = data.get("statement", {})
    return f"proposal-{statement['subject']}" if statement.get("act") in ("approve", "reject") else ""


def _mapped(data: dict[str, Any]) -> str:
    nodes, drawn = data["graph"]["nodes"], sum(e["op"] == "edge" for e in data["effects"])
    return f"a graph of {counted(nodes, 'node')}: {counted(drawn, 'edge')}"
