"""Canonical JSON and digests: the same bytes for ever, or every id changes."""

from __future__ import annotations

import hashlib
import json
import math
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from tests.ledger.makings import MOMENT, fixed_salt
from tests.strategies import drafts, moments
from tur_engine.ledger.canonical import canonical, digest_of, has_digest, is_canonical, plain
from tur_engine.ledger.codec import Encoded, content_key, stamp, topic_key, unstamp
from tur_engine.ledger.writing import encode
from tur_engine.records import Author, Confidence, Draft, Relation, Scope
from tur_engine.text import fold

values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) < 2**53 or abs(x) >= 1e21)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def test_the_vectors_of_rfc_8785() -> None:
    """RFC 8785, 3.2.2 and 3.2.3: numbers, escapes, and keys sorted by UTF-16 code units."""
    value = json.loads(
        r"""{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"""
    )
    assert canonical(value).decode() == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    keys = json.loads(canonical(dict.fromkeys("\u20ac\r\ufb33\U0001f600\x80\u00f61")))
    assert list(keys) == ["\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53, "\ud800"])
def test_what_json_cannot_carry_has_no_canonical_form(value: object) -> None:
    with pytest.raises((rfc8785.CanonicalizationError, UnicodeEncodeError)):
        canonical(value)


@given(values)
def test_the_form_is_its_own_canonical_form(value: Any) -> None:
    data = canonical(value)
    assert canonical(json.loads(data)) == data
    assert is_canonical(json.loads(data), data)
    assert has_digest(value, digest_of(value))
    assert digest_of(value) == hashlib.sha256(data).hexdigest()


@given(values)
def test_any_other_bytes_are_not_canonical(value: Any) -> None:
    spaced = json.dumps({"z": value, "a": 1}).encode()
    assert not is_canonical(json.loads(spaced), spaced)
    assert not has_digest(value, "0" * 64)


@given(st.lists(st.none() | st.booleans() | st.integers(-99, 99) | st.text(st.characters(codec="utf-8"))))
def test_the_fast_form_is_canonical_for_texts(value: list[Any]) -> None:
    assert plain(value) == canonical(value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"b":1,"a":2}',
        b'{"a":{"d":1,"c":2}}',
        b'[{"a":[{"d":1,"c":2}]}]',
        b'{"a":1,"a":1}',
        b'{"a": 1}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
    ],
)
def test_keys_in_order_once_and_nothing_spelt_otherwise(data: bytes) -> None:
    for _ in range(2):  # a shape met before is judged no better
        assert not is_canonical(json.loads(data), data)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.none() | st.text(st.characters(exclude_categories=["Cs"])))
def test_the_key_of_a_content_is_the_digest_of_its_parts(content: str, topic: str | None) -> None:
    assert content_key(content, topic, {}, "user") == digest_of([fold(content), topic, {}, "user"])


def test_an_event_is_these_bytes_for_ever() -> None:
    data = {"text_ref": "body:ab", "effects": [], "about": []}
    payload = encode(3, "2026-03-01T12:00:00.000000Z", "agent:x", "noted", "00" * 32, data)
    assert payload == (
        b'{"actor":"agent:x","at":"2026-03-01T12:00:00.000000Z","data":{"about":[],"effects":[],"text_ref":"body:ab"},'
        b'"kind":"noted","previous":"' + b"00" * 32 + b'","seq":3,"v":1}'
    )
    assert hashlib.sha256(payload).hexdigest() == "45c612f5f2295334a4d1de2a339726b202c68f131d4004c84237351e86a60d95"


GOLDEN = Draft(
    content="Cafe\u0301: très chaud",
    type="preference",
    scope=Scope.parse("user:src/api@main"),
    topic="café",
    fields={"d": 1.0, "a": 1, "c": "1", "b": True, "e": None},
    tags=("y", "x"),
    relations=(Relation(type="refines", target="ab" * 32),),
    author=Author.parse("human:mara"),
    occurred_at=datetime(2026, 3, 1, tzinfo=timezone(timedelta(hours=1))),
    confidence=Confidence(score=0.5),
    session="s1",
    provenance={"file": "a.py"},
)


