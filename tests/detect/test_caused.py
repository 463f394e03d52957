"""What a failure came from contradicts no statement of how things are arranged."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory, pair
from tur_engine.detect.caused import caused
from tur_engine.detect.detector import Detector
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship

REPORTED = [
    ("The nightly export runs at three.", "The failed exports came from a full disk rather than from the new code."),
    ("Screenshots are compared on every pull request.", "Flaky screenshots were caused by a missing font."),
    ("The kiln is fired twice a week.", "Two failed firings stemmed from damp clay."),
]
WEIGHED = [
    ("The outage was down to a full disk.", "The outage was caused by an expired certificate."),
    ("The slow builds came from the proxy.", "The proxy had no part in it."),
    ("The flour came from the mill in Lede.", "The flour is bought in Aalst."),
    ("minSdk is 24.", "minSdk went up to 29, since most of the crash reports came from older devices."),
]


@pytest.mark.parametrize(("arranged", "report"), REPORTED)
def test_a_report_of_a_cause_and_an_arrangement_are_of_two_kinds(arranged: str, report: str) -> None:
    piece = caused(pair(arranged, report))
    assert piece is not None
    assert piece.challenger_words
    assert caused(pair(report, arranged)) is not None
    (verdict,) = Detector(judge=None).weigh(memory(report, 2), [Candidate(memory(arranged, 1), 0.8, 0, 0.6)])
    assert verdict.relationship is Relationship.COMPATIBLE
    assert [each.sentence for each in verdict.evidence] == [piece.sentence]


@pytest.mark.parametrize(("one", "other"), WEIGHED)
def test_two_reports_and_what_is_no_failure_are_weighed(one: str, other: str) -> None:
    assert caused(pair(one, other)) is None
    assert caused(pair(other, one)) is None
