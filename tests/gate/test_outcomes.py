"""One door, five answers (CONTRACTS 2)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, OTHER, Store, clash, draft_of
from tur_engine.errors import BadInput, ConflictHeld, UnknownId
from tur_engine.records import Draft, OnConflict, Outcome, Refusal, Relation, Status, Verb

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
FLYWAY = "Database migrations run via Flyway"


@pytest.fixture
def rivals(store: Store) -> Store:
    """Three tools for one job; the first is known."""
    store.script.clash(ALEMBIC, PRISMA, FLYWAY)
    store.known(ALEMBIC)
    return store


def bytes_of(store: Store) -> bytes:
    return b"".join(f.read_bytes() for f in sorted(store.engine.path.parent.glob("ledger.db*")) if "shm" not in f.name)


def test_what_clashes_with_nothing_is_committed_with_its_place_in_the_tree(store: Store) -> None:
    result = store.learn(ALEMBIC, AGENT)
    assert result.outcome is Outcome.COMMITTED
    assert result.id == f"fact-{result.digest}"
    assert result.conflicts == ()
    assert result.merkle is not None
    assert result.merkle == store.engine.status().head
    assert result.seq == result.merkle.size == store.engine.head()
    belief = store.engine.memory(result.id)
    assert (belief.status, belief.memory.author, belief.memory.seq) == (Status.ACTIVE, AGENT, result.seq)


@pytest.mark.parametrize("again", [ALEMBIC, "database   MIGRATIONS run via alembic", f"{ALEMBIC}\u200b"])
def test_the_same_text_is_confirmed_and_stored_once(store: Store, again: str) -> None:
    first = store.known(ALEMBIC)
    result = store.learn(again, AGENT)
    assert (result.outcome, result.duplicate_of, result.id) == (Outcome.DUPLICATE, first, first)
    assert len(store.every()) == 1
    confirmed = store.engine.history(first)[-1]
    assert (confirmed.kind, confirmed.actor, confirmed.seq) == ("confirmed", AGENT, result.seq)
    assert store.script.asked == []
    store.verified()


def test_other_words_for_the_same_are_confirmed_too(store: Store) -> None:
    first = store.known(ALEMBIC)
    reworded = f"As noted, {ALEMBIC.lower()}"
    store.script.say(ALEMBIC, reworded, DUPLICATE)
    for _ in range(5):
        assert store.learn(reworded, AGENT).duplicate_of == first
    assert [b.memory.content for b in store.every()] == [ALEMBIC]


def test_the_same_text_with_another_value_or_in_another_place_is_another_memory(store: Store) -> None:
    store.known("The limit is set", topic="limit", fields={"value": 1})
    assert store.learn("The limit is set", topic="limit", fields={"value": True}).outcome is Outcome.COMMITTED
    assert store.learn("The limit is set", scope="incarnation:web").outcome is Outcome.COMMITTED
    assert len(store.every()) == 3


def test_a_clash_is_held_and_says_what_each_verb_would_change(rivals: Store) -> None:
    result = rivals.learn(PRISMA, AGENT)
    assert result.outcome is Outcome.CONFLICT
    assert result.id is not None
    assert rivals.status(result.id) == "held"
    (report,) = result.conflicts
    conflict = report.conflict
    assert (conflict.incumbent.memory.content, conflict.challenger.id) == (ALEMBIC, result.id)
    assert (conflict.state, conflict.probability, conflict.challenger.status) == ("detected", 0.9, Status.HELD)
    assert conflict == rivals.engine.conflict(conflict.id)
    assert set(report.previews) == set(Verb)
    assert all(preview.allowed for preview in report.previews.values())
    assert "is superseded by" in report.previews[Verb.SUPERSEDE].summary
    assert "is refuted" in report.previews[Verb.REFUTE].summary
    assert "is retracted" in report.previews[Verb.ABORT].summary
    assert rivals.live() == {ALEMBIC}
    assert rivals.engine.memory(conflict.incumbent.id).pending == (conflict.id,)
    rivals.verified()


def test_allow_lets_both_stand_contested(rivals: Store) -> None:
    result = rivals.learn(PRISMA, AGENT, on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.COMMITTED
    (report,) = result.conflicts
    assert report.conflict.state == "detected"
    assert rivals.live() == {ALEMBIC, PRISMA}
    for belief in rivals.engine.memories():
        assert belief.contested
        assert belief.pending == (report.conflict.id,)
    rivals.verified()


def test_fail_records_nothing(rivals: Store) -> None:
    head, before = rivals.engine.head(), bytes_of(rivals)
    with pytest.raises(ConflictHeld) as refused:
        rivals.learn(PRISMA, AGENT, on_conflict=OnConflict.FAIL)
    result = refused.value.result  # type: ignore[attr-defined]
    assert result.outcome is Outcome.CONFLICT
    assert (result.seq, result.merkle) == (None, None)
    assert [r.conflict.incumbent.memory.content for r in result.conflicts] == [ALEMBIC]
    assert rivals.engine.head() == head
    assert bytes_of(rivals) == before
    assert rivals.learn("The office cat is called Biscuit", on_conflict=OnConflict.FAIL).outcome is Outcome.COMMITTED


@pytest.mark.parametrize("type", ["axiom", "core"])
def test_the_invariant_tier_is_only_ever_proposed(store: Store, type: str) -> None:
    result = store.learn("Secrets never enter the log", AGENT, type=type)
    assert result.outcome is Outcome.PROPOSED
    assert result.proposal_id == f"proposal-{result.digest}"
    assert store.status(result.id or "") == "pending_approval"
    assert store.texts("secrets log") == []
    assert store.engine.status().proposals_pending == 1
    assert store.engine.status().invariants == 0


def test_the_same_proposal_twice_is_one_proposal(store: Store) -> None:
    first = store.learn("Secrets never enter the log", AGENT, type="axiom")
    again = store.learn("Secrets never enter the log", OTHER, type="axiom")
    assert (again.outcome, again.proposal_id) == (Outcome.PROPOSED, first.proposal_id)
    assert store.engine.status().proposals_pending == 1
    assert store.engine.history()[-1].kind == "confirmed"
    store.verified()


def test_a_known_fact_may_be_proposed_as_an_axiom(store: Store) -> None:
    store.known("Secrets never enter the log")
    assert store.learn("Secrets never enter the log", type="axiom").outcome is Outcome.PROPOSED


def test_a_proposal_that_clashes_says_so_and_contests_nothing(rivals: Store) -> None:
    result = rivals.learn(PRISMA, AGENT, type="axiom")
    assert result.outcome is Outcome.PROPOSED
    assert [r.conflict.incumbent.memory.content for r in result.conflicts] == [ALEMBIC]
    assert rivals.engine.conflicts(all=True) == []
    assert not rivals.engine.memories()[0].contested


@pytest.mark.parametrize("how", ["check", "dry_run"])
def test_a_look_gives_the_same_verdict_and_writes_nothing(rivals: Store, how: str) -> None:
    rivals.script.say("Alembic does the database migrations", ALEMBIC, DUPLICATE)
    rivals.approve("Secrets never enter the log")
    rivals.script.clash("Secrets never enter the log", "Secrets may be logged on staging")
    rivals.held(FLYWAY)
    texts = {
        "The office cat is called Biscuit": Outcome.COMMITTED,
        "Alembic does the database migrations": Outcome.DUPLICATE,
        PRISMA: Outcome.CONFLICT,
        FLYWAY: Outcome.CONFLICT,
        "Secrets may be logged on staging": Outcome.INVARIANT,
    }
    head, before = rivals.engine.head(), bytes_of(rivals)
    looked = {}
    for text in texts:
        draft = draft_of(text)
        looked[text] = rivals.engine.check(draft) if how == "check" else rivals.engine.learn(draft, dry_run=True)
    assert (rivals.engine.head(), bytes_of(rivals)) == (head, before)
    for text, outcome in texts.items():
        seen = looked[text]
        assert (seen.outcome, seen.dry_run, seen.seq, seen.merkle) == (outcome, True, None, None)
        real = rivals.learn(text)
        assert real.outcome is outcome
        assert real.duplicate_of == seen.duplicate_of
        assert [(r.conflict.incumbent.id, r.conflict.probability, r.conflict.state) for r in real.conflicts] == [
            (r.conflict.incumbent.id, r.conflict.probability, r.conflict.state) for r in seen.conflicts
        ]


def test_a_look_at_what_supersedes_says_what_the_learn_will(rivals: Store) -> None:
    (known,) = rivals.engine.memories()
    seen = rivals.learn(PRISMA, AGENT, supersedes=[known.id], dry_run=True)
    assert seen.outcome is Outcome.CONFLICT, "an agent's word against a person's goes to people"
    seen = rivals.learn(PRISMA, MARA, supersedes=[known.id], dry_run=True)
    assert (seen.outcome, seen.conflicts) == (Outcome.COMMITTED, ())
    assert rivals.learn(PRISMA, MARA, supersedes=[known.id]).outcome is Outcome.COMMITTED


def test_an_identical_draft_of_a_held_candidate_gives_the_same_conflict(rivals: Store) -> None:
    first = rivals.learn(PRISMA, AGENT)
    head = rivals.engine.head()
    again = rivals.learn(PRISMA.lower(), OTHER)
    assert (again.outcome, again.id) == (Outcome.CONFLICT, first.id)
    assert [r.conflict.id for r in again.conflicts] == [r.conflict.id for r in first.conflicts]
    assert rivals.engine.head() == head
    assert len(rivals.every()) == 2
    reworded = "It is Prisma Migrate that runs database migrations"
    rivals.script.say(PRISMA, reworded, DUPLICATE)
    assert rivals.learn(reworded).id == first.id


def test_a_held_candidate_offered_again_under_allow_is_let_in_contested(rivals: Store) -> None:
    conflict = rivals.held(PRISMA, AGENT)
    result = rivals.learn(PRISMA, AGENT, on_conflict=OnConflict.ALLOW)
    assert (result.outcome, result.id) == (Outcome.COMMITTED, conflict.challenger.id)
    assert [r.conflict.id for r in result.conflicts] == [conflict.id]
    assert rivals.live() == {ALEMBIC, PRISMA}
    assert rivals.engine.conflict(conflict.id).state == "detected"
    assert rivals.engine.history()[-1].summary == f'admitted "{PRISMA}", still contested'
    rivals.verified()


def test_what_people_are_deciding_on_is_not_let_in_by_a_flag(store: Store) -> None:
    store.script.clash(PRISMA, ALEMBIC)
    store.script.clash(PRISMA, FLYWAY)
    store.known(ALEMBIC)
    store.known(FLYWAY)
    conflict = store.held(PRISMA, AGENT)
    store.settle(conflict, Verb.SUPERSEDE)
    assert store.learn(PRISMA, AGENT, on_conflict=OnConflict.ALLOW).outcome is Outcome.CONFLICT
    assert store.status(conflict.challenger.id) == "held"


def test_held_candidates_are_incumbents_too(rivals: Store) -> None:
    rivals.held(PRISMA)
    result = rivals.learn(FLYWAY)
    assert {r.conflict.incumbent.memory.content for r in result.conflicts} == {ALEMBIC, PRISMA}
    assert all(r.conflict.challenger.memory.content == FLYWAY for r in result.conflicts)
    assert len(rivals.engine.conflicts()) == 3


def test_a_held_candidate_offered_again_answers_with_its_own_conflicts_only(rivals: Store) -> None:
    first = rivals.learn(PRISMA)
    rivals.learn(FLYWAY)
    again = rivals.learn(PRISMA)
    assert [r.conflict.id for r in again.conflicts] == [r.conflict.id for r in first.conflicts]


def test_a_batch_is_checked_against_itself_and_goes_on_past_a_bad_line(store: Store) -> None:
    store.script.clash("The office is in Turin", "The office is in Porto")
    seen: list[int] = []
    drafts: list[Draft | Refusal] = [
        draft_of("The office is in Turin"),
        Refusal(line=2, reason="no content"),
        draft_of("The office is in Porto"),
        draft_of("the office is in turin"),
        draft_of("The lift is out of order", relations=[Relation(type="depends_on", target="fact-00000000")]),
        draft_of("Keep the office tidy", type="core"),
    ]
    report = store.engine.learn_many(drafts, progress=seen.append)
    assert (report.committed, report.duplicates, report.held, report.proposed) == (1, 1, 1, 1)
    assert report.invariant_violations == 0
    assert [refusal.line for refusal in report.refused] == [2, 5]
    assert [r.conflict.challenger.memory.content for r in report.conflicts] == ["The office is in Porto"]
    assert seen == [1, 2, 3, 4, 5, 6]


def test_a_batch_under_fail_refuses_the_line_and_keeps_the_rest(store: Store) -> None:
    store.script.clash("The office is in Turin", "The office is in Porto")
    drafts = [draft_of(f"The office is in {place}") for place in ("Turin", "Porto")] + [draft_of("The lift works")]
    report = store.engine.learn_many(drafts, on_conflict=OnConflict.FAIL)
    assert (report.committed, report.held, [r.line for r in report.refused]) == (2, 0, [2])
    assert [result.outcome for result in report.results] == ["committed", "conflict_detected", "committed"]
    assert store.live() == {"The office is in Turin", "The lift works"}


def test_a_declared_contradiction_is_an_explicit_conflict_wherever_the_probe_looks(store: Store) -> None:
    known = store.known("Invoices are due in thirty days")
    conflict = store.held("Customers pay on delivery", contradicts=[known])
    assert (conflict.incumbent.id, conflict.probability) == (known, 0.99)
    assert ("Customers pay on delivery", "contradicts", "Invoices are due in thirty days") in store.edges()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("incarnation:services/api", "incarnation:services/web"),
        ("incarnation@main", "incarnation@feature"),
        ("user:services/api@main", "persona:services@release"),
    ],
)
def test_what_holds_elsewhere_is_never_weighed(store: Store, old: str, new: str) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    known = store.known(ALEMBIC, scope=old, topic="migrations")
    store.known(PRISMA, scope=new, topic="migrations", contradicts=[known])
    assert store.script.asked == []
    assert store.live() == {ALEMBIC, PRISMA}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("incarnation", "incarnation:services/web"),
        ("universal:services", "incarnation:services/web@main"),
        ("incarnation:services/web", "user@main"),
    ],
)
def test_overlapping_scopes_and_any_levels_meet(store: Store, old: str, new: str) -> None:
    store.script.clash(ALEMBIC, PRISMA)
    store.known(ALEMBIC, scope=old)
    assert store.held(PRISMA, scope=new).incumbent.memory.content == ALEMBIC


def test_relations_are_checked_before_anything_is_written(store: Store) -> None:
    known = store.known(ALEMBIC)
    head = store.engine.head()
    with pytest.raises(UnknownId, match="00000000"):
        store.learn("Revisions live in one folder", rests_on=["fact-00000000"])
    with pytest.raises(BadInput, match="drawn by a resolution only"):
        store.learn("Revisions live in one folder", relations=[Relation(type="superseded_by", target=known)])
    assert store.engine.head() == head
    twice = [Relation(type="dependsOn", target=known), Relation(type="depends_on", target=known[:13])]
    store.known("Revisions live in one folder", relations=twice)
    assert store.edges() == {("Revisions live in one folder", "depends_on", ALEMBIC)}
    assert len(store.engine.edges(known)) == 1


def test_the_threshold_is_the_detectors_not_the_gates(store: Store) -> None:
    store.script.say(ALEMBIC, PRISMA, clash(0.31))
    store.known(ALEMBIC)
    assert store.held(PRISMA).probability == 0.31
