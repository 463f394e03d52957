"""Duplicates: the very same thing said again, and nothing else. A wrong yes loses a memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detect.sides import memory, pair
from tur_engine.detect.equivalence import duplicate
from tur_engine.detect.pair import Pair

SAME = [
    ("The cat is called Biscuit.", "The cat is called Biscuit."),
    ("The cat is called Biscuit.", "the cat is called  Biscuit"),
    ("The cat is called Biscuit.", "As noted, the cat is called Biscuit."),
    ("The cat is called Biscuit.", "Reminder: the cat is called Biscuit!"),
    ("Timeout is 30 s.", "Timeout is 30000 ms."),
    ("Retention is 2 weeks", "As mentioned before, retention is 14 days"),
    ("Deploys happen on Tuesday.", "We deploy on Tuesdays."),
    ("Deploys happen on Tuesday.", "Deployments happen every Tuesday."),
    ("Deploys happen on Tuesday.", "On Tuesday deploys happen."),
    ("Frida maintains the CLI.", "The CLI is maintained by Frida."),
    ("Parcel is our bundler.", "Our bundler is Parcel."),
    ("Every 76 years the comet comes back.", "The comet comes back every 76 years."),
    ("We don't ship to Malta.", "We do not ship to Malta."),
    ("端口是8080。", "端口是8080"),
]
NOT_SAME = [
    ("My desk lamp is green.", "My desk lamp is amber."),
    ("Deploys happen on Tuesday.", "Deploys happen on Friday."),
    ("Deploys happen on Tuesday.", "Deploys never happen on Tuesday."),
    ("Deploys happen on Tuesday.", "Deploys happen only on Tuesday."),
    ("Likes the ramen at Kumo.", "Likes the gyoza at Kumo."),
    ("Uploads are capped at 1 GiB.", "Uploads are capped at 1 GB."),
    ("Timeout is 30 s.", "Timeout is about 30 s."),
    ("Timeout is 30 s.", "Timeout is at most 30 s."),
    ("Timeout is 30 s.", "Timeout is 30 s on staging."),
    ("The teacher is 70B, the student 7B.", "The teacher is 7B, the student 70B."),
    ("Frida maintains the CLI.", "Frida is maintained by the CLI."),
    ("Nadia mentors Felix.", "Felix mentors Nadia."),
    ("Migrate, then seed.", "Seed, then migrate."),
    ("Replica pulls from primary.", "Primary pulls from replica."),
    ("All ten lifts are wheelchair-accessible.", "All but one of the ten lifts are wheelchair-accessible."),
    ("The port is 8080.", "Is the port 8080?"),
    ("Agents may write to the wiki.", "Agents must write to the wiki."),
    ("The shop was closed.", "The shop is closed."),
    ("My wife is called Ottilie.", "His wife is called Ottilie."),
    ("Seed before migrating.", "Seed after migrating."),
    ("端口是8080。", "端口是9090。"),
    ("我们使用Redis。", "我们不使用Redis。"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_thing_again_is_a_duplicate(old: str, new: str) -> None:
    assert duplicate(pair(old, new))
    assert duplicate(pair(new, old))


@pytest.mark.parametrize(("old", "new"), NOT_SAME)
def test_any_other_value_unit_polarity_or_quantifier_is_not(old: str, new: str) -> None:
    assert not duplicate(pair(old, new))
    assert not duplicate(pair(new, old))


def test_equal_words_with_other_fields_are_no_duplicate() -> None:
    old, new = (
        memory("The database.", topic="db", fields={"port": 1}),
        memory("The database.", 2, topic="db", fields={"port": 2}),
    )
    assert not duplicate(Pair.of(old, new))
    assert not duplicate(Pair.of(old, memory("The database.", 2, topic="db")))
    assert not duplicate(Pair.of(old, memory("The database.", 2, topic="cache", fields={"port": 1})))
    assert duplicate(Pair.of(old, memory("The database.", 2, topic="db", fields={"port": 1.0})))


LEADS = st.sampled_from(
    ["As noted, ", "Reminder: ", "FYI ", "As mentioned before, ", "Note that ", "For the record: ", ""]
)
TEXTS = st.sampled_from([text for both in (*SAME, *NOT_SAME) for text in both])


@given(LEADS, LEADS, TEXTS)
def test_lead_ins_never_make_a_new_memory(one: str, other: str, text: str) -> None:
    assert duplicate(pair(one + text, other + text))


@given(TEXTS, TEXTS)
def test_duplicates_are_symmetric(one: str, other: str) -> None:
    assert duplicate(pair(one, other)) is duplicate(pair(other, one))


@given(st.sampled_from(["30", "8080", "12"]), st.integers(0, 10**5))
def test_another_number_is_never_a_duplicate(number: str, other: int) -> None:
    text = "The gateway of the shop waits {} seconds before it gives up."
    assert duplicate(pair(text.format(number), text.format(other))) is (int(number) == other)


SENTENCE = "The {0} gateway of the shop {1} retries {2} failed request from the {3} warehouse"
CHOICES = [("", "old", "new"), ("always", "never", "rarely"), ("a", "every", "no"), ("", "north", "south")]


@given(st.tuples(*(st.sampled_from(c) for c in CHOICES)), st.tuples(*(st.sampled_from(c) for c in CHOICES)))
def test_one_telling_word_changed_is_never_a_duplicate(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert duplicate(pair(SENTENCE.format(*one), SENTENCE.format(*other))) is (one == other)
