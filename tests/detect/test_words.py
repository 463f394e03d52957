"""Stems: the forms of one word come together, a noun with the verb it is made of, other words do not."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory
from tur_engine.detect.detector import Detector
from tur_engine.detect.words import _IRREGULAR, ALIASES, LIGHT, stem
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship


@pytest.mark.parametrize(
    "forms",
    [
        "deploy deploys deployed deploying deployment deployments",
        "indent indented indentation",
        "migrate migrates migrating migration migrations",
        "configure configured configuration configurations config configs",
        "authenticate authentication auth",
        "notify notified notification notifications",
        "approve approved approval approvals",
        "send sent sends sending",
        "policy policies",
        "db database databases",
        "choose chooses chose chosen",
        "cache caches cached caching",
        "store stores stored storage",
        "drive drives drove driven driving",
    ],
)
def test_forms_of_one_word_have_one_stem(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


def test_other_words_stay_apart() -> None:
    words = "station stage nation national ration vacation vacate application apply education status statute".split()
    assert len({stem(word) for word in words}) == len(words)


@pytest.mark.parametrize("table", [ALIASES, _IRREGULAR])
def test_what_a_table_gives_is_a_stem_itself(table: dict[str, str]) -> None:
    assert [
        (word, stem(word), stem(other)) for word, other in table.items() if stem(word) not in (other, stem(other))
    ] == []


def test_words_that_say_little_are_given_as_stems() -> None:
    assert {word for word in LIGHT if stem(word) != word} == {"used"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Configure the app with YAML.", "Configuration is in TOML."),
        ("Migrate with Alembic.", "Migrations run via Prisma."),
        ("Deploy on Fridays.", "Deployments happen on Mondays."),
        ("The db is Postgres.", "The database is MySQL."),
        ("We chose Rust for the parser.", "The team chooses Zig for the parser."),
    ],
)
@pytest.mark.slow
def test_a_verb_and_its_noun_speak_of_one_thing(one: str, other: str) -> None:
    older, newer = memory(one, 1), memory(other, 2)
    (verdict,) = Detector().weigh(newer, [Candidate(older, 0.5, 0, 0.3)])
    assert verdict.relationship is Relationship.CLASH
