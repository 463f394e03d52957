from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tur_engine.cli import words
from tur_engine.errors import BadInput
from tur_engine.records import MemoryType, OnConflict, Verb


def test_a_field_value_is_a_json_scalar_where_it_parses_as_one() -> None:
    assert words.fields(
        ["port=8080", "host=db1", "tls=true", "ratio=0.5", "note=null", 'quoted="8080"', "list=[1]"]
    ) == {
        "port": 8080,
        "host": "db1",
        "tls": True,
        "ratio": 0.5,
        "note": None,
        "quoted": "8080",
        "list": "[1]",
    }
    assert words.fields(["query=a=b"]) == {"query": "a=b"}


@pytest.mark.parametrize("text", ["x=NaN", "x=Infinity", "x=-Infinity", f"x={2**53}", "x", "=1"])
def test_a_field_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        words.fields([text])


def test_a_field_given_twice_is_refused() -> None:
    with pytest.raises(BadInput, match="port is given twice"):
        words.fields(["port=1", "port=2"])


def test_an_unknown_type_names_the_nearest_one() -> None:
    with pytest.raises(BadInput, match=r"unknown type 'prefrence'; did you mean 'preference'\? use one of fact,"):
        words.memory_type("prefrence")
    assert words.memory_type("FACT") is MemoryType.FACT


def test_concept_can_be_listed_but_not_learned() -> None:
    assert words.any_type("concept") is MemoryType.CONCEPT
    with pytest.raises(BadInput, match="unknown type 'concept'"):
        words.memory_type("concept")


@pytest.mark.parametrize("verb", list(Verb))
def test_a_verb_goes_by_its_name_and_its_letter(verb: Verb) -> None:
    assert words.verb(verb.value.upper()) is verb
    assert words.verb(verb.key) is verb


def test_branch_is_another_name_of_scope_branch() -> None:
    assert words.verb("branch") is Verb.BRANCH
    with pytest.raises(BadInput, match="unknown verb 'superseed'; did you mean 'supersede'"):
        words.verb("superseed")


def test_a_policy_that_is_none_names_where_it_came_from() -> None:
    assert words.on_conflict("hold", "--on-conflict") is OnConflict.HOLD
    with pytest.raises(BadInput, match="value of TUR_ON_CONFLICT 'block'"):
        words.on_conflict("block", "TUR_ON_CONFLICT")


def test_moments_are_iso_8601() -> None:
    assert words.moment("2026-11-29T23:15:00Z") == datetime(2026, 11, 29, 23, 15, tzinfo=UTC)
    assert words.moment("2026-11-29") == datetime(2026, 11, 29)
    with pytest.raises(BadInput, match="'yesterday' is not a date or time"):
        words.moment("yesterday")


@pytest.mark.parametrize("text", ["depends_on", "depends_on=", "=fact-1234"])
def test_a_relation_needs_a_type_and_a_target(text: str) -> None:
    with pytest.raises(BadInput):
        words.relations([text])
