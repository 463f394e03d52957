"""Negation with its scope: what is denied, of whom; definitions and double denials are no clash. Five languages."""

from __future__ import annotations

import pytest

from tests.detect.sides import evidence, weight
from tur_engine.detect.polarity import negations
from tur_engine.detect.reading import read

CLASHES = [
    ("Releases are signed.", "Releases aren't signed."),
    ("Ravi is drinking oat milk.", "Ravi is not drinking oat milk any more."),
    ("Glass is a crystalline solid.", "Glass is not crystalline; it is an amorphous solid."),
    ("Grapefruit juice interacts with simvastatin.", "Grapefruit juice does not interact with simvastatin."),
    ("Contractors get write access.", "No contractor gets write access."),
    ("Every file carries a caption.", "Files carry no caption."),
    ("The Windows job is required.", "Windows job → required: false"),
    ("Login is built-in.", "Login is not built in."),
    ("Die Releases werden signiert.", "Die Releases werden nicht signiert."),
    ("Das Team benutzt Redis.", "Das Team benutzt Redis nicht mehr."),
    ("Los despliegues requieren aprobación.", "Los despliegues no requieren aprobación."),
    ("Le cache est activé en production.", "Le cache n'est pas activé en production."),
    ("Nous utilisons Redis.", "Nous n'utilisons plus Redis."),
    ("我们使用Redis做缓存。", "我们不再使用Redis做缓存。"),
    ("发布需要审批。", "发布不需要审批。"),
]
COMPATIBLE = [
    ("The gateway does not need Redis.", "The gateway works without Redis."),
    ("The cache no longer evicts early.", "The queue no longer drops retries."),
    ("Every oven is electric.", "There is no oven that is not electric."),
    ("No parcel leaves without a second scan.", "Parcels leave after a second scan."),
    ("Indent with tabs, not spaces.", "Use tabs rather than spaces."),
    ("Redis stores sessions, not jobs.", "Redis stores sessions."),
    ("Hall sensor flap: known, no action.", "Hall sensor turned on."),
    ("A crew has four players.", "A crew has no more than four players."),
    ("Not only the API but also the worker reads it.", "The API reads it."),
    ("The build runs.", "The build runs."),
]


@pytest.mark.parametrize(("old", "new"), CLASHES)
def test_a_denial_meets_its_affirmation(old: str, new: str) -> None:
    assert weight(old, new, "negation") > 0.5
    assert weight(new, old, "negation") == weight(old, new, "negation")


@pytest.mark.parametrize(("old", "new"), COMPATIBLE)
def test_definitions_bounds_and_double_denials_do_not(old: str, new: str) -> None:
    assert weight(old, new, "negation") <= 0
    assert weight(new, old, "negation") <= 0


def test_the_denied_words_are_shown_not_the_whole_sentence() -> None:
    old, new = "Releases are signed in the vault.", "As of May releases are not signed."
    found = evidence(old, new, "negation")
    assert found is not None
    assert "not signed" in found.challenger_words
    assert "signed" in found.incumbent_words
    assert "May" not in found.challenger_words


@pytest.mark.parametrize(
    "written", ["n\u200bot", "nоt", "n\u00adot", "NOT"]
)  # zero-width, Cyrillic o, soft hyphen, capitals
def test_disguised_denials_are_seen(written: str) -> None:
    assert weight("Releases are signed.", f"Releases are {written} signed.", "negation") > 0.5


def scope(text: str) -> list[list[str]]:
    reading = read(text)
    return [[reading.tokens[k].text for k in n.scope] for n in negations(reading)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The job does not restart the pod.", [["restart", "pod"]]),
        ("It does not retry because the queue retries.", [["retry"]]),
        ("Use uv, not Poetry, for packages.", [["poetry"]]),
        ("Not all of them are free.", []),
        ("Telemetry: off", [["telemetry"]]),
    ],
)
def test_scope_ends_with_its_clause(text: str, expected: list[list[str]]) -> None:
    assert scope(text) == expected


def test_what_ended_is_told_from_what_never_was() -> None:
    assert negations(read("We no longer use Redis."))[0].ended
    assert negations(read("We do not use Redis any more."))[0].ended
    assert not negations(read("We do not use Redis."))[0].ended


def test_whose_somebody_is_denies_less_of_them() -> None:
    denied = "The user has no car."
    of_another, of_them = (weight(denied, f"The {who} has a car.", "negation") for who in ("user's wife", "user"))
    assert of_another < of_them / 2
