"""Quantifiers: a rule for all against a counter-case."""

from __future__ import annotations

import pytest

from tests.detect.sides import balance, weight


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("All our services publish events in Avro.", "Some of our services publish events in JSON."),
        ("Every vehicle carries a passenger counter.", "Few vehicles carry a passenger counter."),
        ("Only maintainers can publish releases.", "Any contributor can publish releases."),
        ("All workers poll the queue.", "Only the canary polls the queue."),
        ("Every public endpoint requires a token.", "The rates endpoint requires a cookie."),
    ],
)
def test_a_rule_for_all_meets_its_counter_case(old: str, new: str) -> None:
    assert weight(old, new, "quantifier") > 0
    assert weight(new, old, "quantifier") == weight(old, new, "quantifier")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Every oven is electric.", "No oven is not electric."),
        ("All tests run nightly.", "All tests run nightly."),
        ("All plums ripen in September.", "Some buses are late."),
        ("The port is 8080.", "The host is db1."),
    ],
)
def test_equivalent_and_unrelated_rules_do_not(old: str, new: str) -> None:
    assert weight(old, new, "quantifier") == 0


def test_a_stated_exception_outweighs_it() -> None:
    rule = "All endpoints return JSON."
    plain, stated = "The export endpoint returns CSV.", "As the one exception, the export endpoint returns CSV."
    assert balance(rule, stated) < balance(rule, plain)
