"""The agents' side of governance: do the signatures hold? Nothing here can sign.

`examine` reads every event that can touch an invariant, a key or a proposal, and follows who might sign what. An event
that changes one of them without the signatures it needs is bad, whoever appended it (CONTRACTS 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..ledger import Ledger, Reads
from ..ledger.canonical import digest_of
from ..ledger.effects import Effect, proposals_of
from ..records import EventKind, MemoryType, Merkle, Quorum, Status
from ..text import counted
from .statement import ACT_OF, BY_ALL, Act, key_id, message

_SIGNED_ONLY = frozenset({"approve", "key", "policy", "quarantine", "redact", "proposal_state"})
"""Effects that no event may have without a signature."""
_SIDE_EFFECTS = frozenset({"suspect", "edge", "state", "open", "status"})
"""What follows of itself where an invariant comes or goes; its `status` effects are looked at one by one."""
_DAMAGE = (KeyError, ValueError, TypeError, AttributeError, IndexError)


class Governed(NamedTuple):
    """What `examine` found: how many signed heads hold, or the first event that does not."""

    checkpoints: int
    first_bad: int | None = None
    problem: str = ""


@dataclass
class _Filed:
    effect: Effect
    state: str = "pending"
    signed_by: set[str] = field(default_factory=set)


class _Bad(Exception):
    pass


def examine(ledger: Ledger) -> Governed:
    """Check every signed event of a ledger whose chain holds. Returns the first bad one."""
    with ledger.snapshot() as db:
        reads = Reads(db)
        sizes = [seq - 1 for seq in reads.kinds(*map(str, ACT_OF))]
        replay = _Replay(ledger.store_id, ledger.tree_heads(sizes))
        for seq, kind, event in reads.governed():
            try:
                replay.step(seq, kind, event["data"])
            except _Bad as bad:
                return Governed(replay.checkpoints, seq, f"event {seq} ({kind}) {bad}")
            except _DAMAGE:
                return Governed(replay.checkpoints, seq, f"event {seq} ({kind}) is not formed as a signed event is")
        return Governed(replay.checkpoints)


def signature_holds(public: str, signature: str, statement: Mapping[str, Any]) -> bool:
    """True where the signature over the statement was made with this key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), message(dict(statement))
        )
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def signers_of(data: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, bool]:
    """Return the keys that an event names as its signers, and whether each one's signature holds.

    `keys` gives the public half of every key that might sign then. What is not formed as a signature holds for nobody.
    """
    statement, signatures = data.get("statement"), data.get("signatures")
    found: dict[str, bool] = {}
    for each in signatures if isinstance(signatures, list) else ():
        key, signature = (each.get("key"), each.get("sig")) if isinstance(each, dict) else (None, None)
        if not isinstance(key, str) or not isinstance(signature, str) or not isinstance(statement, dict):
            found["?"] = False
        else:
            public = keys.get(key)
            holds = public is not None and signature_holds(public, signature, statement)
            found[key] = holds and found.get(key, True)
    return found


def tiers_needed(quorum: Quorum, tiers: list[str]) -> int:
    """Return the signatures that a proposal needs: of the tiers it brings in or takes out, the highest number."""
    return max(quorum.needed(MemoryType(tier)) for tier in tiers)


