"""One side says what the other says and more: no clash, whichever came first; a turning word ends the rule."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory, pair
from tur_engine.detect.pair import Pair
from tur_engine.detect.refinement import refines

ADDED = [
    ("Backups run nightly", "Backups run nightly at 2am"),
    ("Releases are cut from main.", "Releases are cut from main by the release captain."),
    ("Our main database is PostgreSQL", "Our main database is PostgreSQL 15"),
    ("Alice owns billing", "Alice owns billing and payments"),
    ("Tests must pass before merge", "Tests must pass before a merge to main"),
]
FOR_ALL = [
    ("Database migrations run via Prisma Migrate.", "Database migrations always run via Prisma Migrate."),
    ("Deploys need two approvals", "All deploys need two approvals"),
    ("Die Tests laufen nachts.", "Alle Tests laufen immer nachts."),
]
TURNED = [
    ("Backups run nightly", "Backups run nightly until May"),
    ("Force-pushing is allowed", "Force-pushing is allowed only for admins"),
    ("Deploys run on Fridays", "Deploys run on Fridays are forbidden"),
    ("Deploys need approval", "Deploys never need approval"),
    ("Some deploys need two approvals", "All deploys need two approvals"),
    ("The port is 8080", "The port is 9090 in production"),
    ("No deploys happen on Fridays", "No deploys ever happen on Fridays with all hands"),
    ("The retries are 3", "The retries are 3 5"),
]


@pytest.mark.parametrize(("general", "specific"), ADDED + FOR_ALL)
def test_saying_more_contradicts_nothing(general: str, specific: str) -> None:
    assert refines(pair(general, specific)) is not None
    assert refines(pair(specific, general)) is not None


@pytest.mark.parametrize(("old", "new"), TURNED)
def test_a_word_that_turns_the_sentence_ends_the_rule(old: str, new: str) -> None:
    assert refines(pair(old, new)) is None
    assert refines(pair(new, old)) is None


def test_a_field_of_another_value_is_never_hidden() -> None:
    old = memory("Our main database is PostgreSQL", 1, fields={"db": "PostgreSQL"})
    new = memory("Our main database is PostgreSQL 15", 2, fields={"db": "MySQL"})
    assert refines(Pair.of(old, new)) is None
