"""What is buried in a long text, or stands in its topic, tags or fields, is not let in unseen (CONTRACTS 2)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.scripted import AGENT, Store
from tur_engine.gate.passages import MOST, WORDS, passages
from tur_engine.records import Draft, MemoryType, OnConflict, Outcome

NET30 = "Invoices are due in 30 days"
NET45 = "Invoices are due in 45 days"
REPORT = " ".join(f"Berth {number} was painted by the crew." for number in range(30))
BURIED = f"{REPORT} {NET45}. {REPORT}"


@pytest.fixture
def guarded(store: Store) -> Store:
    """A store with one invariant, and a sentence against it."""
    store.script.clash(NET30, NET45)
    store.script.clash(NET30, f"{NET45}.")
    store.approve(NET30, MemoryType.CORE)
    return store


def test_a_sentence_in_a_long_text_is_held_for_people_whatever_is_asked(guarded: Store) -> None:
    result = guarded.learn(BURIED, AGENT, on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.CONFLICT
    (report,) = result.conflicts
    assert report.conflict.state == "escalated"
    assert f'A part of it was read by itself: "{NET45}".' in {e.sentence for e in report.conflict.evidence}
    assert guarded.live() == {NET30}
    guarded.verified()


@pytest.mark.parametrize("beside", [{"topic": NET45}, {"tags": ("billing", NET45)}, {"fields": {"note": NET45}}])
def test_a_topic_a_tag_and_a_field_say_something_too(guarded: Store, beside: dict[str, Any]) -> None:
    draft = Draft(content="The lift works", author=AGENT, **beside)
    result = guarded.engine.learn(draft, on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.CONFLICT
    assert guarded.live() == {NET30}


def test_a_long_text_without_a_word_against_it_comes_in(guarded: Store) -> None:
    assert guarded.learn(f"{REPORT} {NET30}. {REPORT}", AGENT).outcome is Outcome.COMMITTED
    assert guarded.learn(REPORT, AGENT, topic="a report on berths").outcome is Outcome.COMMITTED


def test_a_text_with_more_to_read_than_is_read_goes_to_people(guarded: Store) -> None:
    flood = "\n".join(f"Invoices are due, says note {number}" for number in range(MOST + 5))
    result = guarded.learn(flood, AGENT, on_conflict=OnConflict.ALLOW)
    assert result.outcome is Outcome.CONFLICT
    assert "not all were read" in result.conflicts[0].conflict.evidence[0].sentence


def test_a_text_is_cut_in_sentences_lines_and_long_ones_in_pieces_that_overlap(guarded: Store) -> None:
    def cut(text: str, **more: Any) -> list[str]:
        memory = guarded.engine.memory(guarded.learn(text, AGENT, **more).id or "").memory
        found = passages(memory)
        assert all(each.start is None or text[each.start :].startswith(each.text) for each in found)
        return [each.text for each in found]

    assert cut("The crane is red") == []
    assert cut("The crane is blue. It is new!\n- So is v3.12\n港は静か。船は青い。") == [
        "The crane is blue.", "It is new!", "- So is v3.12", "港は静か。", "船は青い。",
    ]  # fmt: skip
    assert cut("The quay is long", topic="harbour", tags=("a", "one two three")) == ["one two three"]
    words = [f"w{number}" for number in range(2 * WORDS)]
    pieces = cut(" ".join(words))
    for at in range(0, len(words) - WORDS // 2):
        assert any(" ".join(words[at : at + WORDS // 2]) in piece for piece in pieces), at
