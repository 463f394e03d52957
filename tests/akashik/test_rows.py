"""The starred rows of the protocol that are claimed (docs/akashik.md), one named test each."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.akashik.conftest import OTTER, Field, envelope, unit
from tests.govern.signing import RITA, governed, put_in_force
from tur_engine.akashik import answer
from tur_engine.akashik.envelope import FIELDS
from tur_engine.engine import Engine
from tur_engine.errors import StoreBusy
from tur_engine.ledger.effects import settle
from tur_engine.records import ConflictState, Draft, MemoryType, Verb

CAGR_23, CAGR_14 = "The market grows by 23% a year", "The market grows by 14% a year"


def against(target: str, said: str | None = None) -> dict[str, Any]:
    return {"type": "contradicts", "target_id": target, "description": said}


@pytest.mark.parametrize("intent", [None, {}, {"purpose": ""}, {"purpose": "   "}, "why"])
def test_row_1_a_unit_without_an_intent_is_rejected(field: Field, intent: Any) -> None:
    assert field.refused(envelope("RECORD", **unit("It rains", intent=intent)))["code"] == "MISSING_INTENT"


def test_row_3_committed_content_is_never_modified(field: Field) -> None:
    first = field.record(CAGR_23)["memory_unit_id"]
    second = field.record(CAGR_14, relations=[against(first)])
    (conflict,) = second["conflicts_detected"]
    before = [field.engine.memory(ref).memory for ref in (first, second["memory_unit_id"])]
    field.engine.resolve(conflict, Verb.SUPERSEDE, reason="newer")
    assert [field.engine.memory(memory.id).memory for memory in before] == before


@pytest.mark.parametrize("missing", FIELDS)
def test_row_5_every_message_uses_the_envelope(field: Field, missing: str) -> None:
    message = envelope(mode="list")
    del message[missing]
    told = field.refused(message)
    assert told["code"] == "INVALID_ENVELOPE"
    assert missing in told["message"]
    assert field.refused(envelope(mode="list") | {"extra": 1})["code"] == "INVALID_ENVELOPE"


@pytest.mark.parametrize(
    "wrong",
    [
        *({"protocol": value} for value in ("Akashik", None)),
        *({"version": value} for value in ("0.2", 0.1)),
        *({"epoch": value} for value in (-1, 1.5, True, "0")),
        *({"id": value} for value in ("", 3)),
        *({"agent_id": " "}, {"session_id": 4}, {"operation": "LEARN"}, {"payload": []}),
    ],
)
def test_a_field_of_the_envelope_that_is_wrong_is_refused(field: Field, wrong: dict[str, Any]) -> None:
    assert field.refused(envelope(mode="list") | wrong)["code"] == "INVALID_ENVELOPE"


def test_row_8_the_field_makes_id_epoch_source_and_status(field: Field) -> None:
    made = field.record("It rains")["memory_unit"]
    assert made["id"].startswith("fact-")
    assert made["status"] == "active"
    assert made["epoch"] > 0
    assert made["source"]["agent_id"] == "otter"
    assert made["source"]["agent_role"] == "agent"
    assert made["source"]["timestamp"].endswith("Z")
    for name in ("id", "epoch", "source", "status"):
        carrying = unit("It snows") | {name: "superseded"}
        assert field.refused(envelope("RECORD") | {"payload": carrying})["code"] == "INVALID_PAYLOAD"


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(
    ("payload", "code", "said"),
    [
        ({}, "INVALID_PAYLOAD", "list"),
        ({"mode": "find"}, "INVALID_PAYLOAD", "check, scan, list"),
        ({"mode": "check"}, "INVALID_PAYLOAD", "target_id"),
        ({"mode": "check", "target_id": 3}, "INVALID_PAYLOAD", "target_id"),
        ({"mode": "check", "target_id": "fact-abcd"}, "UNIT_NOT_FOUND", "abcd"),
        ({"mode": "list", "filter": {"types": ["wrong"]}}, "INVALID_PAYLOAD", "factual, interpretive"),
        ({"mode": "list", "filter": {"status": ["open"]}}, "INVALID_PAYLOAD", "detected, resolving"),
        ({"mode": "list", "filter": {"types": "factual"}}, "INVALID_PAYLOAD", "list"),
        ({"mode": "list", "filter": {"kind": []}}, "INVALID_PAYLOAD", "kind"),
        ({"mode": "list", "limit": 3}, "INVALID_PAYLOAD", "limit"),
    ],
)
def test_row_18_a_payload_is_validated_by_mode_and_level(
    field: Field, level: int, payload: dict[str, Any], code: str, said: str
) -> None:
    field.set_level(level)
    told = field.refused(envelope() | {"payload": payload})
    assert told["code"] == code
    assert said in told["message"] + told["suggested_action"]


@pytest.mark.parametrize(
    ("confidence", "code"),
    [
        (None, "MISSING_CONFIDENCE"),
        ({"score": 1}, "MISSING_CONFIDENCE"),
        ({"reasoning": "x"}, "MISSING_CONFIDENCE"),
        ({"score": 1.01, "reasoning": "x"}, "INVALID_CONFIDENCE"),
        ({"score": "0.5", "reasoning": "x"}, "INVALID_CONFIDENCE"),
    ],
)
def test_a_record_is_validated_before_anything_is_kept(field: Field, confidence: Any, code: str) -> None:
    assert field.refused(envelope("RECORD", **unit("It rains", confidence=confidence)))["code"] == code


def test_row_22_a_draft_is_a_side_of_no_conflict(field: Field) -> None:
    field.record({"topic": "pricing", "price": 49})
    drafted = field.record({"topic": "pricing", "price": 50}, mode="draft", confidence=None)
    assert drafted["memory_unit"]["status"] == "draft"
    scanned = field.detect("scan")
    assert scanned["conflicts"] == []
    assert scanned["scan_coverage"]["units_scanned"] == 1


def test_row_23_a_committed_unit_is_active(field: Field) -> None:
    recorded = field.record("It rains")
    assert recorded["memory_unit"]["status"] == "active"
    assert field.engine.memory(recorded["memory_unit_id"]).status == "active"


def test_a_unit_that_is_held_is_told_so(field: Field) -> None:
    governed(field.engine).quarantine(str(OTTER), RITA, "it guesses")
    message = envelope("RECORD", **unit("It rains"))
    recorded = field.send(message).payload
    assert recorded["status"] == "accepted"
    assert recorded["warnings"] == [
        "held for a person: its author agent:otter is quarantined",
        "it is held, and not believed until a person decides",
    ]
    assert field.engine.recall("rains") == []
    assert "warnings" not in field.send(message, strict=True).payload


def test_row_24_a_record_is_one_event_more_and_stays_one(field: Field) -> None:
    before = field.engine.head()
    field.record("It rains")
    assert field.engine.head() == before + 1
    with Engine.open(field.engine.path, actor=OTTER) as again:
        assert [event.kind for event in again.history()][-1] == "learned"


def test_row_25_a_contradicts_relation_makes_one_conflict_each(field: Field) -> None:
    one, two = (field.record(text)["memory_unit_id"] for text in ("It rains", "The office is in Oslo"))
    told = field.record("Neither holds", relations=[against(one), against(two)])
    assert len(told["conflicts_detected"]) == 2
    listed = field.detect("list")["conflicts"]
    assert {c["id"] for c in listed} == set(told["conflicts_detected"])
    assert {(c["unit_a"], c["unit_b"], c["detected_by"]) for c in listed} == {
        (each, told["memory_unit_id"], "explicit") for each in (one, two)
    }


def test_row_27_detection_that_fails_stores_nothing_and_can_be_tried_again(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate never commits what it has not weighed, so a verdict is not deferred: the sender tries again."""

    def slow(*_: Any, **__: Any) -> None:
        raise StoreBusy("the verdict took too long")

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "learn", slow)
        told = field.refused(envelope("RECORD", **unit("It rains")))
    assert (told["code"], told["recoverable"]) == ("DETECTION_TIMEOUT", True)
    assert field.record("It rains")["status"] == "accepted"


