"""Drafts and their parts: what is taken, and the sentence for what is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from tests.strategies import authors, drafts
from tur_engine.errors import BadInput
from tur_engine.records import Author, AuthorKind, Confidence, Draft, MemoryType, Relation

ME = Author(kind=AuthorKind.HUMAN, name="mara")


def draft(**parts: Any) -> Draft:
    return Draft(**{"content": "the port is open", "author": ME, **parts})


@given(drafts)
def test_what_was_taken_is_taken_again(made: Draft) -> None:
    assert Draft(**dict(made)) == made
    assert made.occurred_at is None or made.occurred_at.tzinfo is UTC


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"content": " "}, "content is empty"),
        ({"content": "x" * 100_000}, "content has 100,000 characters; at most 8,192 fit"),
        ({"content": "a\x1b]0;x\x07"}, "content holds a control character (U+001B) at character 2"),
        ({"content": "\ud83d"}, "content holds a lone surrogate"),
        ({"type": "rumour"}, "unknown type 'rumour'; use one of fact, preference, event, insight, axiom, core"),
        ({"type": "Fact"}, "unknown type 'Fact'"),
        ({"type": "concept"}, "type concept is written by a graph commit only"),
        ({"type": MemoryType.CONCEPT}, "type concept is written by a graph commit only"),
        ({"fields": {"n": 2**53}}, "field 'n' holds an integer beyond 2^53-1; give it as text"),
        ({"fields": {"n": -(2**53)}}, "beyond 2^53-1"),
        ({"fields": {"n": 10**5000}}, "beyond 2^53-1"),
        ({"fields": {"n": float("nan")}}, "field 'n' holds nan; only finite numbers are allowed"),
        ({"fields": {"n": float("inf")}}, "field 'n' holds inf"),
        ({"fields": {"n": float("-inf")}}, "field 'n' holds -inf"),
        ({"fields": {"n": [1]}}, "field 'n' holds list; a value is text, a number, true, false or null"),
        ({"fields": {"n": {"a": 1}}}, "field 'n' holds dict"),
        ({"fields": {"n": "\x1c"}}, "field 'n' holds a control character"),
        ({"fields": {"n": "x" * 3000}}, "field 'n' has 3,000 characters"),
        ({"fields": {"n": " " * 3000}}, "field 'n' is empty"),
        ({"fields": {"": 1}}, "field name is empty"),
        ({"tags": ("ok", " ")}, "tag is empty"),
        ({"topic": "\x00"}, "topic holds a control character"),
        ({"session": "\u202e"}, "session is empty"),
        ({"provenance": {"file": "\x07"}}, "provenance file holds a control character"),
        ({"occurred_at": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))}, "lies outside the years 1 to 9999"),
    ],
)
def test_refusals(parts: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput) as refusal:
        draft(**parts)
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(ValidationError):
        draft(colour="red")


def test_a_draft_does_not_change() -> None:
    with pytest.raises(ValidationError):
        draft().content = "other"  # type: ignore[misc]


def test_values_keep_their_types() -> None:
    fields = {"a": 1, "b": True, "c": "1", "d": 1.5, "e": None, "f": 2**53 - 1, "g": "", "h": "  ", "i": 0, "j": False}
    kept = draft(fields=fields).fields
    assert kept == fields
    assert {name: type(value) for name, value in kept.items()} == {name: type(v) for name, v in fields.items()}


def test_parts_are_brought_into_form() -> None:
    made = draft(
        content="cafe\u0301\r\n",
        tags=("b", "a ", "b"),
        topic="",
        occurred_at=datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2))),
    )
    assert made.content == "café\n"
    assert made.tags == ("a", "b")
    assert made.topic is None
    assert made.occurred_at == datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_a_time_without_a_zone_is_local() -> None:
    naive = datetime(2026, 3, 1, 12)
    assert draft(occurred_at=naive).occurred_at == naive.astimezone(UTC)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Confidence(reasoning="\x1b"), "reasoning holds a control character"),
        (lambda: Confidence(evidence=("\ud800",)), "evidence or assumption holds a lone surrogate"),
        (lambda: Confidence(assumptions=("",)), "evidence or assumption is empty"),
        (lambda: Relation(type="\x00", target="ab"), "relation type holds a control character"),
        (lambda: Author(kind=AuthorKind.AGENT, name=""), "author name is empty"),
        (lambda: Author.parse("agent:\x1b"), "author name holds a control character"),
        (lambda: Author.parse("a\nb"), "author's name holds a line break"),
    ],
)
def test_what_goes_with_a_draft_is_clean_too(make: Any, why: str) -> None:
    with pytest.raises(BadInput) as refusal:
        make()
    assert why in str(refusal.value)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_score_lies_between_0_and_1(score: float) -> None:
    with pytest.raises(ValidationError):
        Confidence(score=score)


@given(authors)
def test_authors_are_written_and_read_back(author: Author) -> None:
    assert Author.parse(str(author)) == author


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("human:mara", AuthorKind.HUMAN, "mara"),
        ("mara", AuthorKind.AGENT, "mara"),
        ("bot:mara", AuthorKind.AGENT, "bot:mara"),
        ("system:a:b", AuthorKind.SYSTEM, "a:b"),
    ],
)
def test_author_forms(text: str, kind: AuthorKind, name: str) -> None:
    assert Author.parse(text) == Author(kind=kind, name=name)
