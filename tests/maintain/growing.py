"""Belief graphs built below the gate, and the labels that they should have, computed from nothing on networkx."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import networkx as nx

from tur_engine.ledger import Encoded, Ledger, NewEvent, Reads, Writing
from tur_engine.ledger.effects import arrive, edge
from tur_engine.maintain.force import relabelling
from tur_engine.maintain.justify import another_justification
from tur_engine.maintain.labels import let_stand, with_marks
from tur_engine.maintain.plan import fall
from tur_engine.maintain.undo import plan_undo
from tur_engine.maintain.view import View
from tur_engine.records import Author, Draft, EventKind, Relation, Status, Verb

BENCH = Author.parse("agent:bench")
AT = datetime(2026, 3, 1, tzinfo=UTC)
FALLEN = (Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)


class Grown:
    """One store inside one open transaction, and beside it what a reader of the contracts would note down."""

    def __init__(self, tx: Writing, reads: Reads) -> None:
        self.tx, self.reads = tx, reads
        self.nodes: list[str] = []
        self.book = nx.MultiDiGraph()
        self.decisions: list[int] = []
        self.forced: set[str] = set()
        """Custom edge types that people gave force."""

    def append(self, kind: EventKind, **data: object) -> int:
        return self.tx.append([NewEvent(kind, BENCH, data, [])]).seqs[0]

    def learn(self, depends: Collection[int] = (), refines: Collection[int] = ()) -> str:
        """A memory with grounds, by their place in `nodes`."""
        edges = [("depends_on", self.nodes[i]) for i in depends] + [("refines", self.nodes[i]) for i in refines]
        draft = Draft(content=f"claim {len(self.nodes)}", author=BENCH)
        encoded = Encoded(draft, AT)
        effects = [arrive(encoded.digest, Status.ACTIVE), *(edge(encoded.digest, t, k) for k, t in edges)]
        data = {"memory": encoded.data, "effects": with_marks(View(self.reads), effects)}
        self.tx.append([NewEvent(EventKind.LEARNED, BENCH, data, encoded.bodies)])
        self.nodes.append(encoded.digest)
        self.book.add_node(encoded.digest)
        self.book.add_edges_from((encoded.digest, target, {"kind": kind, "group": 0}) for kind, target in edges)
        return encoded.digest

    def link(self, source: str, target: str, kind: str) -> None:
        """An edge of a custom type."""
        effects = with_marks(View(self.reads), [edge(source, target, kind)])
        self.append(EventKind.MAPPED, effects=effects)
        self.book.add_edge(source, target, kind=kind, group=0)

    def enforce(self, kinds: Collection[str]) -> None:
        """People approve a persona file where these types pass doubt on."""
        self.forced = set(kinds)
        self.append(EventKind.PERSONA, effects=[])
        if (event := relabelling(self.reads)) is not None:
            self.tx.append([event])

    def confirm(self, digest: str, grounds: Collection[str]) -> None:
        """One more justification. Raises BadInput for one that would close a circle."""
        mid = self.reads.mid(digest)
        assert mid is not None
        relations = [Relation(type="depends_on", target=ground) for ground in grounds]
        effects = another_justification(self.reads, mid, relations)
        seq = self.append(EventKind.CONFIRMED, about=[digest], effects=effects)
        drawn = [e for e in effects if e["op"] == "edge"]
        self.book.add_edges_from((digest, e["target"], {"kind": "depends_on", "group": seq}) for e in drawn)

    def fell(self, digest: str, winner: str = "") -> int:
        """A memory is superseded, by another one where it is named; returns the event."""
        view = View(self.reads)
        effects = fall(view, {digest: Status.SUPERSEDED}, Verb.SUPERSEDE, spared=[winner] if winner else []).effects
        if winner:
            effects.append(edge(digest, winner, "superseded_by"))
        seq = self.append(EventKind.RESOLVED, decision={"verb": "supersede"}, effects=effects)
        self.decisions.append(seq)
        return seq

    def reaffirm(self, digest: str) -> int:
        effects = let_stand(View(self.reads), digest)
        self.decisions.append(self.append(EventKind.REAFFIRMED, effects=effects))
        return self.decisions[-1]

    def undo(self, seq: int) -> int:
        """Take a decision back. Raises NotAllowed."""
        undo = plan_undo(self.reads, seq)
        done = self.append(EventKind.UNDONE, undoes=seq, effects=undo.effects, verbs={})
        self.decisions.append(done)
        return done

    def active(self) -> list[str]:
        return [digest for digest in self.nodes if self._status(digest) is Status.ACTIVE]

    def _status(self, digest: str) -> Status:
        mid = self.reads.mid(digest)
        assert mid is not None
        return self.reads.status(mid)

    def labels(self) -> dict[str, set[str]]:
        """The marks in the ledger, of what is believed."""
        found = {}
        for digest in self.active():
            mid = self.reads.mid(digest)
            assert mid is not None
            found[digest] = {self.reads.digest(cause) for cause in self.reads.causes(mid)}
        return found

    def expected(self) -> dict[str, set[str]]:
        """The labels from nothing: all are empty, and grow by the rule until none does."""
        status = {digest: self._status(digest) for digest in self.nodes}
        waived = {digest: self._waived(digest) for digest in self.nodes}
        pairs = self.reads.pairs_joined_by("superseded_by")
        gone = {(self.reads.digest(loser), self.reads.digest(winner)) for loser, winner in pairs}
        labels: dict[str, set[str]] = {digest: set() for digest in self.nodes}

        def broken(ground: str, of: str) -> set[str]:
            if status[ground] in FALLEN:
                return set() if (ground, of) in gone or ground in waived[of] else {ground}
            return labels[ground] - waived[of]

        grew = True
        while grew:
            grew = False
            for digest in self.nodes:
                if status[digest] is not Status.ACTIVE:
                    continue
                groups: dict[int, set[str]] = {0: set()}
                label: set[str] = set()
                for _, ground, data in self.book.out_edges(digest, data=True):
                    if data["kind"] not in ("depends_on", "refines", *self.forced):
                        continue
                    causes = broken(ground, digest)
                    if data["kind"] == "refines":
                        label |= causes
                    else:
                        groups.setdefault(data["group"], set()).update(causes)
                if all(groups.values()):
                    label = label.union(*groups.values())
                if label != labels[digest]:
                    labels[digest], grew = label, True
        return {digest: labels[digest] for digest in self.nodes if status[digest] is Status.ACTIVE}

    def _waived(self, digest: str) -> set[str]:
        """In spite of what a memory was reaffirmed, read off the events."""
        found: set[str] = set()
        for seq in self.decisions:
            if self.reads.kind(seq) == EventKind.REAFFIRMED and not self.reads.undone(seq):
                effects = self.reads.event(seq)[2]["effects"]
                if effects and effects[0]["digest"] == digest:
                    found |= {e["cause"] for e in effects if e["digest"] == digest}
        return found


class _Back(Exception):
    """Rolls the transaction back."""


@contextmanager
def grown(ledger: Ledger) -> Iterator[Grown]:
    """A graph to grow; nothing of it is kept."""
    try:
        with ledger.writing() as tx, ledger.reading() as db:
            yield Grown(tx, Reads(db))
            raise _Back
    except _Back:
        pass


def ledger_in(folder: Path) -> Ledger:
    return Ledger.create(folder / "ledger.db", BENCH)