def test_row_36_list_answers_and_filters(field: Field) -> None:
    assert field.detect("list") == {
        "status": "ok",
        "conflicts": [],
        "scan_coverage": {"units_scanned": 0, "new_conflicts_found": 0},
    }
    first = field.record(CAGR_23)["memory_unit_id"]
    field.record(CAGR_14, relations=[against(first)])
    for given, count in (
        ({"status": ["detected"]}, 1),
        ({"status": ["resolved"]}, 0),
        ({"types": ["factual"]}, 1),
        ({"types": ["priority"]}, 0),
        ({"involving_agents": ["otter"]}, 1),
        ({"involving_agents": ["agent:otter"]}, 1),
        ({"involving_agents": ["heron"]}, 0),
    ):
        assert len(field.detect("list", filter=given)["conflicts"]) == count, given


def test_row_37_and_seed_a_declared_contradiction_is_answered_as_the_seed_shows(field: Field) -> None:
    said = "Conflicting market growth estimates: 23% CAGR vs 14% CAGR"
    older = field.record(CAGR_23)["memory_unit_id"]
    newer = field.record(CAGR_14, relations=[against(older, said)])
    ids = {"mem-002": older, "mem-010": newer["memory_unit_id"], "conflict-001": newer["conflicts_detected"][0]}
    message = envelope(agent="analyst-01", epoch=15, mode="check", target_id=ids["mem-002"]) | {"id": "msg-015"}
    assert field.send(message).payload == {
        "status": "ok",
        "conflicts": [
            {
                "id": ids["conflict-001"],
                "type": "factual",
                "status": "detected",
                "unit_a": ids["mem-002"],
                "unit_b": ids["mem-010"],
                "description": said,
                "detected_by": "explicit",
            }
        ],
        "scan_coverage": {"units_scanned": 1, "new_conflicts_found": 0},
    }


