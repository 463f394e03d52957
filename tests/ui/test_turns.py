"""Keys typed ahead: in order, none lost, none blind."""

from __future__ import annotations

from tur_tui.desk.turns import Turns


def test_steps_wait_until_the_one_before_is_through() -> None:
    turns, log = Turns(), list[str]()

    def write() -> None:
        turns.hold()
        log.append("write")

    turns.take(write)
    turns.take(lambda: log.append("second"))
    assert log == ["write"]
    assert turns.held
    turns.release()
    assert log == ["write", "second"]


def test_each_write_holds_those_behind_it() -> None:
    turns, log = Turns(), list[str]()

    def write() -> None:
        turns.hold()
        log.append("write")

    for _ in range(3):
        turns.take(write)
    assert log == ["write"]
    turns.release()
    assert log == ["write"] * 2


def test_what_needs_the_person_drops_what_was_typed_ahead() -> None:
    turns, log = Turns(held=True), list[str]()
    turns.take(lambda: log.append("blind"))
    turns.drop()
    assert log == []
    turns.take(lambda: log.append("seen"))
    assert log == ["seen"]


def test_a_step_that_opens_something_is_known_until_its_turn() -> None:
    turns, opens = Turns(held=True), list[bool]()
    turns.take(lambda: opens.append(turns.opens), opens=True)
    assert turns.opens
    turns.release()
    assert opens == [False]
