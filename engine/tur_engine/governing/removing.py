"""Ordinary memories that people take out: retracted, or redacted with every trace of the text."""

from __future__ import annotations

from collections.abc import Sequence

from ..govern.removing import redaction, retraction
from ..govern.signer import Signer
from ..ledger import NewEvent
from ..ledger.effects import Effect
from ..maintain.plan import Plan
from ..records import EventKind
from .signing import Signing, needed


class Removing(Signing):
    """Ordinary memories that people take out."""

    def retract(self, ref: str, reason: str) -> int:
        """Withdraw an ordinary memory; what rests on it becomes suspect. Returns the event.

        Raises NotAllowed for an invariant or what no longer holds, BadInput without a reason.
        """
        reason = needed(reason)
        with self._writing() as (tx, _, reads):
            mid = reads.find_memory(ref)
            made, more, bodies = self._settled(reads, lambda barred: retraction(reads, mid, barred))
            event = NewEvent(EventKind.RETRACTED, self._actor, {"effects": [*made.effects, *more]}, bodies)
            return tx.append([event.because(reason)]).seqs[0]

    def redact(self, ref: str, signers: Sequence[Signer], reason: str) -> int:
        """Take a memory's text out for good; a tombstone and the signed reason stay. Returns the event.

        Raises NotAllowed for an invariant or a waiting proposal, BadInput without a reason.
        """
        reason = needed(reason)
        with self._writing() as (tx, _, reads):
            mid = reads.find_memory(ref)
            gone: list[Effect] = []

            def replan(barred: list[str]) -> Plan:
                made, effect = redaction(reads, mid, barred)
                gone[:] = [effect]
                return made

            made, more, bodies = self._settled(reads, replan)
            effects = [*made.effects, *more, *gone]
            return self._append(
                tx,
                reads,
                EventKind.REDACTED,
                reads.digest(mid),
                signers,
                effects,
                reason=reason,
                bodies=bodies,
                refs=gone[0]["refs"],
            )
