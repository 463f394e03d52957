"""The mechanical rule: the test vectors of the reference, both levels, both readings of null, strict output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.akashik.conftest import OTTER, Field, envelope, unit
from tests.strategies import scalars
from tur_engine.akashik.record import structured
from tur_engine.errors import BadInput
from tur_engine.records import Draft, OnConflict
from tur_engine.records.fields import conflicting_fields

SCHEMAS = Path(__file__).with_name("schemas")
VECTORS: list[dict[str, Any]] = json.loads((SCHEMAS / "vectors.json").read_text("utf-8"))


def validator(name: str) -> Draft202012Validator:
    """The validator of one schema file; a conflict's own schema stands where it is named."""
    text = (SCHEMAS / name).read_text("utf-8")
    conflict = (SCHEMAS / "conflict.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text.replace('{ "$ref": "conflict.json" }', conflict)))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
@pytest.mark.parametrize("sdk_compat", [False, True])
def test_each_vector(field: Field, vector: dict[str, Any], sdk_compat: bool) -> None:
    for content in (vector["a"], vector["b"]):
        text, topic, fields = structured(content)
        draft = Draft(content=text, topic=topic, fields=fields, author=OTTER)
        field.engine.learn(draft, on_conflict=OnConflict.ALLOW)  # as RECORD does: both are committed
    wanted = vector.get("sdk", vector["fields"]) if sdk_compat else vector["fields"]
    field.set_level(1)
    told = field.detect("scan", options={"sdk_compat": sdk_compat})["conflicts"]
    mechanical = [c for c in told if c["detected_by"] == "mechanical"]
    assert [c["conflicting_fields"] for c in mechanical] == ([wanted] if wanted else [])


def test_the_twelfth_vector_nan_cannot_come_in(field: Field) -> None:
    message = json.dumps(envelope("RECORD", **unit({"topic": "t", "n": float("nan")})))
    assert "NaN" in message
    assert field.refused(json.loads(message))["code"] == "INVALID_ENVELOPE"
    with pytest.raises(BadInput, match="finite"):
        structured({"topic": "t", "n": float("nan")})


def test_a_topic_is_compared_in_nfc(field: Field) -> None:
    field.record({"topic": "Caf\u00e9", "seats": 4})
    field.record({"topic": "Cafe\u0301", "seats": 5})
    (conflict,) = field.detect("list")["conflicts"]
    assert conflict["conflicting_fields"] == ["seats"]


def test_level_1_omits_what_level_2_has_and_never_tells_of_meaning(field: Field) -> None:
    older = field.record({"subject": "lamp", "b": 1, "a": True})["memory_unit_id"]
    newer = field.record({"subject": "lamp", "b": 2, "a": False})["memory_unit_id"]
    (full,) = field.detect("list")["conflicts"]
    assert full["type"] == "factual"
    assert full["status"] == "detected"
    field.set_level(1)
    (bare,) = field.detect("list")["conflicts"]
    assert set(bare) == {"unit_a", "unit_b", "description", "detected_by", "conflicting_fields"}
    assert (bare["unit_a"], bare["unit_b"]) == (older, newer)
    assert bare["conflicting_fields"] == full["conflicting_fields"] == ["a", "b"]


def test_strict_answers_keep_to_the_schemas(field: Field) -> None:
    options = {"strict": True}
    first = field.send(envelope("RECORD", **unit({"topic": "plan", "price": 1})), **options).payload
    validator("record.json").validate(first)
    second = unit({"topic": "plan", "price": 2}, relations=[])
    validator("record.json").validate(field.send(envelope("RECORD", **second), **options).payload)
    field.set_level(1)  # the schemas know level 2 only
    for mode, more in (("list", {}), ("scan", {}), ("check", {"target_id": first["memory_unit_id"]})):
        told = field.detect(mode, options=options, **more)
        validator("detect.json").validate(told)
        (conflict,) = told["conflicts"]
        assert (conflict["detected_by"], conflict["detection_method"]) == ("logical", "mechanical")
    for message in (envelope(mode="find"), envelope("MERGE"), envelope(mode="check", target_id="fact-abcd"), {}):
        validator("error.json").validate(field.send(message, **options).payload)


def test_without_strict_mechanical_is_outside_the_closed_list(field: Field) -> None:
    field.record({"topic": "plan", "price": 1})
    field.record({"topic": "plan", "price": 2})
    assert not validator("detect.json").is_valid(field.detect("list"))


def test_scan_on_a_store_that_is_only_read_counts_and_keeps_nothing(field: Field) -> None:
    field.record({"key": "k", "n": 1})
    field.record({"key": "k", "n": 2})
    from tur_engine.engine import Engine

    with Engine.open(field.engine.path, actor=OTTER, read_only=True) as looking:
        told = Field(looking).detect("scan")
    assert [c["conflicting_fields"] for c in told["conflicts"]] == [["n"]]


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from("abc"), scalars, max_size=3), st.dictionaries(st.sampled_from("abc"), scalars))
def test_the_rule_is_symmetric_and_never_names_what_is_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    from datetime import UTC, datetime

    from tur_engine.ledger import Encoded

    try:
        sides = [
            Encoded(Draft(content="x", topic="t", fields=fields, author=OTTER), datetime.now(UTC)).memory()
            for fields in (one, other)
        ]
    except BadInput:
        return
    found = conflicting_fields(*sides)
    assert found == conflicting_fields(*reversed(sides))
    for name in found:
        assert one[name] is not None
        assert (type(one[name]), one[name]) != (type(other[name]), other[name])
