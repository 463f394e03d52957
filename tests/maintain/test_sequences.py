"""Any sequence of learning, deciding and taking back keeps the beliefs whole (CONTRACTS 1 to 3)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.engine.scripted import AGENT, MARA, OTHER, Store, clash
from tur_engine.errors import BadInput, ConflictHeld, NotAllowed
from tur_engine.records import Author, Belief, Conflict, OnConflict, Scope, Status, Verb, Verdict

SUBJECTS = ("cache", "queue")
VALUES = ("amber", "basalt", "cobalt", "dune")
SCOPES = ("incarnation", "incarnation:api", "incarnation:web", "incarnation@main")
FALLEN = (Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)
BOTH_HOLD = (Verb.FORCE, Verb.DISMISS, Verb.BRANCH)
PEOPLE = st.sampled_from((MARA, MARA, AGENT, OTHER))


def subject_of(text: str) -> str:
    return text.split()[1]


def competing(incumbent: str, challenger: str) -> Verdict | None:
    """Two values of one subject clash."""
    return clash() if subject_of(incumbent) == subject_of(challenger) else None


class Beliefs(RuleBasedStateMachine):
    """Everybody learns, decides, takes back and reaffirms, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.store = Store(Path(self._folder.name))
        self.store.script.rule = competing
        self.merges = 0

    def teardown(self) -> None:
        self.store.verified()
        self.store.close()
        self._folder.cleanup()

    # what may happen ------------------------------------------------------------------

    @contextmanager
    def _refusable(self) -> Iterator[None]:
        """A refusal changes nothing."""
        before, head = self.store.picture(), self.store.engine.head()
        try:
            yield
        except (NotAllowed, ConflictHeld, BadInput) as error:
            if isinstance(error, BadInput) and not re.search("rest on itself|in a circle", str(error)):
                raise
            assert self.store.engine.head() == head
            assert self.store.picture() == before

    def _pick(self, number: int, options: list[Any]) -> Any:
        return options[number % len(options)] if options else None

    @rule(
        subject=st.sampled_from(SUBJECTS),
        value=st.sampled_from(VALUES),
        scope=st.sampled_from(SCOPES),
        by=PEOPLE,
        on_conflict=st.sampled_from((OnConflict.HOLD, OnConflict.HOLD, OnConflict.ALLOW, OnConflict.FAIL)),
        ground=st.integers(0, 99),
        replaced=st.integers(0, 99),
        options=st.sets(st.sampled_from(("rests", "supersedes"))),
    )
    def learn(
        self,
        subject: str,
        value: str,
        scope: str,
        by: Author,
        on_conflict: OnConflict,
        ground: int,
        replaced: int,
        options: set[str],
    ) -> None:
        resting = self._pick(ground, self.store.every()) if "rests" in options else None
        named = self._pick(replaced, self.store.engine.memories()) if "supersedes" in options else None
        with self._refusable():
            self.store.learn(
                f"The {subject} is {value}",
                by,
                on_conflict=on_conflict,
                scope=scope,
                rests_on=[resting.id] if resting else [],
                supersedes=[named.id] if named else [],
            )

    @precondition(lambda self: self.store.engine.conflicts())
    @rule(
        number=st.integers(0, 99),
        verb=st.sampled_from(list(Verb)),
        by=PEOPLE,
        whole_case=st.booleans(),
        side=st.sampled_from(("incumbent", "challenger")),
        scope=st.sampled_from(SCOPES[1:]),
    )
    def resolve(self, number: int, verb: Verb, by: Author, whole_case: bool, side: str, scope: str) -> None:
        conflict: Conflict = self._pick(number, self.store.engine.conflicts())
        with self._refusable():
            self._settle(conflict, verb, by, whole_case=whole_case, side=side, scope=Scope.parse(scope))

    def _settle(self, conflict: Conflict, verb: Verb, by: Author, **options: Any) -> Any:
        self.merges += 1
        subject = subject_of(conflict.incumbent.memory.content)
        options["text"] = f"The {subject} is merged {self.merges}"
        revision = self.store.engine.conflict(conflict.id).revision
        result = self.store.seen_by(by).resolve(conflict.id, verb, revision=revision, **options)
        if verb is not Verb.ABORT:
            sides = {subject_of(side.memory.content) for side in (conflict.incumbent, conflict.challenger)}
            live = {subject_of(text) for text in self.store.live()}
            waits = conflict.incumbent.status is Status.HELD  # what holds it up is believed, on its own subject
            assert sides & live or waits, "something is still believed"
        return result

    @precondition(lambda self: self.store.engine.conflicts())
    @rule(number=st.integers(0, 99), verb=st.sampled_from(list(Verb)), whole_case=st.booleans())
    def resolve_and_think_better_of_it(self, number: int, verb: Verb, whole_case: bool) -> None:
        """A decision, its undoing and the undoing of that leave what each was to leave."""
        conflict: Conflict = self._pick(number, self.store.engine.conflicts())
        before = self._told()
        try:
            done = self._settle(
                conflict,
                verb,
                MARA,
                whole_case=whole_case,
                side="challenger",
                scope=Scope.parse("incarnation:api@main"),
            )
        except NotAllowed:
            return
        after = self._told()
        undone = self.store.engine.undo(f"#{done.seq}")
        assert self._told(merged=done.memory_id) == before
        if not done.waiting:
            self.store.engine.undo(f"#{undone.seq}")
            assert self._told() == after

    def _told(self, merged: str | None = None) -> dict[str, Any]:
        """The picture, without a withdrawn merge, and with open pairs but not how far their case has come."""
        picture = self.store.picture()
        gone = [b.memory.digest for b in self.store.every() if b.id == merged and b.status is Status.RETRACTED]
        for table in ("status", "suspect", "scope"):
            for digest in gone:
                del picture[table][digest]
        picture["open"] = [(incumbent, challenger) for incumbent, challenger, _ in picture["open"]]
        return picture

    @rule(by=PEOPLE)
    def undo_the_last(self, by: Author) -> None:
        with self._refusable():
            self.store.seen_by(by).undo()

    @rule(number=st.integers(0, 99))
    def undo_any(self, number: int) -> None:
        decisions = [
            e.seq for e in self.store.engine.history() if e.kind in ("resolved", "chosen", "undone", "reaffirmed")
        ]
        if decisions:
            with self._refusable():
                self.store.engine.undo(f"#{self._pick(number, decisions)}")

    @rule(number=st.integers(0, 99))
    def reaffirm(self, number: int) -> None:
        suspects = self.store.engine.memories(status=[Status.SUSPECT])
        if suspects:
            self.store.engine.reaffirm(self._pick(number, suspects).id)

    # what must hold -------------------------------------------------------------------

    @invariant()
    def the_ledger_verifies(self) -> None:
        report = self.store.engine.verify()
        assert report.ok, report.problem

    @invariant()
    def an_open_conflict_has_two_sides_that_stand(self) -> None:
        pairs = []
        for conflict in self.store.engine.conflicts():
            assert conflict.incumbent.status not in FALLEN
            assert conflict.challenger.status not in FALLEN
            pairs.append((conflict.incumbent.id, conflict.challenger.id))
        assert len(pairs) == len(set(pairs)), "a pair is open once"

    @invariant()
    def a_held_candidate_has_something_to_settle(self) -> None:
        challengers = {c.challenger.id for c in self.store.engine.conflicts()}
        held = {b.id for b in self.store.every() if b.status is Status.HELD}
        assert held <= challengers

    @invariant()
    def nothing_live_contradicts_in_silence(self) -> None:
        live = self.store.engine.memories(limit=-1)
        latest: dict[frozenset[str], Conflict] = {}
        for conflict in sorted(self.store.engine.conflicts(all=True), key=lambda c: c.seq):
            latest[frozenset((conflict.incumbent.id, conflict.challenger.id))] = conflict
        for one in live:
            for other in live:
                if one.memory.seq < other.memory.seq and clashing(one, other):
                    known = latest.get(frozenset((one.id, other.id)))
                    assert known is not None, (one.memory.content, other.memory.content)
                    assert known.state.open or (known.settlement and known.settlement.verb in BOTH_HOLD)

    @invariant()
    def every_suspect_names_a_cause_that_fell(self) -> None:
        status = {b.memory.digest: b.status for b in self.store.every()}
        for belief in self.store.engine.memories(status=[Status.SUSPECT]):
            assert all(status[cause] in FALLEN for cause in belief.suspect_because)


def clashing(one: Belief, other: Belief) -> bool:
    """By the rule of this test: other values of one subject, in scopes that overlap."""
    texts = one.memory.content, other.memory.content
    return (
        subject_of(texts[0]) == subject_of(texts[1])
        and texts[0] != texts[1]
        and one.memory.scope.overlaps(other.memory.scope)
    )


def test_the_same_few_sequences_in_every_run() -> None:
    few = settings(max_examples=14, stateful_step_count=16, derandomize=True, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Beliefs, settings=few)


@pytest.mark.soak
def test_new_sequences_each_time_and_longer_ones() -> None:
    many = settings(max_examples=200, stateful_step_count=40, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(Beliefs, settings=many)
