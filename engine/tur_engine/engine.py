"""The agents' facade: small, typed, synchronous. Surfaces talk to this and to records, never to the rooms below.

One Engine may be used from several threads. Models load when a probe first needs them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import apsw

from . import whereabouts
from .errors import AmbiguousId, BadInput, ConflictHeld, NotAllowed, ReadOnlyStore, StoreExists, UnknownId
from .gate import Above, Gate
from .gate.merge import case_of, merged_draft
from .gate.quarantine import held_back
from .gate.secrets import refuse_secrets
from .govern.proposing import check_promotable, check_reason, promotion, retirement
from .govern.review import proposal_of
from .govern.verify import examine
from .graph.neighbourhood import neighbourhood
from .ledger import Ledger, NewEvent, Reads
from .ledger.bodies import body
from .ledger.history import Narrator
from .ledger.proof import prove
from .ledger.rebuild import rebuild
from .ledger.schema import OPEN
from .ledger.verify import verify
from .maintain import Decision, Resolver, Rollback, Session, View, came_back_as
from .minds import Minds
from .probe.recall import recall
from .records import (
    Author,
    AuthorKind,
    BatchReport,
    Belief,
    Conflict,
    ConflictState,
    Draft,
    Edge,
    EventKind,
    FeedFilter,
    HeldBack,
    HistoryEntry,
    LearnResult,
    MemoryType,
    Neighbourhood,
    NoteResult,
    OnConflict,
    Outcome,
    Preview,
    Proof,
    Proposal,
    ProposalState,
    RecalledMemory,
    Refusal,
    ResolutionResult,
    Scope,
    SessionStep,
    SessionUndo,
    Status,
    StoreStatus,
    Verb,
    VerifyReport,
)
from .settings import Settings, read_settings
from .text import accept, excerpt

MOST_DRAWN = 400
"""Nodes of one graph at the most."""
OPEN_STATES = tuple(state for state in ConflictState if state.open)


class _Tried(Exception):
    """Ends a dry run: its transaction is rolled back."""


class Engine:
    """One store, one actor. Build it with `open` or `init`."""

    def __init__(
        self, ledger: Ledger, actor: Author, settings: Settings, *, now: int = OPEN - 1, founded: bool = False
    ) -> None:
        self.actor = actor
        self.settings = settings
        self.founded = founded
        here = whereabouts.working_directory()
        self._ledger = ledger
        self._now = now
        self._minds = Minds(settings.profile, settings.threshold)
        self._resolver = Resolver(settings.agent_may_resolve)
        above = Above(self.path, self.root, lambda: whereabouts.others_in_force(ledger.path, here))
        self._gate = Gate(ledger, self._resolver, self._minds, self._minds.embed, above)

    # opening ------------------------------------------------------------------------

    @classmethod
    def init(cls, root: Path, *, actor: Author, nested: bool = False) -> Self:
        """Make a store in `root/.tur`. Raises StoreExists, BadInput, ReadOnlyStore."""
        path = whereabouts.place_for_new(root, nested=nested)
        return cls(Ledger.create(path, actor), actor, read_settings(path.with_name("config.toml")), founded=True)

    @classmethod
    def open(cls, store: Path | None = None, *, actor: Author, create: bool = False, read_only: bool = False) -> Self:
        """Open the store a path names, or the one that holds here. Raises NoStore, NewerStore, IntegrityFailure.

        With `create` the user's own store is founded where it is missing; `founded` tells.
        """
        path = whereabouts.find(store)
        settings = read_settings(path.with_name("config.toml"))
        if create and not read_only and not path.exists():
            with suppress(StoreExists):  # another process was first
                return cls(Ledger.create(path, actor), actor, settings, founded=True)
        return cls(Ledger(path, read_only=read_only), actor, settings)

    @property
    def path(self) -> Path:
        """The store file."""
        return self._ledger.path

    @property
    def root(self) -> Path:
        """The folder that scope paths are relative to."""
        return self.path.parent.parent if self.path.parent.name == whereabouts.FOLDER else self.path.parent

    @property
    def read_only(self) -> bool:
        return self._ledger.read_only or self._now != OPEN - 1

    @property
    def threshold(self) -> float:
        """Probability from which the gate stops a newcomer."""
        return self._minds.detector.threshold

    def displaced(self) -> str:
        """Return in a sentence how the path stopped naming the open store (moved, removed, replaced); else nothing."""
        return self._ledger.displaced()

    @property
    def lingers(self) -> bool:
        """True where the text last redacted is still in the store's log: a reader holds an older moment open."""
        return self._ledger.lingers

    def close(self) -> None:
        """Close every connection; a view of the past leaves them to the engine it came from."""
        self._gate.close()
        if self._now == OPEN - 1:
            self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def at(self, seq: int) -> Engine:
        """Return the same store as it was after event `seq`, for reading only. Raises BadInput."""
        if not 1 <= seq <= self.head():
            raise BadInput(f"there is no event {seq}; the ledger holds 1 to {self.head()}")
        return Engine(self._ledger, self.actor, self.settings, now=seq)

    @contextmanager
    def _reads(self) -> Iterator[tuple[apsw.Connection, Reads]]:
        with self._ledger.snapshot() as db:
            yield db, Reads(db, self._now)

    def _of_the_present(self) -> None:
        if self._now != OPEN - 1:
            raise NotAllowed(f"a verdict is about the present; this is the past (as of event {self._now})")

    def _writable(self) -> None:
        if self._now != OPEN - 1:
            raise ReadOnlyStore(
                f"this is the past (as of event {self._now}); go back to the present to change anything"
            )
        if self._ledger.read_only:
            raise ReadOnlyStore(f"{self.path} was opened for reading only; nothing was written")

    # the gate -----------------------------------------------------------------------

    def learn(
        self,
        draft: Draft,
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        supersedes: Sequence[str] = (),
        dry_run: bool = False,
        allow_secret: bool = False,
    ) -> LearnResult:
        """Take a draft in, or stop it; outcomes are results. Raises ConflictHeld under `fail`, BadInput, SecretFound.

        A person may let a text through that looks like a secret; NotAllowed for an agent.
        """
        if allow_secret and self.actor.kind is not AuthorKind.HUMAN:
            raise NotAllowed("only a person may store what looks like a secret")
        if dry_run:
            self._of_the_present()
            return self._gate.check(draft, supersedes=supersedes, allow_secret=allow_secret)
        self._writable()
        return self._gate.learn(
            draft, self.actor, on_conflict=on_conflict, supersedes=supersedes, allow_secret=allow_secret
        )

    def check(self, draft: Draft) -> LearnResult:
        """Return the verdict a learn would get; nothing is written. Raises NotAllowed in a view of the past."""
        self._of_the_present()
        return self._gate.check(draft)

    def learn_many(
        self,
        drafts: Iterable[Draft | Refusal],
        *,
        on_conflict: OnConflict = OnConflict.HOLD,
        progress: Callable[[int], None] | None = None,
    ) -> BatchReport:
        """Learn in order, each checked against all before it; a line that cannot be taken does not stop the rest.

        Under `fail` a clash refuses its line; its result stands in `results`, nothing of it was recorded.
        """
        self._writable()
        counts = dict.fromkeys(Outcome, 0)
        held, refused, results = 0, [], []
        for line, draft in enumerate(drafts, 1):
            if isinstance(draft, Refusal):
                refused.append(draft)
            else:
                try:
                    result = self.learn(draft, on_conflict=on_conflict)
                except BadInput as e:
                    refused.append(Refusal(line=line, reason=str(e)))
                except ConflictHeld as e:
                    refused.append(Refusal(line=line, reason=str(e)))
                    results.append(e.result)  # type: ignore[attr-defined]
                else:
                    counts[result.outcome] += 1
                    held += result.outcome is Outcome.CONFLICT
                    results.append(result)
            if progress:
                progress(line)
        return BatchReport(
            committed=counts[Outcome.COMMITTED],
            duplicates=counts[Outcome.DUPLICATE],
            held=held,
            proposed=counts[Outcome.PROPOSED],
            invariant_violations=counts[Outcome.INVARIANT],
            refused=tuple(refused),
            conflicts=tuple(report for result in results for report in result.conflicts),
            results=tuple(results),
        )

    def note(self, text: str, *, session: str | None = None) -> NoteResult:
        """Keep a note: an event, never recalled as fact, never blocked; clashes come back as warnings."""
        self._writable()
        text = accept(text, "note")
        verdict = self._gate.check(Draft(content=text, author=self.actor, session=session))
        clashing = [report.conflict.incumbent for report in verdict.conflicts]
        if verdict.invariant is not None:
            clashing.insert(0, verdict.invariant)
        clashing = [belief for belief in clashing if belief.status.live]
        bodies = [body(text)]
        data: dict[str, object] = {
            "text_ref": bodies[0].ref,
            "effects": [],
            "about": [b.memory.digest for b in clashing if not (b.approved and verdict.invariant_store)],
        }
        if session:
            bodies.append(body(accept(session, "session", limit=512)))
            data["session_ref"] = bodies[1].ref
        with self._ledger.writing() as tx:
            done = tx.append([NewEvent(EventKind.NOTED, self.actor, data, bodies)])
        return NoteResult(
            seq=done.seqs[0],
            warnings=tuple(
                f'this note clashes with {self.short(b.id)} ("{excerpt(b.memory.content, 80)}")' for b in clashing
            ),
            clashes=tuple(b.id for b in clashing),
        )

    # reading ------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        path: str | None = None,
        branch: str | None = None,
        include_superseded: bool = False,
    ) -> list[RecalledMemory]:
        """Return what is believed about the query; contested memories bring their other side."""
        query = accept(query, "query")
        here = Scope(path=path, branch=branch) if path or branch else None
        packed = self._minds.embed(query)
        with self._reads() as (db, reads):
            vector = None if packed is None else packed[-384:]
            return recall(db, reads, query, vector, limit=limit, here=here, include_superseded=include_superseded)

    def memories(
        self,
        *,
        status: Collection[Status] | None = None,
        type: MemoryType | None = None,
        limit: int = 100,
        after: int = 0,
    ) -> list[Belief]:
        """Return memories newest first, live ones where no status is named; `after` pages on from a `memory.seq`."""
        wanted = status if status is not None else (Status.ACTIVE, Status.SUSPECT)
        with self._reads() as (_, reads):
            return [reads.belief(mid) for mid in reads.with_status(wanted, type=type, limit=limit, after=after)]

    def memory(self, ref: str) -> Belief:
        """Return one memory by id or unique prefix of 4+ hex. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return reads.belief(reads.find_memory(ref))

    def short(self, id: str) -> str:
        """Return the id with the shortest unique prefix, at least 8 hex."""
        kind, _, hexes = id.rpartition("-")
        with self._reads() as (_, reads):
            if kind == "conflict":
                return f"conflict-{reads.shortest(hexes, 'conflicts', 'cid')}"
            if kind == "proposal":
                return f"proposal-{reads.shortest(hexes, 'proposals', 'proposal')}"
            return f"{kind}-{reads.shortest(hexes)}" if kind else reads.shortest(hexes)

    def conflicts(self, *, all: bool = False, limit: int | None = None) -> list[Conflict]:
        """Return open conflicts in queue order: probability, dependants, age; with `all` the settled ones too."""
        with self._reads() as (_, reads):
            found = [reads.conflict(cid) for cid in reads.conflict_ids(() if all else OPEN_STATES)]
        found.sort(
            key=lambda c: (not c.state.open, -round(c.probability, 2), -c.dependants, c.seq, c.incumbent.memory.seq)
        )
        return found if limit is None else found[:limit]

    def conflict(self, ref: str) -> Conflict:
        """Return one conflict by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return reads.conflict(reads.find_conflict(ref))

    def preview(self, ref: str, verb: Verb) -> Preview:
        """Return what a verb would change; nothing is written."""
        with self._reads() as (_, reads):
            conflict = reads.conflict(reads.find_conflict(ref))
            return self._resolver.preview(reads, View(reads), conflict, verb)

    def edges(self, ref: str) -> list[Edge]:
        """Return the edges at a memory, either way."""
        with self._reads() as (_, reads):
            return reads.edges_of(reads.find_memory(ref))

    def neighbourhood(self, refs: Sequence[str], *, radius: int = 1, limit: int = 40) -> Neighbourhood:
        """Return the belief graph within `radius` steps of the memories, at most `limit` nodes."""
        with self._reads() as (_, reads):
            return neighbourhood(reads, [reads.find_memory(ref) for ref in refs], radius=radius, limit=limit)

    def graph(self, ref: str, *, radius: int = 1) -> dict[str, Any]:
        """Return a memory's neighbourhood as networkx' node-link data, ready for JSON."""
        from .graph.build import to_node_link  # networkx: only who asks for a graph pays for it

        return to_node_link(self.neighbourhood([ref], radius=radius, limit=MOST_DRAWN))

    def graph_text(self, ref: str, *, radius: int = 1, form: str = "text") -> str:
        """Return a memory's neighbourhood as `text`, `mermaid` or `graphml`. Raises BadInput for another form."""
        from .graph.build import FORMS

        if form not in FORMS:
            raise BadInput(f"unknown form {form!r}; use one of {', '.join(FORMS)}")
        return FORMS[form](self.neighbourhood([ref], radius=radius, limit=MOST_DRAWN))

    def history(self, ref: str | None = None, *, limit: int | None = None) -> list[HistoryEntry]:
        """Return events oldest first: all, or those about one memory or conflict; `limit` keeps the latest."""
        with self._reads() as (db, reads):
            narrator = Narrator(db, reads)
            seqs = narrator.index(FeedFilter())[::-1] if ref is None else self._mentions(reads, ref)
            if limit is not None:
                seqs = seqs[-limit:] if limit > 0 else []
            return [narrator.entry(seq) for seq in seqs]

    def _mentions(self, reads: Reads, ref: str) -> list[int]:
        kind = ref.strip().rpartition("-")[0]
        if kind == "conflict":
            return reads.mentions(reads.find_conflict(ref))
        if kind == "proposal":
            return reads.mentions(reads.find_proposal(ref))
        try:
            return reads.mentions(reads.digest(reads.find_memory(ref)))
        except UnknownId:
            if kind:
                raise
            return reads.mentions(reads.find_conflict(ref))

    def status(self) -> StoreStatus:
        """Return counts, head and what the detector has to go by."""
        with self._reads() as (_, reads):
            counts = reads.counts()
            opened = len(reads.conflict_ids(OPEN_STATES))
            invariants = len(reads.approved_rows())
            pending = len(reads.proposal_ids(ProposalState.PENDING))
        return StoreStatus(
            path=str(self.path),
            store_id=self._ledger.store_id,
            memories=counts,
            open_conflicts=opened,
            invariants=invariants,
            proposals_pending=pending,
            head=self._ledger.tree_head(self._now if self._now != OPEN - 1 else None),
            judge=self._minds.has_judge,
            read_only=self.read_only,
        )

    # deciding -----------------------------------------------------------------------

    def resolve(
        self,
        ref: str,
        verb: Verb,
        *,
        revision: int | None = None,
        reason: str = "",
        text: str | None = None,
        side: Literal["incumbent", "challenger"] | None = None,
        scope: Scope | None = None,
        whole_case: bool = False,
    ) -> ResolutionResult:
        """Settle a conflict with one verb. Raises StaleRevision, NotAllowed, BadInput, InvariantViolation."""
        self._writable()
        reason = self._reason(reason)
        decision = Decision(verb, reason, accept(text, "merged text") if text and text.strip() else None, side, scope)
        decision.check()
        if decision.text:
            self._minds.embed(decision.text)  # the model loads before the lock is taken
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._resolver.resolve(
                reads,
                tx,
                reads.find_conflict(ref),
                decision,
                self.actor,
                revision=revision,
                whole_case=whole_case,
                admit_merge=lambda merged, conflict, falling: self._gate.admit_merge(
                    reads, merged, conflict, falling, self.actor
                ),
            )

    def check_text(self, text: str, *, conflict: str) -> LearnResult:
        """Return what a merged text would still clash with, its own case left out; nothing is written."""
        self._of_the_present()
        with self._reads() as (_, reads):
            found = reads.conflict(reads.find_conflict(conflict))
            left_out = case_of(reads, found)
        return self._gate.check(merged_draft(text, found, self.actor), leave_out=left_out)

    def undo(self, ref: str | None = None, *, reason: str = "") -> ResolutionResult:
        """Take a decision back: of a conflict, of an event (`#12`), or the actor's last.

        What comes back is weighed against what came in meanwhile; `reopened` names the conflicts found. Raises
        NotAllowed, BadInput, InvariantViolation.
        """
        self._writable()
        reason = self._reason(reason)
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            seq = self._decision_named(reads, ref)
            return self._resolver.undo(
                reads, tx, seq, self.actor, reason, look_again=lambda undo: self._gate.look_again(reads, undo)
            )

    def undo_session(
        self,
        *,
        session: str = "",
        agent: Author | None = None,
        since: datetime | None = None,
        reason: str = "",
        dry_run: bool = False,
    ) -> SessionUndo:
        """Take back what an agent, or a session, learned and decided since a moment, the newest first.

        Decisions are undone and memories retracted, all in one transaction; what cannot be taken back says why, and
        approvals stay. With `dry_run` all of it is tried and nothing kept. Raises BadInput, NotAllowed.
        """
        self._writable()
        if not session and agent is None:
            raise BadInput("name a session or an agent whose events are to be taken back")
        reason = self._reason(reason)
        steps: list[SessionStep] = []
        with suppress(_Tried), self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            narrator = Narrator(db, reads)
            rollback = Rollback(
                self._resolver,
                reads,
                tx,
                self.actor,
                reason,
                lambda undo: self._gate.look_again(reads, undo),
                lambda digest: reads.memory(reads.mid(digest) or 0).short_id,
            )
            for step in rollback.run(Session(agent, session, since)):
                steps.append(step.model_copy(update={"summary": narrator.entry(step.seq).summary}))
            if dry_run:
                raise _Tried
        return SessionUndo(steps=tuple(steps), dry_run=dry_run)

    def held_back(self) -> list[HeldBack]:
        """Return what is held for people though no conflict stops it, oldest first."""
        with self._reads() as (_, reads):
            return [
                HeldBack(belief=reads.belief(mid), reason=reads.reason(reads.event(mid)[2]))
                for mid in reversed(reads.with_status((Status.HELD,)))
                if held_back(reads, mid)
            ]

    def admit(self, ref: str, *, reason: str = "") -> int:
        """Let in, as a person, what is held back; returns the event.

        Raises NotAllowed for an agent and for what a conflict stops, InvariantViolation for what contradicts an
        invariant in force.
        """
        self._writable()
        if self.actor.kind is not AuthorKind.HUMAN:
            raise NotAllowed("what is held back waits for a person's word")
        reason = self._reason(reason)
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._gate.admit(reads, tx, reads.find_memory(ref), self.actor, reason)

    def _reason(self, reason: str) -> str:
        """Return a reason as it will be kept. Raises BadInput, SecretFound."""
        if not reason.strip():
            return ""
        refuse_secrets(Draft(content=reason, author=self.actor), "reason")
        return check_reason(reason)

    def _decision_named(self, reads: Reads, ref: str | None) -> int | None:
        if ref is None:
            return None
        bare = ref.strip().removeprefix("#")
        number = int(bare) if bare.isdecimal() and len(bare) < 19 else None  # SQLite counts to 2^63
        if number is not None and (ref.strip().startswith("#") or number <= reads.last_event()):
            return number
        if ref.strip().startswith("#"):
            raise BadInput(f"{ref!r} is not an event number; `tur history` lists them")
        try:
            cid = reads.find_conflict(ref)
        except BadInput as e:
            if number is None or isinstance(e, AmbiguousId):
                raise
            raise BadInput(f"there is no event {number}; the ledger holds 1 to {reads.last_event()}") from None
        seq = reads.decision_on(cid)
        if seq is None:
            raise NotAllowed(came_back_as(reads, cid) or f"conflict-{cid[:8]} has no decision to undo")
        return seq

    def reaffirm(self, ref: str, *, reason: str = "") -> int:
        """Clear a suspect mark; returns the event. Raises NotAllowed where there is none."""
        self._writable()
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            return self._resolver.reaffirm(reads, tx, reads.find_memory(ref), self.actor, self._reason(reason))

    # asking people --------------------------------------------------------------------

    def propose(self, draft: Draft, *, replaces: Sequence[str] = (), reason: str = "") -> LearnResult:
        """File an axiom or core memory for people to approve, in place of the invariants it names.

        Outcomes are results: proposed, duplicate, or invariant_violation where it contradicts an invariant that it
        does not name. Raises BadInput for another type, and for what is no invariant.
        """
        self._writable()
        if not draft.type.invariant_tier:
            raise BadInput(f"a {draft.type} needs no proposal, it is learned; propose an axiom or a core memory")
        return self._gate.propose(draft, self.actor, replaces=replaces, reason=check_reason(reason))

    def propose_promotion(
        self, ref: str, core_type: str, principle: str, covenant: str, reason: str = ""
    ) -> LearnResult:
        """Ask people to make a core memory of one that holds. Raises NotAllowed, BadInput, UnknownId."""
        self._writable()
        with self._reads() as (_, reads):
            source = check_promotable(reads, reads.find_memory(ref))
        draft = promotion(source, self.actor, core_type, principle, covenant)
        return self._gate.propose(draft, self.actor, promotes=source.digest, reason=check_reason(reason))

    def propose_retirement(self, ref: str, reason: str) -> Proposal:
        """Ask people to take an invariant out of force; the proposal that waits already where one does.

        Raises NotAllowed for what is no invariant, BadInput without a reason.
        """
        self._writable()
        if not reason.strip():
            raise BadInput("a retirement needs a reason; people decide on it")
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            reads = Reads(db)
            proposal, event = retirement(reads, reads.find_memory(ref), self.actor, reason)
            if event is not None:
                tx.append([event])
            return proposal_of(Reads(db), proposal)

    def proposals(self, *, all: bool = False) -> list[Proposal]:
        """Return the proposals that wait, oldest first; with `all` the decided ones too."""
        with self._reads() as (_, reads):
            return [proposal_of(reads, found) for found in reads.proposal_ids(None if all else ProposalState.PENDING)]

    def proposal(self, ref: str) -> Proposal:
        """Return one proposal by id or unique prefix. Raises UnknownId, AmbiguousId, BadInput."""
        with self._reads() as (_, reads):
            return proposal_of(reads, reads.find_proposal(ref))

    # the live feed --------------------------------------------------------------------

    def head(self) -> int:
        """Return the last sequence number."""
        return min(self._now, self._ledger.head())

    def feed_index(self, filter: FeedFilter | None = None) -> list[int]:
        """Return the sequence numbers that pass the filter, newest first."""
        with self._reads() as (db, reads):
            return Narrator(db, reads).index(filter or FeedFilter())

    def entries(self, seqs: Sequence[int]) -> list[HistoryEntry]:
        """Return the history entries of these events, in the order given."""
        with self._reads() as (db, reads):
            narrator = Narrator(db, reads)
            return [narrator.entry(seq) for seq in seqs]

    def watch(self, since: int, stop: threading.Event, interval: float = 0.1) -> Iterator[list[HistoryEntry]]:
        """Yield batches of new entries until `stop` is set; blocks, so run it in a thread of its own."""
        seen, version = since, -1
        while not stop.is_set():
            moved = self._ledger.data_version()
            if moved != version:
                version = moved
                while (head := self.head()) > seen and not stop.is_set():
                    upto = min(head, seen + 500)
                    batch = self.entries(range(seen + 1, upto + 1))
                    seen = upto
                    yield batch
            stop.wait(interval)

    # truth of the ledger ----------------------------------------------------------------

    def verify(self, progress: Callable[[int, int], None] | None = None, *, witnessed: bool = True) -> VerifyReport:
        """Check chain, bodies, Merkle root and projections; then every signature, and what may not be without one.

        Unless `witnessed` is off, the store is compared with what this machine saw of it before.
        """
        report = verify(self._ledger, progress, witnessed=witnessed)
        if not report.ok:
            return report
        governed = examine(self._ledger)
        return report.model_copy(
            update={
                "ok": governed.first_bad is None,
                "checkpoints": governed.checkpoints,
                "first_bad": governed.first_bad,
                "problem": governed.problem,
            }
        )

    def prove(self, ref: str, *, since: int | None = None) -> Proof:
        """Return a proof that a memory is in the ledger, and that the one of `since` events is a part of it.

        Raises UnknownId, AmbiguousId, BadInput.
        """
        return prove(self._ledger, ref, since=since)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Make every projection anew from the events; returns how many events were read."""
        self._writable()
        return rebuild(self._ledger, progress)

    def backup(self, target: Path) -> None:
        """Copy the store to a new file while it is in use. Raises BadInput where the file exists."""
        if target.exists():
            raise BadInput(f"{target} exists already; name a new file")
        self._ledger.backup(target)
