"""Conflicts about one subject stand together, are marked together, and lose their marks when they are gone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.making import belief, conflict, result
from tur_engine.records import Conflict
from tur_tui.desk.grouping import groups
from tur_tui.desk.queue import Desk


def between(name: str, old: str, new: str, topic: str | None = None) -> Conflict:
    sides = [belief(old), belief(new)]
    if topic:
        sides[0] = sides[0].model_copy(update={"memory": sides[0].memory.model_copy(update={"topic": topic})})
    return conflict(name).model_copy(update={"incumbent": sides[0], "challenger": sides[1]})


A = between("A", "port 1", "port 2")
B = between("B", "tea", "coffee")
C = between("C", "port 3", "port 2")
D = between("D", "milk", "water", topic="Drinks")
E = between("E", "oat", "soy", topic="drinks")


def test_what_shares_a_memory_or_a_topic_is_one_group() -> None:
    assert list(groups([A, B, C, D, E]).values()) == [0, 1, 0, 2, 2]


def test_a_late_link_joins_two_groups_under_the_earlier() -> None:
    link = between("L", "tea", "port 2")
    assert set(groups([A, B, link]).values()) == {0}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(7, 12)), max_size=14, unique=True))
def test_two_of_one_group_are_joined_by_a_chain_of_shared_memories(pairs: list[tuple[int, int]]) -> None:
    queue = [between(str(pair), f"old {pair[0]}", f"new {pair[1]}") for pair in pairs]
    numbers = groups(queue)
    reached: list[set[int]] = []
    for old, new in pairs:
        joined = [each for each in reached if {old, new} & each]
        reached = [each for each in reached if each not in joined] + [{old, new}.union(*joined)]
    for (old, _), one in zip(pairs, queue, strict=True):
        for (other, _), another in zip(pairs, queue, strict=True):
            together = any({old, other} <= each for each in reached)
            assert (numbers[one.id] == numbers[another.id]) == together


def test_the_queue_brings_a_group_together_at_its_first_place() -> None:
    desk = Desk()
    desk.load([A, B, C])
    assert [each.id for each in desk.queue] == [A.id, C.id, B.id]
    assert [each.id for each in desk.group] == [A.id, C.id]
    assert desk.mark_group() == 2
    assert [each.id for each in desk.marked] == [A.id, C.id]
    assert desk.mark_group() == 2
    assert desk.marked == ()


def test_marks_step_on_toggle_and_go_with_the_conflict() -> None:
    desk = Desk()
    desk.load([A, B, D])
    assert desk.mark() == A
    assert desk.current == B
    desk.mark()
    assert [each.id for each in desk.marked] == [A.id, B.id]
    desk.load([B, D])
    assert [each.id for each in desk.marked] == [B.id]
    assert desk.clear_marks()
    assert not desk.clear_marks()


def test_a_batch_is_undone_one_by_one() -> None:
    desk = Desk()
    desk.load([A, B, D])
    desk.mark()
    desk.mark()
    desk.take_batch([result(A, seq=10), result(B, seq=11)], [D])
    assert desk.marked == ()
    assert desk.current == D
    assert [each.seq for each in desk.settled] == [10, 11]