def test_a_memory_has_this_id_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The golden vector: with its salt known, a digest follows from the record alone."""
    fixed_salt(monkeypatch)
    encoded = Encoded(GOLDEN, MOMENT)
    content, details = encoded.bodies
    assert content.content == "Café: très chaud".encode()
    assert details.content == (
        '{"confidence":{"assumptions":[],"evidence":[],"reasoning":"","score":0.5},"fields":{"a":1,"b":true,"c":"1",'
        '"d":1,"e":null},"provenance":{"file":"a.py"},"session":"s1","tags":["x","y"],"topic":"café"}'.encode()
    )
    assert encoded.data == {
        "type": "preference",
        "scope": "user:src/api@main",
        "author": "human:mara",
        "occurred_at": "2026-02-28T23:00:00.000000Z",
        "recorded_at": "2026-03-01T12:00:00.000123Z",
        "relations": [["refines", "ab" * 32]],
        "content_ref": "body:" + hashlib.sha256(b"\x07" * 16 + content.content).hexdigest(),
        "details_ref": "body:" + hashlib.sha256(b"\x07" * 16 + details.content).hexdigest(),
    }
    assert encoded.digest == "3774997e249ec4291c98f99d87127ee1b0ed88c1d3ad3ac6c1b0f27115b81d6f"
    assert encoded.id == f"preference-{encoded.digest}"


@given(drafts)
def test_a_memory_is_read_back_as_it_was_given(draft: Draft) -> None:
    memory = Encoded(draft, MOMENT).memory()
    for name in "content type scope topic tags relations author confidence session provenance".split():
        assert getattr(memory, name) == getattr(draft, name), name
    assert memory.fields == draft.fields
    assert [isinstance(v, bool) for v in memory.fields.values()] == [
        isinstance(draft.fields[name], bool) for name in memory.fields
    ]
    assert memory.declared_scope == draft.scope
    assert memory.recorded_at == MOMENT
    assert memory.occurred_at == (draft.occurred_at or MOMENT)
    kept = content_key(memory.content, memory.topic, memory.fields, str(memory.declared_scope))
    assert kept == content_key(draft.content, draft.topic, draft.fields, str(draft.scope))


@given(drafts)
def test_the_same_draft_gets_another_id_each_time(draft: Draft) -> None:
    """Salts hide what a text is even from somebody who guesses it."""
    one, other = Encoded(draft, MOMENT), Encoded(draft, MOMENT)
    assert one.digest != other.digest
    assert one.key == other.key


@given(moments)
def test_times_are_kept_to_the_microsecond(moment: datetime) -> None:
    assert unstamp(stamp(moment)) == moment
    assert stamp(moment).endswith("Z")


def test_times_sort_as_they_are_written() -> None:
    later = [stamp(MOMENT + timedelta(microseconds=step)) for step in (0, 1, 999_877, 3_600_000_000)]
    assert later == sorted(later)
    assert {len(text) for text in later} == {27}


def test_keys_tell_topics_and_types_apart() -> None:
    same = content_key("The port", "net", {"n": 1}, "incarnation")
    assert content_key("the  PORT", "net", {"n": 1.0}, "incarnation") == same
    others = [
        content_key("The port", "Net", {"n": 1}, "incarnation"),
        content_key("The port", "net", {"n": True}, "incarnation"),
        content_key("The port", "net", {"n": "1"}, "incarnation"),
        content_key("The port", "net", {"n": 1}, "incarnation:src"),
        content_key("The ports", "net", {"n": 1}, "incarnation"),
    ]
    assert len({same, *others}) == 6
    assert topic_key("Net") != topic_key("net")
    assert topic_key(None) == topic_key("") == ""
