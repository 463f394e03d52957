"""The humans' facade: keys, proposals, approvals, redaction (CONTRACTS 6). For tur-adm and the workbench alone.

A terminal is no control: whatever changes an invariant, a key or a rule needs a Signer, and only a passphrase unlocks
one. Every change is one transaction, weighed again under the write lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from .engine import Engine
from .errors import BadInput, InvariantViolation, NoKey, NotAllowed, StaleRevision, WrongPassphrase
from .gate.objections import Standing, objections, opened, stands_against, told
from .govern import keys as keyfiles
from .govern.approving import approved, check_approvable, check_waiting, falling, own_keys_of, rejected
from .govern.proposing import check_reason
from .govern.removing import redaction, retraction
from .govern.review import dependants_of, going_of, proposal_of, seen, signatures_of
from .govern.reviewers import entries, one_of, told_key
from .govern.sealing import check_signers, seal
from .govern.signer import Signer
from .govern.statement import ACT_OF, Act, key_id
from .ledger import NewEvent, Reads, Writing
from .ledger.bodies import Body
from .ledger.effects import Effect, policy, quarantine, reviewer
from .ledger.reads.governance import FiledProposal
from .maintain.plan import Plan
from .records import (
    ApprovalResult,
    Author,
    AuthorKind,
    EventKind,
    KeyFile,
    Objection,
    Proposal,
    ProposalKind,
    ProposalState,
    Quorum,
    Review,
    ReviewerKey,
    SignedEntry,
)
from .text import excerpt

__all__ = ["Governor", "KeyFile", "Signer"]


class Governor:
    """One store, seen by a person who may hold a reviewer's key."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ledger = engine._ledger  # the other facade of the same store

    @contextmanager
    def _writing(self) -> Iterator[tuple[Writing, apsw.Connection, Reads]]:
        self._engine._writable()
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            yield tx, db, Reads(db)

    @property
    def _actor(self) -> Author:
        return self._engine.actor

    # keys ---------------------------------------------------------------------------

    def keys(self) -> list[ReviewerKey]:
        """Return the keys enrolled in this store, the first one first, revoked ones too."""
        here = {key.id for key in keyfiles.listed()}
        with self._engine._reads() as (_, reads):
            return [told_key(reads, key, here) for key in reads.reviewer_keys()]

    def own_keys(self) -> list[ReviewerKey | KeyFile]:
        """Return the keys on this machine; as reviewer's keys where they are enrolled in this store."""
        enrolled = {key.id: key for key in self.keys()}
        return [enrolled.get(key.id, key) for key in keyfiles.listed()]

    def init_key(self, name: str, passphrase: str) -> ReviewerKey | KeyFile:
        """Make a key file, and enrol the key where the store has none yet; a file of that name is taken up then.

        Returns the reviewer's key where it was enrolled, else the file. Raises BadInput, NotAllowed, WrongPassphrase.
        """
        self._engine._writable()
        name = keyfiles.check_name(name)
        first = not self.keys()
        known = [key for key in keyfiles.listed() if key.name == name]
        if known and not first:
            raise NotAllowed(f"there is a key named {name!r} on this machine already; choose another name")
        if known:
            return self._enrol_first(keyfiles.unlock(known[0], passphrase))
        signer, file = keyfiles.create(name, passphrase)
        if not first:
            return file
        try:
            return self._enrol_first(signer)
        except BaseException:
            keyfiles.discard(file)
            raise

    def _enrol_first(self, signer: Signer) -> ReviewerKey:
        with self._writing() as (tx, _, reads):
            if reads.reviewer_keys():
                raise NotAllowed("another key was enrolled a moment ago; ask its reviewer to enrol yours")
            self._append_key(tx, reads, signer.public, signer.name, [signer])
        return self._key(signer.key_id)

    def usable_keys(self, names: Sequence[str] = ()) -> list[KeyFile]:
        """Return the keys on this machine that `unlock` would try: those named, else those enrolled. Raises NoKey."""
        if not names:
            return self._candidates(None)
        found = [self._candidates(name) for name in names]
        for name, keys in zip(names, found, strict=True):
            if len(keys) > 1:
                raise NoKey(f"{name!r} names {len(keys)} keys on this machine; give more of the id")
        return [keys[0] for keys in found]

    def unlock(self, passphrase: str, key: str | None = None) -> Signer:
        """Return the signer of a key on this machine: the named one, else one enrolled here that the passphrase opens.

        Raises NoKey, WrongPassphrase.
        """
        wrong: WrongPassphrase | None = None
        for file in self._candidates(key):
            try:
                return keyfiles.unlock(file, passphrase)
            except WrongPassphrase as e:
                wrong = e
        assert wrong is not None
        raise wrong

    def _candidates(self, key: str | None) -> list[KeyFile]:
        files = keyfiles.listed()
        if not files:
            raise NoKey("there is no key on this machine; make one with `tur-adm key init`")
        may = {each.id for each in self.keys() if each.revoked_seq is None}
        chosen = [file for file in files if file.id in may] if key is None else keyfiles.named(files, key)
        if not chosen and key is None:
            raise NoKey(
                "no key on this machine may sign for this store; ask a reviewer to enrol yours "
                "(`tur-adm key export-public`, `tur-adm key enrol`)"
                if may
                else "this store has no reviewer yet; make the first key with `tur-adm key init`"
            )
        if not chosen:
            raise NoKey(f"no key on this machine is named {key!r}; `tur-adm key list` shows them")
        return chosen

    def enrol(self, public: str, name: str, signers: Sequence[Signer]) -> ReviewerKey:
        """Let another reviewer sign. Raises BadInput for a bad key or name; NoKey, NotAllowed for the signers."""
        name, public = keyfiles.check_name(name), public.strip().lower()
        try:
            hex = key_id(public)
        except ValueError:
            raise BadInput("a public key is 64 hex digits, as `tur-adm key export-public` prints it") from None
        with self._writing() as (tx, _, reads):
            held = [key for key in reads.reviewer_keys() if key.until is None]
            if any(key.key == hex for key in held):
                raise NotAllowed(f"key-{hex[:8]} is enrolled already")
            if any(key.name == name for key in held):
                raise BadInput(f"a reviewer named {name!r} is enrolled already; give another name")
            self._append_key(tx, reads, public, name, signers)
        return self._key(f"key-{hex}")

    def _append_key(self, tx: Writing, reads: Reads, public: str, name: str, signers: Sequence[Signer]) -> None:
        hex = key_id(public)
        effects = [reviewer(hex, public, name)]
        self._append(tx, reads, EventKind.ENROLLED, hex, signers, effects, public=public, name=name)

    def revoke(self, key: str, signers: Sequence[Signer], reason: str) -> int:
        """Let a key sign no more; what it signed stands. Returns the event. Raises NotAllowed for the last key."""
        reason = _needed(reason)
        with self._writing() as (tx, _, reads):
            held = [each for each in reads.reviewer_keys() if each.until is None]
            found = one_of(held, key)
            left, needed = len(held) - 1, reads.quorum().highest
            if left < 1:
                raise NotAllowed(f"{found.name} holds the last key; enrol another reviewer first")
            if left < needed:
                raise NotAllowed(
                    f"{left} reviewers would be left and the quorum is {needed}; "
                    "lower it with `tur-adm policy quorum`, or enrol another reviewer first"
                )
            effects = [reviewer(found.key, found.public, found.name, on=False)]
            return self._append(tx, reads, EventKind.REVOKED, found.key, signers, effects, reason=reason)

    def _key(self, id: str) -> ReviewerKey:
        return next(key for key in reversed(self.keys()) if key.id == id)

    # policy -------------------------------------------------------------------------

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
                raise BadInput(f"a quorum of {quorum.highest} cannot be reached: {held} reviewers are enrolled")
            effects = [policy(quorum.axiom, quorum.core)]
            subject = self._ledger.store_id
            return self._append(tx, reads, EventKind.POLICY, subject, signers, effects, quorum=quorum.model_dump())

    # proposals ----------------------------------------------------------------------

    def proposals(self, *, all: bool = False) -> list[Proposal]:
        """Return the proposals that wait, oldest first; with `all` the decided ones too."""
        return self._engine.proposals(all=all)

    def proposal(self, ref: str) -> Proposal:
        """Return one proposal by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        return self._engine.proposal(ref)

    def review(self, ref: str) -> Review:
        """Return everything to be seen before signing: objections, dependants, the head that would be covered."""
        with self._engine._reads() as (db, reads):
            return self._review(db, reads, reads.find_proposal(ref))

    def _review(self, db: apsw.Connection, reads: Reads, hex: str) -> Review:
        proposal = proposal_of(reads, hex)
        head = self._ledger.tree_head()
        return Review(
            proposal=proposal,
            objections=self._told(db, reads, proposal, self._objections(db, reads, proposal)),
            dependants=dependants_of(reads, proposal) if proposal.state is ProposalState.PENDING else (),
            head_size=head.size,
            head_root=head.root,
        )

    def _objections(self, db: apsw.Connection, reads: Reads, proposal: Proposal) -> list[Standing]:
        if proposal.kind is ProposalKind.RETIRE or proposal.state is not ProposalState.PENDING:
            return []
        going = [belief.memory.digest for belief in going_of(proposal)]
        return objections(db, reads, self._engine._minds, proposal.memory.memory, going)

    def _told(
        self, db: apsw.Connection, reads: Reads, proposal: Proposal, standing: list[Standing]
    ) -> tuple[Objection, ...]:
        """Return the objections; an invariant of a store above leads, for nothing here can replace it."""
        found = told(reads, standing)
        if proposal.kind is ProposalKind.RETIRE or proposal.state is not ProposalState.PENDING:
            return found
        above = self._engine._gate.inherited(db, proposal.memory.memory)
        if above is None:
            return found
        probability = 1.0 if above.certain else self._engine._minds.suspicion
        first = Objection(belief=above.belief, probability=probability, sentence=above.sentence, blocks=above.certain)
        return first, *found

    def approve(self, ref: str, signer: Signer, *, reason: str = "", expect: Review | None = None) -> ApprovalResult:
        """Sign a proposal; the signature that completes the quorum brings it into force.

        `expect` is what the reviewer saw. Raises StaleRevision where that has changed, InvariantViolation where it
        contradicts an invariant that it does not replace, NoKey, NotAllowed.
        """
        reason = check_reason(reason)
        self.review(ref)  # the models load, and read the texts, before the lock is taken
        with self._writing() as (tx, db, reads):
            hex = reads.find_proposal(ref)
            filed = reads.filed(hex)
            check_waiting(reads, filed)
            check_signers(reads, Act.APPROVE, [signer])
            proposal = proposal_of(reads, hex)
            standing = self._objections(db, reads, proposal)
            against = self._told(db, reads, proposal, standing)
            if expect is not None and seen(expect) != seen(
                expect.model_copy(update={"proposal": proposal, "objections": against})
            ):
                raise StaleRevision(
                    f"proposal-{hex[:8]}, what it replaces or what stands against it has changed since it was shown; "
                    "look at it again",
                    current=self._ledger.head(),
                )
            check_approvable(reads, filed)
            if blocking := next((each for each in against if each.blocks), None):
                raise InvariantViolation(_blocked(reads, blocking))
            valid = {s.key_id for s in signatures_of(reads, hex) if s.valid}
            if signer.key_id in valid:
                raise NotAllowed(f"{signer.name} has signed proposal-{hex[:8]} already; another reviewer must sign")
            complete = len(valid) + 1 >= proposal.quorum
            effects, bodies = self._in_force(db, reads, filed, standing) if complete else ([], [])
            seq = self._append(
                tx,
                reads,
                EventKind.APPROVED if complete else EventKind.SIGNED,
                hex,
                [signer],
                effects,
                reason=reason,
                bodies=bodies,
                **own_keys_of(filed),
            )
            return ApprovalResult(
                proposal_id=f"proposal-{hex}",
                seq=seq,
                signatures=len(valid) + 1,
                quorum=proposal.quorum,
                in_force=complete,
            )

    def _in_force(
        self, db: apsw.Connection, reads: Reads, filed: FiledProposal, standing: list[Standing]
    ) -> tuple[list[Effect], list[Body]]:
        beside, bodies = opened(reads, standing)
        memory = None if filed.kind is ProposalKind.RETIRE else reads.memory(filed.mid)

        def against(digest: str) -> tuple[list[Effect], list[Body]] | None:
            return None if memory is None else stands_against(reads, self._engine._minds, digest, memory)

        falls, more, packed = self._settled(reads, lambda barred: falling(reads, filed, barred), against)
        return approved(reads, filed, falls, [*beside, *more]), [*bodies, *packed]

    def _settled(
        self,
        reads: Reads,
        replan: Callable[[list[str]], Plan],
        against: Callable[[str], tuple[list[Effect], list[Body]] | None] = lambda digest: None,
    ) -> tuple[Plan, list[Effect], list[Body]]:
        """Plan until nothing held is let in that an invariant stands against; conflicts with those are opened."""
        barred: list[str] = []
        effects: list[Effect] = []
        bodies: list[Body] = []
        while True:
            made = replan(barred)
            before = len(barred)
            for digest, scope in made.admitted.items():
                bars = self._engine._resolver.guard(reads, digest, scope)
                found = against(digest)
                if digest not in barred and (bars or found):
                    barred.append(digest)
                    effects += [effect for bar in bars for effect in bar.effects] + (found[0] if found else [])
                    bodies += [each for bar in bars for each in bar.bodies] + (found[1] if found else [])
            if len(barred) == before:
                return made, effects, bodies

    def reject(self, ref: str, signer: Signer, reason: str) -> int:
        """Decline a proposal; returns the event. Raises BadInput without a reason, NoKey, NotAllowed."""
        reason = _needed(reason)
        with self._writing() as (tx, _, reads):
            filed = reads.filed(reads.find_proposal(ref))
            check_waiting(reads, filed)
            effects = rejected(reads, filed)
            return self._append(
                tx, reads, EventKind.DECLINED, filed.hex, [signer], effects, reason=reason, **own_keys_of(filed)
            )

    # memories -----------------------------------------------------------------------

    def retract(self, ref: str, reason: str) -> int:
        """Withdraw an ordinary memory; what rests on it becomes suspect. Returns the event.

        Raises NotAllowed for an invariant or what no longer holds, BadInput without a reason.
        """
        reason = _needed(reason)
        with self._writing() as (tx, _, reads):
            mid = reads.find_memory(ref)
            made, more, bodies = self._settled(reads, lambda barred: retraction(reads, mid, barred))
            event = NewEvent(EventKind.RETRACTED, self._actor, {"effects": [*made.effects, *more]}, bodies)
            return tx.append([event.because(reason)]).seqs[0]

    def redact(self, ref: str, signers: Sequence[Signer], reason: str) -> int:
        """Take a memory's text out for good; a tombstone and the signed reason stay. Returns the event.

        Raises NotAllowed for an invariant or a waiting proposal, BadInput without a reason.
        """
        reason = _needed(reason)
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

    # quarantine ---------------------------------------------------------------------

    def quarantine(self, author: str, signer: Signer, reason: str) -> int:
        """Hold whatever this agent writes from now on; returns the event. Raises NotAllowed where it is so already."""
        reason = _needed(reason)
        agent = str(_agent(author))
        with self._writing() as (tx, _, reads):
            if reads.quarantined(agent):
                raise NotAllowed(f"{agent} is in quarantine already")
            return self._append(tx, reads, EventKind.QUARANTINED, agent, [signer], [quarantine(agent)], reason=reason)

    def release(self, author: str, signer: Signer, reason: str) -> int:
        """Let an agent's writing in again; returns the event. Raises NotAllowed where it is in no quarantine."""
        reason = _needed(reason)
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

    # the signed log -----------------------------------------------------------------

    def restored(self, signer: Signer, *, size: int, root: str, reason: str) -> int:
        """Sign that this store was restored from a backup with that tree head; returns the event."""
        with self._writing() as (tx, _, reads):
            subject = self._ledger.store_id
            return self._append(
                tx, reads, EventKind.RESTORED, subject, [signer], [], reason=_needed(reason), size=size, root=root
            )

    def signed_log(self, limit: int | None = None) -> list[SignedEntry]:
        """Return who signed what, oldest first, each with whether the signature holds; `limit` keeps the latest."""
        with self._engine._reads() as (_, reads):
            seqs = reads.kinds(*map(str, ACT_OF))
            if limit is not None:
                seqs = seqs[-limit:] if limit > 0 else []
            keys = reads.reviewer_keys()
            return [entry for seq in seqs for entry in entries(reads, seq, keys)]

    def _append(
        self,
        tx: Writing,
        reads: Reads,
        event: EventKind,
        subject: str,
        signers: Sequence[Signer],
        effects: list[Effect],
        *,
        reason: str = "",
        bodies: Sequence[Body] = (),
        **own: Any,
    ) -> int:
        data, texts = seal(self._ledger, reads, ACT_OF[event], subject, signers, reason=reason, **own)
        data["effects"] = effects
        if event in (EventKind.SIGNED, EventKind.APPROVED, EventKind.DECLINED):
            data["about"] = [subject]
        return tx.append([NewEvent(event, self._actor, data, [*texts, *bodies])]).seqs[0]


def _blocked(reads: Reads, objection: Objection) -> str:
    memory = objection.belief.memory
    if reads.mid(memory.digest) is None:
        return f"{objection.sentence}; it is not for this store to replace, reject the proposal"
    return (
        f'it contradicts the invariant {memory.short_id} ("{excerpt(memory.content, 80)}"), '
        "which it does not replace; propose it anew with that one named in --supersedes"
    )


def _needed(reason: str) -> str:
    reason = check_reason(reason)
    if not reason:
        raise BadInput("a reason is needed: it is signed and kept; give --reason")
    return reason


def _agent(author: str) -> Author:
    agent = Author.parse(author.strip())
    if agent.kind is not AuthorKind.AGENT:
        raise BadInput(f"{agent} is no agent; only agents are put in quarantine")
    return agent
