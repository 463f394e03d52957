"""`Known, no action needed` denies nothing of what happened; what should be done it may deny."""

from __future__ import annotations

import pytest

from tests.detect.sides import memory, pair
from tur_engine.detect.detector import Detector
from tur_engine.detect.handling import handled
from tur_engine.probe.candidate import Candidate
from tur_engine.records import Relationship

REMARKED = [  # the first is input 17 of a rival's tracker: words of negation in old notes raised a thousand warnings
    ("Hall sensor flap: known, no action.", "Hall sensor turned on."),
    ("Pump 3 alarm: no action needed.", "Pump 3 alarm was raised."),
    ("Disk warning on node 4 needs no further attention", "The disk warning on node 4 appeared"),
    ("The retry noise in CI is known, no fix planned", "The retry loop in CI fell over last night"),
    ("Fan noise - nothing to be done for now", "The fan tripped twice"),
]
SPOKEN_OF = [
    ("Pump 3 alarm: no action needed.", "When the pump 3 alarm rings, stop the line"),
    ("Pump 3 alarm: no action needed.", "Pump 3 alarm must be answered"),
    ("Pump 3 alarm: no action needed.", "A fix for the pump 3 alarm was requested"),
    ("Pump 3 alarm: no action needed.", "Pump 3 alarm is treated as an outage"),
    ("Pump 3 alarm: no action needed.", "Pump 3 alarm never rang"),
    ("The hall sensor is off", "Hall sensor turned on."),
    ("Hall sensor: no power", "Hall sensor turned on."),
    ("No deploys need action on Fridays", "Deploys failed on Friday"),
    ("No action needed", "Hall sensor turned on."),
    ("Hall sensor flap: known, no action. The sensor never turns on.", "Hall sensor turned on."),
]


@pytest.mark.parametrize(("remark", "report"), REMARKED)
def test_a_remark_on_handling_and_a_report_are_of_two_kinds(remark: str, report: str) -> None:
    assert handled(pair(remark, report)) is not None
    piece = handled(pair(report, remark))
    assert piece is not None
    assert piece.weight < 0
    (verdict,) = Detector(judge=None).weigh(memory(report, 2), [Candidate(memory(remark, 1), 0.8, 0, 0.6, False)])
    assert verdict.relationship is Relationship.COMPATIBLE
    assert [each.sentence for each in verdict.evidence] == [piece.sentence]


@pytest.mark.parametrize(("one", "other"), SPOKEN_OF)
def test_what_speaks_of_the_reaction_or_the_state_is_weighed(one: str, other: str) -> None:
    assert handled(pair(one, other)) is None
    assert handled(pair(other, one)) is None
