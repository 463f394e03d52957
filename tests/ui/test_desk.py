"""The desk: who is in front, who is next, what undo brings back."""

from __future__ import annotations

from tests.ui.making import conflict, result
from tur_engine.records import Verb
from tur_tui.desk.queue import Desk

A, B, C, D = (conflict(name) for name in "ABCD")


def desk(*conflicts: object) -> Desk:
    made = Desk()
    made.load(conflicts)  # type: ignore[arg-type]
    return made


def test_starts_on_the_first_of_the_queue() -> None:
    assert desk(A, B, C).current == A
    assert desk(A, B, C).counter == "1 of 3, 0 settled"


def test_an_empty_queue_has_no_current() -> None:
    empty = desk()
    assert empty.current is None
    assert empty.next() is None
    assert empty.previous() is None
    assert empty.defer() is None
    assert empty.counter == "no open conflict, 0 settled"


def test_next_and_previous_walk_round() -> None:
    made = desk(A, B, C)
    assert [made.next(), made.next(), made.next()] == [B, C, A]
    assert [made.previous(), made.previous()] == [C, B]


def test_newcomers_do_not_move_the_current_one() -> None:
    made = desk(B, C)
    change = made.load([A, B, C])
    assert made.current == B
    assert change.arrived == (A,)
    assert change.gone == ()
    assert made.counter == "2 of 3, 0 settled"


def test_a_fresh_copy_of_the_current_one_replaces_the_old() -> None:
    made = desk(A, B)
    newer = conflict("A", revision=7)
    made.load([newer, B])
    assert made.current is not None
    assert made.current.revision == 7


def test_settled_elsewhere_gives_way_to_the_one_after() -> None:
    made = desk(A, B, C)
    made.next()
    change = made.load([A, C])
    assert change.gone == (B,)
    assert made.current == C


def test_the_last_one_settled_elsewhere_gives_way_to_the_first() -> None:
    made = desk(A, B, C)
    made.previous()
    made.load([A, B])
    assert made.current == A


def test_after_an_empty_queue_the_first_newcomer_is_current() -> None:
    made = desk(A)
    made.load([])
    assert made.current is None
    made.load([C, B])
    assert made.current == C


def test_a_verb_moves_on_to_the_next() -> None:
    made = desk(A, B, C)
    made.next()
    made.take_settled(result(B), [A, C])
    assert made.current == C
    assert made.counter == "2 of 2, 1 settled"


def test_a_verb_on_the_last_moves_to_the_first() -> None:
    made = desk(A, B, C)
    made.previous()
    made.take_settled(result(C), [A, B])
    assert made.current == A


def test_a_verb_that_takes_the_next_one_along_moves_further() -> None:
    made = desk(A, B, C)
    change = made.take_settled(result(A, "refute"), [C])
    assert made.current == C
    assert [each.id for each in change.gone] == [A.id, B.id]


def test_a_verb_on_another_than_the_current_leaves_it() -> None:
    made = desk(A, B, C)
    made.next()
    made.take_settled(result(A), [B, C])
    assert made.current == B


def test_settling_the_only_one_empties_the_desk() -> None:
    made = desk(A)
    made.take_settled(result(A), [])
    assert made.current is None
    assert made.counter == "no open conflict, 1 settled"


def test_the_other_pairs_of_the_candidate_come_first() -> None:
    made = desk(A, B, C)
    waits = conflict("A", waits=True)
    made.take_settled(result(waits, waiting=(C.id,)), [waits, B, C])
    assert made.current == C
    assert made.queue == (B, C, waits)


def test_undo_selects_what_came_back() -> None:
    made = desk(A, B, C)
    made.take_settled(result(A, seq=41), [B, C])
    assert made.last_settled is not None
    assert (made.last_settled.seq, made.last_settled.verb) == (41, Verb.SUPERSEDE)
    made.take_undone(result(A, "undo", reopened=(D.id,)), [B, C, D])
    assert made.current == D
    assert made.last_settled is None
    assert made.undone == 10
    assert made.counter == "3 of 3, 0 settled"


def test_undo_of_a_waiting_choice_selects_the_same_conflict() -> None:
    made = desk(A, B)
    waits = conflict("A", waits=True)
    made.take_settled(result(waits, waiting=(B.id,)), [waits, B])
    made.take_undone(result(A, "undo"), [A, B])
    assert made.current == A


def test_undo_takes_the_decisions_back_in_reverse() -> None:
    made = desk(A, B, C)
    made.take_settled(result(A, seq=1), [B, C])
    made.take_settled(result(B, seq=2), [C])
    assert [each.seq for each in made.settled] == [1, 2]
    made.take_undone(result(B, "undo", reopened=(D.id,)), [C, D])
    assert made.last_settled is not None
    assert made.last_settled.seq == 1


def test_defer_goes_to_the_end_and_on() -> None:
    made = desk(A, B, C)
    assert made.defer() == B
    assert made.queue == (B, C, A)
    assert made.defer() == C
    assert made.queue == (C, A, B)


def test_deferred_ones_stay_last_when_the_queue_is_read_again() -> None:
    made = desk(A, B)
    made.defer()
    made.load([A, B, C])
    assert made.queue == (B, C, A)


def test_deferring_the_only_one_keeps_it() -> None:
    made = desk(A)
    assert made.defer() == A


def test_select_refuses_what_is_not_open() -> None:
    made = desk(A, B)
    assert made.select(B.id)
    assert not made.select(D.id)
    assert made.current == B
