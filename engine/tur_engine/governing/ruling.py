"""The rules that people sign: how many must sign, and which edges have force in the persona file."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput, NotAllowed, StaleRevision
from ..gate.secrets import kept_reason
from ..govern.persona import persona_file
from ..govern.signer import Signer
from ..ledger.effects import policy
from ..maintain.force import relabelling
from ..records import EventKind, PersonaFile, Quorum
from .signing import Signing


class Ruling(Signing):
    """The rules that people sign: the quorum, and the persona file."""

    def quorum(self) -> Quorum:
        """Return how many reviewers must sign, by tier."""
        with self._engine._reads() as (_, reads):
            return reads.quorum()

    def set_quorum(self, quorum: Quorum, signers: Sequence[Signer]) -> int:
        """Set the quorum; returns the event. Raises BadInput for one that cannot be reached."""
        with self._writing() as (tx, _, reads):
            held = sum(key.until is None for key in reads.reviewer_keys())
            if min(quorum.axiom, quorum.core) < 1:
                raise BadInput("a quorum is 1 or more")
            if held and quorum.highest > held:
                raise BadInput(f"a quorum of {quorum.highest} cannot be reached while {held} may sign")
            effects = [policy(quorum.axiom, quorum.core)]
            subject = self._ledger.store_id
            return self._append(tx, reads, EventKind.POLICY, subject, signers, effects, quorum=quorum.model_dump())

    def persona(self) -> PersonaFile:
        """Return the persona file and how it stands. Raises BadInput for a bad one."""
        return self._engine.persona()

    def approve_persona(self, signers: Sequence[Signer], *, reason: str = "", expect: str = "") -> int:
        """Sign the persona file as it is: its flags have force until it changes. Returns the event.

        `expect` is the digest that the reviewer saw. Raises BadInput without a good file, StaleRevision, NoKey,
        NotAllowed where it is approved already.
        """
        reason = kept_reason(reason)
        with self._writing() as (tx, _, reads):
            file = persona_file(reads, self._ledger.path)
            if not file.digest:
                raise BadInput(f"there is no {file.path}; write it first")
            if expect and expect != file.digest:
                raise StaleRevision(
                    f"{file.path} has changed since it was shown; look at it again", current=self._ledger.head()
                )
            if file.approved:
                raise NotAllowed(f"{file.path} is approved already as it is")
            seq = self._append(tx, reads, EventKind.PERSONA, file.digest, signers, [], reason=reason)
            if (marks := relabelling(reads)) is not None:
                tx.append([marks])
            return seq
