"""Every road by which a memory comes to hold passes the invariants in force (CONTRACTS 2; EP-0134, section 3)."""

from __future__ import annotations

import pytest

from tests.engine.scripted import AGENT, DUPLICATE, MARA, OTHER, Store, draft_of, suspicion
from tests.govern.signing import put_in_force
from tur_engine.errors import InvariantViolation, NotAllowed
from tur_engine.records import Author, MemoryType, OnConflict, Outcome, Scope, Verb

RULE = "Invoices are due in 30 days"
AGAINST = "Invoices are due in 45 days"
FACT = "Invoices are printed on paper"
OTHER_FACT = "Invoices are sent by mail"
SEED = (
    "[Invariant Memory Error]: Assertion contradicts Invariant Memory '{}'.\n"
    "Agent cannot supersede human-governed Invariant memories.\n"
    "To propose a change, submit via `tur-adm proposal`."
)


@pytest.fixture
def late(store: Store) -> Store:
    """A candidate is held for a fact; then an invariant comes into force that it contradicts."""
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    store.held(AGAINST, AGENT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    return store


def refused(error: pytest.ExceptionInfo[InvariantViolation], store: Store) -> bool:
    (rule,) = [b for b in store.engine.memories() if b.approved]
    return str(error.value).startswith(SEED.format(rule.memory.short_id))


@pytest.mark.parametrize("verb", [Verb.SUPERSEDE, Verb.FORCE, Verb.DISMISS, Verb.BRANCH])
def test_a_held_candidate_is_weighed_again_when_it_would_be_let_in(late: Store, verb: Verb) -> None:
    (conflict,) = [c for c in late.engine.conflicts() if c.incumbent.memory.content == FACT]
    assert not late.engine.preview(conflict.id, verb).allowed
    head = late.engine.head()
    with pytest.raises(InvariantViolation) as error:
        late.settle(conflict, verb)
    assert refused(error, late)
    assert late.engine.head() == head
    assert late.live() == {RULE, FACT}
    late.settle(conflict, Verb.ABORT)
    late.verified()


def test_narrowed_out_of_the_invariants_reach_it_may_come_in(store: Store) -> None:
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    conflict = store.held(AGAINST, AGENT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE, scope="incarnation:billing")
    store.settle(conflict, Verb.BRANCH, side="challenger", scope=Scope(path="archive"))
    assert AGAINST in store.live()


@pytest.mark.parametrize("narrowed", ["billing", "billing/germany"])
def test_narrowed_into_the_invariants_reach_it_may_not(store: Store, narrowed: str) -> None:
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    conflict = store.held(AGAINST, AGENT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE, scope="incarnation:billing")
    with pytest.raises(InvariantViolation):
        store.settle(conflict, Verb.BRANCH, side="challenger", scope=Scope(path=narrowed))
    with pytest.raises(InvariantViolation):
        store.settle(conflict, Verb.BRANCH, side="incumbent", scope=Scope(path="archive"))


@pytest.mark.parametrize("on_conflict", [OnConflict.ALLOW, OnConflict.HOLD])
def test_offered_again_it_is_rejected(late: Store, on_conflict: OnConflict) -> None:
    assert late.learn(AGAINST, OTHER, on_conflict=on_conflict).outcome is Outcome.INVARIANT
    assert late.live() == {RULE, FACT}


def test_a_late_suspicion_goes_to_people_and_nothing_comes_in(store: Store) -> None:
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    conflict = store.held(AGAINST, AGENT)
    store.script.say(RULE, AGAINST, suspicion())
    store.approve(RULE)
    result = store.settle(conflict, Verb.SUPERSEDE)
    assert (result.verb, result.conflict.state) == ("escalate", "escalated")
    assert store.live() == {RULE, FACT}
    assert "may contradict" in store.engine.history()[-1].summary
    with pytest.raises(NotAllowed):
        store.settle(result.conflict, Verb.FORCE)
    store.settle(result.conflict, Verb.DISMISS, reason="another kind of invoice")
    assert store.live() == {RULE, FACT}, "its other pair is open still"
    store.settle(conflict, Verb.SUPERSEDE)
    assert store.live() == {RULE, AGAINST}
    store.verified()


def test_said_again_a_late_suspicion_is_put_before_people(store: Store) -> None:
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    store.held(AGAINST, AGENT)
    store.script.say(RULE, AGAINST, suspicion())
    store.approve(RULE)
    result = store.learn(AGAINST, OTHER, on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.CONFLICT
    assert {str(r.conflict.state) for r in result.conflicts} == {"detected", "escalated"}
    assert store.live() == {RULE, FACT}
    store.verified()


def test_a_bystander_is_not_let_in_when_what_it_clashed_with_falls(store: Store) -> None:
    store.script.clash(FACT, AGAINST)
    store.script.clash(FACT, OTHER_FACT)
    store.known(FACT)
    bystander = store.held(AGAINST, AGENT)
    deciding = store.held(OTHER_FACT, OTHER)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    store.settle(deciding, Verb.SUPERSEDE)
    assert store.live() == {RULE, OTHER_FACT}
    assert store.status(bystander.challenger.id) == "held"
    (left,) = [c for c in store.engine.conflicts() if c.challenger.memory.content == AGAINST]
    assert (left.incumbent.memory.content, left.state) == (RULE, "escalated")
    for verb in (Verb.FORCE, Verb.DISMISS, Verb.SUPERSEDE):
        with pytest.raises(NotAllowed, match="only an approved proposal may"):
            store.settle(left, verb)
    store.settle(left, Verb.REFUTE)
    store.verified()


def test_nor_when_an_undo_takes_away_what_it_clashed_with(store: Store) -> None:
    store.script.clash(FACT, OTHER_FACT)
    store.script.clash("Invoices are printed and sent", AGAINST)
    store.known(FACT)
    merged = store.settle(store.held(OTHER_FACT), Verb.MERGE, text="Invoices are printed and sent")
    bystander = store.held(AGAINST, AGENT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    try:
        store.engine.undo(f"#{merged.seq}")
    except NotAllowed:
        pytest.fail("the merge can be taken back")
    assert store.status(bystander.challenger.id) == "held"
    assert AGAINST not in store.live()
    store.verified()


def test_an_undo_brings_nothing_back_that_an_invariant_proposed_before_forbids(store: Store) -> None:
    """Proposed while the fact held, approved while it did not: the pair was never weighed."""
    store.script.clash(AGAINST, OTHER_FACT)
    store.known(AGAINST)
    conflict = store.held(OTHER_FACT)
    store.script.clash(RULE, AGAINST)
    filed = store.learn(RULE, type=MemoryType.AXIOM)
    store.settle(conflict, Verb.SUPERSEDE)
    put_in_force(store.engine, filed.proposal_id or "")
    with pytest.raises(InvariantViolation) as error:
        store.engine.undo()
    assert refused(error, store)
    assert store.live() == {RULE, OTHER_FACT}


def test_a_restored_decision_lets_nothing_in_that_an_invariant_forbids_by_now(store: Store) -> None:
    store.script.clash(FACT, AGAINST)
    store.known(FACT)
    store.settle(store.held(AGAINST, AGENT), Verb.SUPERSEDE)
    undone = store.engine.undo()
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    with pytest.raises(InvariantViolation) as error:
        store.engine.undo(f"#{undone.seq}")
    assert refused(error, store)
    assert store.live() == {RULE, FACT}


def test_a_flood_of_look_alikes_does_not_hide_the_invariant(store: Store) -> None:
    store.approve(RULE)
    for n in range(45):
        store.known(f"{AGAINST} in case {n}")
    store.script.clash(RULE, AGAINST)
    assert store.learn(AGAINST, AGENT, on_conflict=OnConflict.ALLOW).outcome is Outcome.INVARIANT


def test_a_contradiction_comes_before_a_duplicate(store: Store) -> None:
    store.known(FACT)
    store.script.say(FACT, AGAINST, DUPLICATE)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    assert store.learn(AGAINST, AGENT).outcome is Outcome.INVARIANT


def test_a_memory_that_held_before_is_not_confirmed_against_the_invariant(store: Store) -> None:
    store.known(AGAINST, AGENT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    assert store.learn(AGAINST, AGENT).outcome is Outcome.INVARIANT
    (pair,) = store.engine.conflicts()
    with pytest.raises(NotAllowed):
        store.settle(pair, Verb.FORCE)
    store.settle(pair, Verb.DISMISS, reason="an old contract")
    assert store.learn(AGAINST, AGENT).outcome is Outcome.DUPLICATE, "people said that it is no conflict"


def test_a_batch_and_a_note(store: Store) -> None:
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    report = store.seen_by(AGENT).learn_many(
        [draft_of(AGAINST, AGENT), draft_of("The lift works", AGENT)], on_conflict=OnConflict.ALLOW
    )
    assert (report.committed, report.invariant_violations) == (1, 1)
    noted = store.seen_by(AGENT).note(AGAINST)
    assert RULE in noted.warnings[0]
    assert AGAINST not in store.live()


def test_a_merged_text(store: Store) -> None:
    store.script.clash(FACT, OTHER_FACT)
    store.known(FACT)
    conflict = store.held(OTHER_FACT)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    with pytest.raises(InvariantViolation) as error:
        store.settle(conflict, Verb.MERGE, text=AGAINST)
    assert refused(error, store)


@pytest.mark.parametrize("kind", ["agent:claude-code", "human:mara", "system:tur"])
@pytest.mark.parametrize("length", [4, 12, 64])
def test_the_invariant_named_by_any_prefix_is_not_superseded(store: Store, kind: str, length: int) -> None:
    rule = store.approve(RULE)
    prefix = rule.rpartition("-")[2][:length]
    result = store.learn("Invoices may be late", Author.parse(kind), supersedes=[prefix], on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.INVARIANT
    assert (store.live(), store.status(rule)) == ({RULE}, "active")


def test_a_reaffirmed_memory_stays_contested(store: Store) -> None:
    store.script.clash(FACT, OTHER_FACT)
    store.known(FACT)
    resting = store.known(AGAINST, rests_on=[store.engine.memories()[0].id])
    store.settle(store.held(OTHER_FACT), Verb.SUPERSEDE)
    store.script.clash(RULE, AGAINST)
    store.approve(RULE)
    store.engine.reaffirm(resting)
    belief = store.engine.memory(resting)
    assert belief.contested
    assert not belief.approved


@pytest.mark.parametrize(
    ("topic", "fields"),
    [
        ("checkout", {"timeout": 60}),
        ("che\u200bckout", {"timeout": 60}),
        ("chеckout", {"timeout": 60}),  # a Cyrillic letter
        ("checkout", {"timеout": 60}),
        ("Checkout", {"Timeout": 60}),
    ],
)
def test_values_on_one_topic_are_compared_whatever_letters_hide_it(
    tmp_path_factory: pytest.TempPathFactory, topic: str, fields: dict[str, int]
) -> None:
    """With the real detector's words and symbols: the contents share nothing, the fields decide."""
    from tur_engine.detect.detector import Detector
    from tur_engine.engine import Engine
    from tur_engine.records import Draft

    with Engine.init(tmp_path_factory.mktemp("root"), actor=MARA) as engine:
        engine._gate._detector = Detector(judge=None)
        engine._gate._embed = lambda text: None
        rule = engine.learn(
            Draft(content="Limits", type=MemoryType.CORE, author=MARA, topic="checkout", fields={"timeout": 30})
        )
        put_in_force(engine, rule.proposal_id or "")
        draft = Draft(content="Observed values", author=AGENT, topic=topic, fields=fields)
        result = engine.learn(draft, on_conflict=OnConflict.ALLOW)
        assert result.outcome is Outcome.INVARIANT
        same = Draft(content="Observed values", author=AGENT, topic=topic, fields={next(iter(fields)): 30})
        assert engine.learn(same).outcome is Outcome.COMMITTED
