"""What an answer offers: previews of each pair, and only what its author may do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.scripted import AGENT, MARA, OTHER, Store, suspicion
from tests.govern.signing import RITA, governed
from tur_engine import payloads
from tur_engine.mcp import answers
from tur_engine.records import Author, Verb

RED, BLUE, GREEN = "The door is red", "The door is blue", "The door is green"
SHUT, AJAR = "Doors are shut at night", "Doors may be ajar at night"
SEVEN = ["supersede", "refute", "scope_branch", "abort", "merge", "force", "dismiss"]


def offered(store: Store, text: str, by: Author = AGENT) -> dict[str, Any]:
    result = store.learn(text, by)
    payload = payloads.learn(result)
    assert payload["status"] == "conflict_detected"
    for item in payload["conflicts"]:
        assert item["suggested_action"] in (item["resolution_options"] or ["wait"])
        assert item["previews"].keys() == {verb for verb in item["resolution_options"] if verb != "propose"}
        assert set(item["for_people"]) <= set(item["resolution_options"])
    return payload


def test_two_incumbents_have_previews_of_their_own(store: Store) -> None:
    store.script.clash(RED, BLUE)
    store.script.clash(RED, GREEN)
    blue = store.known(BLUE, AGENT)
    store.known(GREEN, AGENT)
    store.known("Paint is bought in blue", AGENT, rests_on=[blue])
    payload = offered(store, RED)
    told = {item["existing_content"]: item["previews"] for item in payload["conflicts"]}
    for mine, other in ((BLUE, GREEN), (GREEN, BLUE)):
        supersede = told[mine]["supersede"]
        assert supersede.startswith("waits for 1 more of the same candidate's conflicts; then ")
        assert f'"{mine}" is superseded by' in supersede
        assert other not in supersede
        assert ("Paint" in supersede) is (mine == BLUE)
        assert told[mine]["scope_branch"].count("holds only where you say") == 1
    assert payload["previews"] == payload["conflicts"][0]["previews"]
    text = answers.learned(store.learn(RED, AGENT)).content[0].text  # type: ignore[union-attr]
    assert text.count("What each verb would do against ") == 2
    assert f'"{GREEN}" is superseded by' in text
    assert f'"{BLUE}" is superseded by' in text


def test_the_preview_of_a_pair_is_what_comes_of_it(store: Store) -> None:
    """Said verb by verb: what each preview promised for later is there once both are decided."""
    store.script.clash(RED, BLUE)
    store.script.clash(RED, GREEN)
    store.known(BLUE, AGENT)
    store.known(GREEN, AGENT)
    result = store.learn(RED, AGENT)
    later = {r.conflict.incumbent.memory.content: r.previews for r in result.conflicts}
    for report in result.conflicts:
        verb = Verb.SUPERSEDE if report.conflict.incumbent.memory.content == BLUE else Verb.DISMISS
        done = store.settle(report.conflict, verb, AGENT)
    promised = {e.sentence for e in (*later[BLUE][Verb.SUPERSEDE].later, *later[GREEN][Verb.DISMISS].later)}
    assert promised == {effect.sentence for effect in done.effects}


def test_before_people_an_agent_is_offered_what_it_may_do(store: Store) -> None:
    store.approve(SHUT)
    store.script.say(SHUT, AJAR, suspicion())
    payload = offered(store, AJAR)
    assert (payload["state"], payload["resolution_options"]) == ("escalated", ["refute", "abort", "propose"])
    assert payload["suggested_action"] == "abort"
    assert payload["for_people"] == []
    assert "verb='abort'" in answers.learned(store.learn(AJAR, AGENT)).content[0].text  # type: ignore[union-attr]


def test_a_person_may_say_that_a_suspicion_is_none(store: Store) -> None:
    store.approve(SHUT)
    store.script.say(SHUT, AJAR, suspicion())
    payload = offered(store, AJAR, MARA)
    assert payload["resolution_options"] == ["refute", "abort", "dismiss", "propose"]
    assert "is admitted" in payload["previews"]["dismiss"]


def test_anothers_candidate_leaves_nothing_but_to_propose(store: Store) -> None:
    store.approve(SHUT)
    store.script.say(SHUT, AJAR, suspicion())
    store.learn(AJAR, OTHER)
    again = payloads.learn(store.learn(AJAR, AGENT))
    assert again["resolution_options"] == ["propose"]
    assert (again["suggested_action"], again["previews"]) == ("propose", {})


def test_what_only_people_settle_is_named(store: Store) -> None:
    store.script.clash(RED, BLUE)
    store.known(BLUE, MARA)
    payload = offered(store, RED)
    assert payload["resolution_options"] == SEVEN, "each is put before people, not refused"
    assert payload["for_people"] == ["supersede", "scope_branch", "merge", "force", "dismiss"]
    assert offered(store, RED, MARA)["for_people"] == []
    told = answers.learned(store.learn(RED, AGENT)).content[0].text  # type: ignore[union-attr]
    assert "From you these are put before people: supersede, scope_branch, merge, force, dismiss." in told


@pytest.mark.parametrize("quarantined", [False, True])
def test_of_two_incumbents_one_may_wait_for_people(store: Store, quarantined: bool) -> None:
    store.approve(SHUT)
    locked = "Doors are locked at night"
    store.script.say(SHUT, AJAR, suspicion())
    store.script.clash(locked, AJAR)
    store.known(locked, AGENT)
    if quarantined:
        governed(store.engine).quarantine(str(AGENT), RITA, "it floods")
    payload = offered(store, AJAR)
    first, second = ({item["existing_content"]: item for item in payload["conflicts"]}[text] for text in (SHUT, locked))
    assert first["state"] == "escalated"
    assert first["resolution_options"] == (["propose"] if quarantined else ["refute", "abort", "propose"])
    told = answers.learned(store.learn(AJAR, AGENT)).content[0].text  # type: ignore[union-attr]
    assert ("withdraw it with" in told) is not quarantined
    if quarantined:
        assert (second["state"], second["resolution_options"], second["suggested_action"]) == ("escalated", [], "wait")
    else:
        assert (second["state"], second["for_people"]) == ("detected", [])