def test_row_38_scan_finds_once_what_no_probe_led_the_gate_to(field: Field) -> None:
    texts = (("Lantern, cheap", 49), ("Fifty for it", 50))
    for text, price in texts:
        draft = Draft(content=text, fields={"entity": "plan a", "price": price}, author=OTTER)
        assert field.engine.learn(draft).outcome == "committed"
    assert field.detect("list")["conflicts"] == []
    first = field.detect("scan")
    assert first["scan_coverage"] == {"units_scanned": 2, "new_conflicts_found": 1}
    (found,) = first["conflicts"]
    assert (found["detected_by"], found["conflicting_fields"]) == ("mechanical", ["price"])
    again = field.detect("scan")
    assert again["scan_coverage"]["new_conflicts_found"] == 0
    assert again["conflicts"] == field.detect("list")["conflicts"] == [found]
    checked = field.detect("check", target_id=found["unit_b"])
    assert checked == {
        "status": "ok",
        "conflicts": [found],
        "scan_coverage": {"units_scanned": 1, "new_conflicts_found": 0},
    }


FIVE_MOVES = {
    ("detected", "resolving"),
    ("detected", "escalated"),
    ("resolving", "resolved"),
    ("resolving", "escalated"),
    ("escalated", "resolved"),
}


@pytest.mark.parametrize(("before", "after"), list(itertools.product(ConflictState, repeat=2)))
def test_row_53_only_the_five_moves_are_allowed(before: ConflictState, after: ConflictState) -> None:
    """Every move of a conflict is made by `settle`: no event can hold another one."""
    if (str(before), str(after)) in FIVE_MOVES:
        assert settle("c0", before, after)["to"] == after
        return
    with pytest.raises(ValueError, match=f"cannot go from {before} to {after}"):
        settle("c0", before, after)


def test_row_53_our_verbs_go_the_way_of_the_state_machine(field: Field) -> None:
    first = field.record(CAGR_23)["memory_unit_id"]
    (conflict,) = field.record(CAGR_14, relations=[against(first)])["conflicts_detected"]
    field.engine.resolve(conflict, Verb.REFUTE, reason="the older was measured")
    (told,) = field.detect("list", filter={"status": ["resolved"]})["conflicts"]
    assert told["resolution"]["winner_id"] == first
    assert told["resolution"]["rationale"] == "the older was measured"
    assert told["resolution"]["resolved_by"] == "agent:otter"
    assert told["resolution"]["epoch_resolved"] > 0


