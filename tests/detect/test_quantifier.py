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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Urgent tickets are exempt from the freeze.", "The freeze holds for every ticket, urgent ones included."),
        ("Visitors sign in, except for parents.", "Visitors sign in without exception."),
        ("Dogs pay half fare, unless they are small.", "Dogs pay half fare, small ones included."),
    ],
)
def test_where_no_exception_is_allowed_of_a_stated_one_clashes(old: str, new: str) -> None:
    assert weight(old, new, "quantifier") == weight(new, old, "quantifier") == 1.8
    assert weight(old, new, "exception") == 0


def test_an_exception_of_another_rule_does_not() -> None:
    old, new = "The rat cohort is fed daily except on Fridays.", "The mouse cohort is weighed daily, Fridays included."
    assert weight(old, new, "quantifier") < 1.8
