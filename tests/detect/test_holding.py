"""Holding: nobody has what they do not have, and takes what they gave up; a kind of a thing is that thing."""

from __future__ import annotations

import pytest

from tests.detect.sides import evidence, memory, pair, weight
from tur_engine.detect.detector import Detector
from tur_engine.detect.features import plain
from tur_engine.detect.holdings import lacks
from tur_engine.detect.kinds import below, genera
from tur_engine.detect.reading import read
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship

CLASHES = [
    ("The household has no dishwasher.", "We bought a dishwasher in May."),
    ("The user does not own a car.", "The family has a small Skoda."),
    ("The user has no pets.", "The user adopted a tortoise."),
    ("Noor is vegetarian.", "Noor orders the lamb chops at every feast."),
    ("Noor is a vegan.", "Noor eats gouda with her bread."),
    ("Tomas drinks an espresso after lunch.", "Tomas gave up coffee."),
    ("Ilse plays the cello on Sundays.", "Ilse quit playing the cello."),
    ("The user smokes a cigar on Fridays.", "The user is done with tobacco."),
    ("The annex has no lift.", "The annex has a lift."),
    ("Noor's flat has no balcony.", "Noor's flat has a balcony."),
    ("The user's family has no dishwasher.", "We have a dishwasher."),
    ("The user gave up alcohol.", "The user drinks free beer."),
]
OTHERS = [
    ("The user has no car.", "The user has a car park behind the house."),
    ("The user has no car.", "Maren bought a car."),
    ("The user never drinks coffee in the evening.", "The user drinks coffee before breakfast."),
    ("The hall in Ghent has no stage.", "The hall in Bruges has a stage."),
    ("Unit 4 has no balcony.", "Unit 5 has a balcony."),
    ("The user does not own a car.", "The user plans to buy a car."),
    ("The user does not own a car.", "Does the user own a car?"),
    ("The user used to have no car.", "The user has a car."),
    ("The user did not give up coffee.", "The user drinks coffee."),
    ("Noor runs a vegetarian restaurant.", "Noor eats steak."),
    ("Kofi sold the canoe.", "Kofi bought the canoe in 2019."),
    ("The house has no garage.", "The user has volunteered to build a garage."),
    ("The user has no car.", "The user's wife has a car."),
    ("The user sold his bike.", "The user's son has a bike."),
    ("Noor's flat has no balcony.", "Kofi's flat has a balcony."),
    ("Noor is a vegan.", "Noor drinks oat milk."),
    ("Noor is a vegan.", "Noor likes peanut butter."),
    ("The user gave up alcohol.", "The user drinks alcohol-free beer."),
    ("The user has no car.", "The user has a toy car."),
]


@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_what_is_lacking_on_one_side_is_there_on_the_other(one: str, other: str) -> None:
    assert weight(one, other, "holding") >= 1.5
    assert weight(other, one, "holding") == weight(one, other, "holding")


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_other_people_places_times_and_things_do_not_meet(one: str, other: str) -> None:
    assert weight(one, other, "holding") < 1.5
    assert weight(other, one, "holding") < 1.5


def test_the_sentence_names_both() -> None:
    piece = evidence("The user drinks an espresso after lunch.", "The user gave up coffee.", "holding")
    assert piece is not None
    assert (piece.incumbent_words, piece.challenger_words) == ("drinks … espresso", "gave up coffee")
    assert piece.sentence == 'On one side it is given up: "gave up coffee"; the other has it: "drinks … espresso".'


def test_a_subject_left_unsaid_says_less_than_the_same_one() -> None:
    unsaid = weight("Mornings begin when the user takes an espresso.", "Noor gave up coffee.", "holding")
    assert unsaid == 0
    assert 0 < weight("Evenings start with a lager.", "The user quit beer.", "holding") < 1.5


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The user has no literary agent.", ("literary agent",)),
        ("They do not own a used estate car.", ("used estate car",)),
        ("Noor is vegetarian.", ("meat", "seafood")),
        ("The user no longer drinks tea.", ("tea",)),
        ("The user gave up smoking and took up the flute.", ("smoking",)),
        ("The user may sell the boat.", None),
        ("Nothing was sold.", None),
    ],
)
def test_what_a_text_says_is_lacking(text: str, names: tuple[str, ...] | None) -> None:
    found = lacks(read(text))
    assert (found[0].names if found else None) == names


def test_kinds_go_down_all_the_way() -> None:
    assert {"coffee", "dairy"} <= genera("flat whites")
    assert {"beer", "alcohol"} <= genera("pilsner")
    assert genera("coffee") == frozenset()
    assert genera("anvil") == frozenset()
    assert {"dachshund", "tabby", "hamster"} <= below("pet")


@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_the_verdict_without_a_judge_is_a_clash_however_far_they_lie(one: str, other: str) -> None:
    if not plain(pair(one, other), tuple(e for e in [evidence(one, other, "holding")] if e)):
        pytest.skip("another guard speaks")
    (verdict,) = Detector(judge=None).weigh(memory(other, 2), [Candidate(memory(one, 1), 0.2, 0, 0.1)])
    assert verdict.relationship is Relationship.CLASH


def test_a_car_opens_no_clause() -> None:
    assert {token.clause for token in read("The user has no car of her own.").tokens} == {0}
    assert weight("The user has a car.", "The user has no car.", "negation") > 1
