"""Agents whose writing waits for people, and the end of it."""

from __future__ import annotations

from ..errors import BadInput, NotAllowed
from ..govern.signer import Signer
from ..ledger.effects import quarantine
from ..records import Author, AuthorKind, EventKind
from .signing import Signing, needed


class Quarantining(Signing):
    """Agents whose writing waits for people, and the end of it."""

    def quarantine(self, author: str, signer: Signer, reason: str) -> int:
        """Hold whatever this agent writes from now on; returns the event. Raises NotAllowed where it is so already."""
        reason = needed(reason)
        agent = str(_agent(author))
        with self._writing() as (tx, _, reads):
            if reads.quarantined(agent):
                raise NotAllowed(f"{agent} is in quarantine already")
            return self._append(tx, reads, EventKind.QUARANTINED, agent, [signer], [quarantine(agent)], reason=reason)

    def release(self, author: str, signer: Signer, reason: str) -> int:
        """Let an agent's writing in again; returns the event. Raises NotAllowed where it is in no quarantine."""
        reason = needed(reason)
        agent = str(_agent(author))
        with self._writing() as (tx, _, reads):
            if not reads.quarantined(agent):
                raise NotAllowed(f"{agent} is not in quarantine")
            return self._append(
                tx, reads, EventKind.RELEASED, agent, [signer], [quarantine(agent, on=False)], reason=reason
            )

    def quarantined(self) -> list[str]:
        """Return the agents in quarantine, as `agent:name`."""
        with self._engine._reads() as (_, reads):
            return reads.quarantines()


def _agent(author: str) -> Author:
    agent = Author.parse(author.strip())
    if agent.kind is not AuthorKind.AGENT:
        raise BadInput(f"{agent} is no agent; only agents are put in quarantine")
    return agent