def test_row_57_the_clock_is_the_greater_of_both_and_one_more(field: Field) -> None:
    assert field.send(envelope("RECORD", epoch=100, **unit("It rains"))).payload["epoch"] == 101
    assert field.send(envelope("RECORD", epoch=3, **unit("The office is in Oslo"))).payload["epoch"] == 102
    assert field.refused(envelope(epoch=2**53 - 1, mode="list"))["code"] == "EPOCH_OVERFLOW"


def test_row_57_no_stranger_uses_the_clock_up_and_it_never_goes_back(field: Field) -> None:
    for greedy in (2**53 - 3, 2**53 - 2**40):
        assert field.refused(envelope(epoch=greedy, mode="list"))["code"] == "EPOCH_OVERFLOW"
    assert field.send(envelope("RECORD", epoch=1, **unit("It rains"))).payload["epoch"] < 100
    place = field.engine.path.with_name("akashik-clock")
    place.write_text(f"{2**53 - 3}\n")
    said = [field.send(envelope("RECORD", epoch=1, **unit(f"Room {n} is free"))).payload for n in range(3)]
    assert [each.get("epoch") or each["code"] for each in said] == [2**53 - 2, 2**53 - 1, "EPOCH_OVERFLOW"]
    assert place.read_text() == f"{2**53 - 1}\n"


@pytest.mark.parametrize("damage", [b"", b"x\n", b"\xff", b"-4\n", b"9007199254740992\n"])
def test_row_57_a_damaged_clock_goes_on_from_the_highest_epoch_known(
    field: Field, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    assert field.send(envelope("RECORD", epoch=100, **unit("It rains"))).payload["epoch"] == 101
    field.engine.path.with_name("akashik-clock").write_bytes(damage)
    assert field.send(envelope("RECORD", epoch=3, **unit("The office is in Oslo"))).payload["epoch"] == 102
    assert field.send(envelope("RECORD", epoch=3, **unit("The office has a lift"))).payload["epoch"] == 103
    assert ["akashik-clock is damaged" in each for each in caplog.messages] == [True]


def test_row_60_units_outlive_a_killed_process(field: Field, repo_root: Path) -> None:
    script = (
        "import json, os, signal, sys\n"
        "from tests.akashik.conftest import OTTER, envelope, unit\n"
        "from tests.standins import plain_vector\n"
        "from tur_engine.akashik import answer\n"
        "from tur_engine.engine import Engine\n"
        "from tur_engine.minds import Minds\n"
        "Minds._embed = lambda self, text: plain_vector(text)\n"
        "engine = Engine.open(actor=OTTER)\n"
        "reply = answer(envelope('RECORD', **unit('It rains')), lambda _: engine)\n"
        "print(reply.payload['memory_unit_id'], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(repo_root)},
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert field.engine.memory(ran.stdout.strip()).memory.content == "It rains"


def test_a_record_against_an_invariant_is_rejected_in_the_seeds_words(field: Field) -> None:
    proposed = field.engine.propose(Draft(content="It never rains", type=MemoryType.AXIOM, author=OTTER))
    put_in_force(field.engine, proposed.proposal_id or "")
    reply = field.send(envelope("RECORD", **unit("It rains", relations=[against(str(proposed.id))])))
    assert (reply.exit_code, reply.payload["status"]) == (4, "rejected")
    assert reply.payload["rejection_reason"].startswith("[Invariant Memory Error]: Assertion contradicts")
    assert field.engine.memories()[0].memory.content == "It never rains"


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b'{"epoch": NaN}', b"[" * 100_000])
def test_bytes_that_are_no_message_are_refused(field: Field, raw: bytes) -> None:
    reply = answer(raw, lambda _: field.engine)
    assert (reply.payload["code"], reply.exit_code) == ("INVALID_ENVELOPE", 2)


@pytest.mark.parametrize("operation", ["REGISTER", "MERGE", "ATTUNE", "REPLAY"])
def test_other_operations_are_said_to_be_unsupported(field: Field, operation: str) -> None:
    told = field.refused(envelope(operation))
    assert (told["code"], told["operation"], told["recoverable"]) == ("UNSUPPORTED_OPERATION", operation, False)
