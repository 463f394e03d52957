"""Numbered things are told apart by their number."""

from __future__ import annotations

import pytest

from tur_engine.detect.calibration import memory_of
from tur_engine.detect.detector import Detector
from tur_engine.detect.numbered import two_things
from tur_engine.detect.pair import Pair
from tur_engine.detect.rivalry import rival_names
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship


def pair(one: str, other: str) -> Pair:
    return Pair.of(memory_of(one, 1), memory_of(other, 2))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 400 is assigned to team A", "Ticket 429 is assigned to team B"),
        ("Service number 3 listens on port 1003 in region eu", "Service number 4 listens on port 1004 in region us"),
        ("The API of stage 3 listens on 8080", "The API of stage 2 listens on 9090"),
        ("Probe 1: the exporter writes to bucket-1", "Probe 2: the exporter writes to bucket-2"),
        ("Server #1 has 16 GB", "Server #2 has 32 GB"),
        ("The cat number 1 likes milk from farm 1", "The cat number 2 likes milk from farm 2"),
        ("The audit log number 128 listens on port 2128", "The audit log number 130 listens on port 2130"),
        ("The audit server 128 listens on port 2128", "The audit server 130 listens on port 2130"),
        ("Note number 1 about the garden shed", "Note number 2 about the garden shed"),
        ("Test #3: the door is blue", "Test #4: the door is red"),
        ("Fact 7: the limit is 30 requests", "Fact 12: the limit is 60 requests"),
        ("Ticket 402 is assigned to team C", "Ticket 407 is assigned to team C"),
        ("The cook of team 1 sits on floor 3.", "The guard of team 1 sits on floor 4."),
        ("The pressure in tank 2 is 5 bar.", "The temperature in tank 2 is 9 bar."),
    ],
)
def test_two_numbers_are_two_things(one: str, other: str) -> None:
    assert two_things(pair(one, other))
    assert two_things(pair(other, one))
    newcomer, incumbent = memory_of(other, 2), memory_of(one, 1)
    (verdict,) = Detector(judge=None).weigh(newcomer, [Candidate(incumbent, 0.95, 0, 0.9)])
    assert verdict.relationship is Relationship.COMPATIBLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 400 is assigned to team A", "Ticket 400 is assigned to team B"),
        ("Deploys go to cluster 2", "Deploys go to cluster 3"),
        ("Gate 3 is the main entrance", "Gate 4 is the main entrance"),
        ("Project uses Python 3.11", "Project uses Python 3.12"),
        ("Table 7 waits for the bill, table 9 for dessert", "Table 9 wants to pay, table 7 still gets its dessert"),
        ("Port is 8080", "Port is 9090"),
        ("The port number 5432 belongs to the database", "The port number 5433 belongs to the database"),
        ("Our phone number 5550123 is printed on bills", "Our phone number 5550199 is printed on bills"),
        ("Test 3 times before a release", "Test 5 times before a release"),
        ("Note 3 deviations a week", "Note 4 deviations a week"),
        ("The cook of team 1 sits on floor 3.", "The cook of team 1 sits on floor 4."),
        ("The boss of team 1 sits on floor 3.", "The lead of team 1 sits on floor 4."),
        ("The night guard of team 1 sits on floor 3.", "The guard of team 1 sits on floor 4."),
        ("The cook of team 1 is the guard.", "The guard of team 1 sits on floor 4."),
    ],
)
def test_a_number_that_is_the_value_is_left_alone(one: str, other: str) -> None:
    assert two_things(pair(one, other)) is None


def test_mail_servers_stand_in_each_others_place() -> None:
    both = pair("The mail server runs Postfix.", "The mail server runs Exim.")
    ((mine, theirs, several),) = rival_names(both.a, both.b)
    assert ([word.text for word in mine], [word.text for word in theirs], several) == (["postfix"], ["exim"], False)
