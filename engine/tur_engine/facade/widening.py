"""What holds on one branch, and how it comes to hold on all: once the branch was merged."""

from __future__ import annotations

from ..errors import BadInput, NotAllowed
from ..ledger import Reads
from ..ledger.codec import content_key
from ..records import Author, Belief, Draft, LearnResult, Memory, OnConflict, Scope, Status
from .store import Store


class Widening(Store):
    """Memories of one branch."""

    def on_branches(self) -> list[Belief]:
        """Return what holds on one branch only, oldest first; what is said for all of them already is left out."""
        with self._reads() as (_, reads):
            found = [reads.belief(mid) for mid in reads.on_branches()]
            return [b for b in found if not b.memory.redacted and not _said_for_all(reads, b.memory)]

    def widen(self, ref: str, *, on_conflict: OnConflict = OnConflict.HOLD, dry_run: bool = False) -> LearnResult:
        """Learn what holds on one branch for all of them: the wide memory supersedes the narrow one.

        It passes the gate as any draft does; of an invariant a proposal is filed. Raises BadInput for a memory that is
        of no branch, NotAllowed for one that does not hold, ConflictHeld under `fail`, UnknownId, AmbiguousId.
        """
        with self._reads() as (_, reads):
            belief = reads.belief(reads.find_memory(ref))
        memory = belief.memory
        if not memory.scope.branch:
            raise BadInput(f"{memory.short_id} holds on every branch already")
        if not belief.status.live or memory.redacted:
            raise NotAllowed(f"{memory.short_id} is {belief.status}; only what holds can be widened")
        draft = _for_all(memory, self.actor)
        self._of_the_present()
        if dry_run:
            return self._gate.check(draft, supersedes=() if belief.approved else (memory.id,))
        self._writable()
        if belief.approved:
            reason = f"{memory.scope.branch} was merged"
            return self._gate.propose(draft, self.actor, replaces=(memory.id,), reason=reason)
        return self._gate.learn(draft, self.actor, on_conflict=on_conflict, supersedes=(memory.id,))


def _wide(scope: Scope) -> Scope:
    return Scope(level=scope.level, path=scope.path)


def _for_all(memory: Memory, actor: Author) -> Draft:
    claims = {"author": str(memory.author), "widened_from": memory.id}
    return Draft(
        content=memory.content,
        type=memory.type,
        scope=_wide(memory.scope),
        topic=memory.topic,
        fields=memory.fields,
        tags=memory.tags,
        relations=memory.relations,
        author=actor,
        occurred_at=memory.occurred_at,
        confidence=memory.confidence,
        session=memory.session,
        provenance=memory.provenance | claims,
        node_type=memory.node_type,
    )


def _said_for_all(reads: Reads, memory: Memory) -> bool:
    key = content_key(memory.content, memory.topic, memory.fields, str(_wide(memory.scope)))
    return any(
        mid != memory.seq and reads.status(mid) is Status.ACTIVE and not Scope.parse(reads.scope_of(mid)).branch
        for mid in reads.same_key(key)
    )