class _Replay:
    """Who may sign, what is in force and what is proposed, event by event."""

    def __init__(self, store: str, heads: Mapping[int, Merkle]) -> None:
        self.checkpoints = 0
        self._store = store
        self._heads = heads
        self._keys: dict[str, str] = {}
        self._ever: set[str] = set()
        self._quorum = Quorum()
        self._proposals: dict[str, _Filed] = {}
        self._tiers: dict[str, str] = {}
        self._approved: set[str] = set()

    def step(self, seq: int, kind: str, data: dict[str, Any]) -> None:
        """Follow one event. Raises _Bad where it may not be."""
        effects: list[Effect] = data["effects"]
        act = ACT_OF.get(EventKind(kind))
        if act is None:
            self._unsigned(effects)
        else:
            self._signed(seq, act, data)
            self.checkpoints += 1
        self._file(kind, data)
        for effect in effects:
            if effect["op"] == "approve":
                (self._approved.add if effect["on"] else self._approved.discard)(effect["digest"])

    def _unsigned(self, effects: list[Effect]) -> None:
        for effect in effects:
            op = effect["op"]
            if op in _SIGNED_ONLY:
                raise _Bad(f"changes what only people may ({op}), and nobody signed it")
            if op in ("status", "scope") and effect["digest"] in self._approved:
                raise _Bad(f"changes the invariant {effect['digest'][:8]}, and nobody signed it")
            if op == "status" and str(Status.PENDING) in (effect["from"], effect["to"]):
                raise _Bad(f"decides on the proposed memory {effect['digest'][:8]}, and nobody signed it")

    def _file(self, kind: str, data: dict[str, Any]) -> None:
        arrived = {e["digest"]: data["memory"]["type"] for e in data["effects"] if e["op"] == "memory"}
        for effect in proposals_of(kind, data):
            proposal, digest = effect["proposal"], effect["digest"]
            if effect["kind"] == "retire":
                fits = proposal == digest_of({"retire": digest, "nonce": effect["nonce"]}) and not arrived
            else:
                fits = proposal == digest and digest in arrived
            if kind != EventKind.PROPOSED or not fits or proposal in self._proposals:
                raise _Bad(f"files the proposal {proposal[:8]}, which is not named after what it proposes")
            self._tiers |= arrived
            self._proposals[proposal] = _Filed(effect)

    # signed events ------------------------------------------------------------------

    def _signed(self, seq: int, act: Act, data: dict[str, Any]) -> None:
        if "statement" not in data:
            raise _Bad("has no signed statement")
        statement = data["statement"]
        head = self._heads[seq - 1]
        if (statement["v"], statement["store"], statement["act"]) != (1, self._store, act):
            raise _Bad("carries a statement made for something else")
        if statement["head"] != {"size": head.size, "root": head.root}:
            raise _Bad("carries a statement signed on another state of the ledger")
        if statement.get("reason_ref") != data.get("reason_ref"):
            raise _Bad("gives another reason than the one that was signed")
        signers = self._signers(act, statement, data)
        needed = self._quorum.highest if act in BY_ALL and self._ever else 1
        if len(signers) < needed:
            raise _Bad(f"has {counted(len(signers), 'signature')} of the {needed} it needs")
        getattr(self, f"_{act}")(statement, data["effects"], signers, data)

    def _signers(self, act: Act, statement: Mapping[str, Any], data: Mapping[str, Any]) -> set[str]:
        keys = self._keys
        if act is Act.ENROL and not self._ever:
            keys = {statement["subject"]: statement["public"]}
        found = signers_of(data, keys)
        if not found or statement["key"] not in found:
            raise _Bad("is not signed by the key that its statement names")
        for key, holds in found.items():
            if key not in keys:
                raise _Bad(f"is signed by key-{key[:8]}, which may not sign for this store")
            if not holds:
                raise _Bad(f"has a signature of key-{key[:8]} that does not hold")
        return set(found)

    def _exactly(self, effects: list[Effect], due: list[Effect]) -> None:
        if effects != due:
            raise _Bad("does something else than what was signed")

    def _enrol(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        key, public, name = statement["subject"], statement["public"], statement["name"]
        if key_id(public) != key or key in self._keys:
            raise _Bad("enrols a key that does not fit its id, or is enrolled already")
        self._exactly(effects, [{"op": "key", "key": key, "public": public, "name": name, "on": True}])
        self._keys[key] = public
        self._ever.add(key)

    def _revoke(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        key = statement["subject"]
        if len(self._keys) < 2:
            raise _Bad("revokes the last key")
        public, name = self._keys[key], effects[0]["name"]
        self._exactly(effects, [{"op": "key", "key": key, "public": public, "name": name, "on": False}])
        del self._keys[key]

    def _policy(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        self._exactly(effects, [{"op": "policy", "quorum": statement["quorum"]}])
        self._quorum = Quorum(**statement["quorum"])

    def _quarantine(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        self._exactly(effects, [{"op": "quarantine", "author": statement["subject"], "on": True}])

    def _release(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        due: Effect = {"op": "quarantine", "author": statement["subject"], "on": False}
        self._exactly(effects[:1], [due])
        if any(effect["op"] in _SIGNED_ONLY for effect in effects[1:]):
            raise _Bad("does something else than what was signed")
        self._unsigned(effects[1:])  # what was held may be let in with it

    def _restore(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        self._exactly(effects, [])
        if statement["subject"] != self._store:
            raise _Bad("restores another store")

    def _persona(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        self._exactly(effects, [])
        if len(statement["subject"]) != 64 or statement["subject"].strip("0123456789abcdef"):
            raise _Bad("approves a persona file without its digest")

    def _redact(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        digest = statement["subject"]
        redacted = [effect for effect in effects if effect["op"] == "redact"]
        if len(redacted) != 1 or digest in self._approved:
            raise _Bad("redacts an invariant, or several memories at once")
        if (redacted[0]["digest"], sorted(redacted[0]["refs"])) != (digest, statement["refs"]):
            raise _Bad("redacts something else than what was signed")
        self._unsigned([effect for effect in effects if effect["op"] != "redact"])

    def _approve(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        filed = self._proposal_of(statement)
        if filed.signed_by & signers:
            raise _Bad("counts a reviewer twice")
        filed.signed_by |= signers
        if not effects:
            return
        effect = filed.effect
        digest, replaced = effect["digest"], list(effect["replaces"])
        for gone in [digest] if effect["kind"] == "retire" else replaced:
            if gone not in self._approved:
                raise _Bad(f"takes {gone[:8]} out of force, which is no invariant in force")
        valid = filed.signed_by & self._keys.keys()
        needed = tiers_needed(self._quorum, [self._tiers[d] for d in (digest, *replaced)])
        if len(valid) < needed:
            raise _Bad(f"brings a proposal into force with {counted(len(valid), 'signature')} of the {needed} it needs")
        retires = effect["kind"] == "retire"
        due = {(digest, not retires), *((each, False) for each in replaced)}
        given = [(e["digest"], e["on"]) for e in effects if e["op"] == "approve"]
        if set(given) != due or len(given) != len(due):
            raise _Bad("brings something else into force, or out of it, than what was signed")
        self._decided(filed, effects, "approved", {digest, *replaced, effect["promotes"]})

    def _reject(self, statement: Any, effects: list[Effect], signers: set[str], data: Any) -> None:
        filed = self._proposal_of(statement)
        if any(effect["op"] == "approve" for effect in effects):
            raise _Bad("brings something into force, or out of it, that was rejected")
        retires = filed.effect["kind"] == "retire"
        self._decided(filed, effects, "rejected", set() if retires else {filed.effect["digest"]})

    def _proposal_of(self, statement: Any) -> _Filed:
        filed = self._proposals.get(statement["subject"])
        if filed is None or filed.state != "pending":
            raise _Bad("decides on a proposal that does not wait")
        signed = statement["kind"], statement["replaces"], statement.get("promotes", "")
        if signed != (filed.effect["kind"], sorted(filed.effect["replaces"]), filed.effect["promotes"]):
            raise _Bad("signs a proposal that is not the one that was filed")
        return filed

    def _decided(self, filed: _Filed, effects: list[Effect], state: str, named: set[str]) -> None:
        proposal = filed.effect["proposal"]
        due = {"op": "proposal_state", "proposal": proposal, "from": "pending", "to": state}
        if [e for e in effects if e["op"] == "proposal_state"] != [due]:
            raise _Bad("does not say how the proposal it signs was decided")
        rest = [e for e in effects if e["op"] not in ("proposal_state", "approve")]
        if any(e["op"] not in _SIDE_EFFECTS for e in rest):
            raise _Bad("does something else than what was signed")
        self._unsigned([e for e in rest if not (e["op"] == "status" and e["digest"] in named)])
        filed.state = state
