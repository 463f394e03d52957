"""Modality: must, must not, may, need not."""

from __future__ import annotations

import pytest

from tests.detect.sides import weight
from tur_engine.detect.evidence.modality import BAN, MAY, MUST, WAIVED, modals
from tur_engine.detect.reading import read


@pytest.mark.parametrize(
    ("text", "force"),
    [
        ("Interns may submit jobs.", MAY),
        ("Interns may not submit jobs.", BAN),
        ("Submitting is off limits for interns.", BAN),
        ("A review is required.", MUST),
        ("A review is not required.", WAIVED),
        ("You need not wait.", WAIVED),
        ("Dogs must be on a leash.", MUST),
        ("It is not forbidden to park here.", MAY),
        ("Man darf nicht parken.", BAN),
        ("Es obligatorio firmar.", MUST),
        ("Il est interdit de fumer.", BAN),
        ("必须签名。", MUST),
    ],
)
def test_the_force_of_a_rule(text: str, force: str) -> None:
    assert force in [rule.force for rule in modals(read(text))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Interns may submit jobs to the queue.", "Interns must not submit jobs to the queue."),
        ("Marta is allowed to see the calendar.", "Marta is not to see the calendar."),
        ("Every pull request must be reviewed.", "Pull requests need not be reviewed."),
        ("Inline styles are forbidden.", "Inline styles are allowed."),
        ("Man darf hier parken.", "Man darf hier nicht parken."),
        ("可以使用缓存。", "不能使用缓存。"),
    ],
)
def test_what_one_demands_the_other_bans_or_waives(old: str, new: str) -> None:
    assert weight(old, new, "modality") > 0.3
    assert weight(new, old, "modality") == weight(old, new, "modality")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Contractors must not push to main.", "Direct pushes to main are off limits for contractors."),
        ("Interns may submit jobs.", "Visitors must sign the book."),
        ("Dogs must be on a leash.", "Dogs have to be on a leash."),
    ],
)
def test_the_same_force_or_another_matter_does_not(old: str, new: str) -> None:
    assert weight(old, new, "modality") == 0
